/// A call to the file system or to a socket in it that failed: what was tried with which file, and the reason.
package struct FileSystemError: CodedError, Hashable {
    /// The kinds of failure.
    package enum Code: String, Sendable {
        /// The disk is full, or this user's part of it.
        case noSpace
        /// A rule of this package forbids to use what is there.
        case refused
        /// The system refused for another reason; see ``FileSystemError/number``.
        case failed
    }

    /// The operation that failed, as in "opening".
    package let operation: String
    /// The file, folder or socket.
    package let path: String
    /// The system's error number; 0 where the rule is ours.
    package let number: Int32
    private let refusal: String?

    /// An error with a number; by default that of the call that has just failed.
    package init(_ operation: String, _ path: String, number: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.number = number
        refusal = nil
    }

    /// An error of a file, folder or socket that must not be used.
    package init(_ path: String, refused reason: String) {
        operation = "using it"
        self.path = path
        number = 0
        refusal = reason
    }

    /// The kind of failure.
    package var code: Code {
        if refusal != nil { .refused } else { number == ENOSPC || number == EDQUOT ? .noSpace : .failed }
    }
    /// The path.
    package var field: String? { path }
    /// The path, what was tried and why it failed, in one line.
    package var message: String { "\(ShownText.of(path, limit: 4096)): \(operation) failed: \(reason)" }
    /// The rule, or the system's text for the number.
    package var reason: String { refusal ?? Self.text(of: number) }

    /// The system's text for an error number.
    package static func text(of number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The reentrant form: strerror shares one buffer between threads.
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
