/// A call to the file system that failed: what was tried with which file, and the system's reason.
package struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation that failed, as in "opening".
    package let operation: String
    /// The file or folder.
    package let path: String
    /// The system's error number.
    package let number: Int32

    /// An error with a number; by default that of the call that has just failed.
    package init(_ operation: String, _ path: String, number: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.number = number
    }

    /// The system's text for the number.
    package var reason: String { Self.text(of: number) }

    /// The path, what was tried and why it failed, in one line.
    package var description: String { "\(ShownText.of(path, limit: 4096)): \(operation) failed: \(reason)" }

    /// The system's text for an error number.
    package static func text(of number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The reentrant form: strerror shares one buffer between threads.
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
