import LeapBase

extension UTF8Bytes {
    /// The text that bytes are; nil where they are not UTF-8.
    static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.withUnsafeBufferPointer({ isValid($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
