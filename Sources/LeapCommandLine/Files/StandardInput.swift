import Dispatch
import Foundation
import LeapBase
import LeapChat

/// Standard input, read to its end or in pieces as they come.
enum StandardInput {
    /// The option or argument for which standard input is read, as there is only one; nil while it is free.
    private static let reader = Locked<String?>(nil)

    /// True if something that an option names was read from it.
    static var isRead: Bool { reader.withLock { $0 != nil } }

    /// True if somebody sends something: a pipe or a file, and not a keyboard, a device such as /dev/null, or nothing.
    static var isPiped: Bool {
        var info = stat()
        guard fstat(0, &info) == 0 else { return false }
        return info.st_mode & S_IFMT == S_IFIFO || info.st_mode & S_IFMT == S_IFREG
    }

    /// All bytes up to the end of input.
    ///
    /// - Parameter name: the option or argument that they are for.
    static func readBytes(for name: String = "standard input") throws -> [UInt8] {
        try take(for: name)
        do {
            return [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
        } catch {
            throw CommandError("\(name): standard input cannot be read: \(error.sentence)")
        }
    }

    /// Bytes that are read at a time: a tenth of a second of speech.
    private static let pieceLength = 3200
    private static let pieces = DispatchQueue(label: "leap.standard-input")

    /// The next bytes as they come; none at the end of input, or when the task is cancelled.
    ///
    /// - Parameter name: the option or argument that they are for.
    static func readPiece(for name: String) async throws -> Data {
        let waiting = Locked<CheckedContinuation<Data, any Error>?>(nil)
        let take: @Sendable () -> CheckedContinuation<Data, any Error>? = {
            waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
        }
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    waiting.withLock { $0 = continuation }
                    guard !Task.isCancelled else {
                        take()?.resume(returning: Data())
                        return
                    }
                    pieces.async {
                        let result = Result { try FileHandle.standardInput.read(upToCount: pieceLength) ?? Data() }
                        take()?.resume(with: result)
                    }
                }
            } onCancel: {
                take()?.resume(returning: Data())
            }
        } catch {
            throw CommandError("\(name): standard input cannot be read: \(error.sentence)")
        }
    }

    /// Keeps standard input for an option or argument.
    ///
    /// - Throws: `CommandError` where another one has it.
    static func take(for name: String) throws {
        let earlier = reader.withLock { reader -> String? in
            guard let reader else {
                reader = name
                return nil
            }
            return reader
        }
        if let earlier { throw CommandError("only one of \(earlier) and \(name) can be read from standard input") }
    }

    /// All of it as text.
    ///
    /// Text that is not UTF-8 is refused with the place of the first bad byte.
    static func readText(for name: String = "standard input") throws -> String {
        let bytes = try readBytes(for: name)
        guard let offset = invalidUTF8Offset(in: bytes) else { return String(decoding: bytes, as: UTF8.self) }
        throw CommandError(
            "standard input is not UTF-8: byte 0x\(String(bytes[offset], radix: 16)) at offset \(offset) starts no "
                + "valid character; convert the text to UTF-8 first")
    }

    /// A text that an argument gives, or for - or none what standard input holds.
    static func text(orGiven text: String?) throws -> String {
        if let text, text != "-" { return text }
        return try readText()
    }

    /// Returns the offset of the first ill-formed sequence; nil if there is none.
    static func invalidUTF8Offset(in bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        // Standard repair leaves everything before the first bad byte as it was.
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        return zip(bytes, repaired).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? bytes.count - 1
    }
}
