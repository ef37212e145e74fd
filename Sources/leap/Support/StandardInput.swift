import Foundation

/// Standard input, read to its end.
enum StandardInput {
    /// All bytes up to the end of input.
    static func readBytes() throws -> [UInt8] {
        [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
    }

    /// All of it as text.
    ///
    /// Text that is not UTF-8 is refused with the place of the first bad byte.
    static func readText() throws -> String {
        let bytes = try readBytes()
        guard let offset = invalidUTF8Offset(in: bytes) else { return String(decoding: bytes, as: UTF8.self) }
        throw CommandError(
            "standard input is not UTF-8: byte 0x\(String(bytes[offset], radix: 16)) at offset \(offset) starts no "
                + "valid character; convert the text to UTF-8 first")
    }

    /// Where the first ill-formed sequence starts, or nil if there is none.
    static func invalidUTF8Offset(in bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        // Standard repair leaves everything before the first bad byte as it was.
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        return zip(bytes, repaired).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? bytes.count - 1
    }
}
