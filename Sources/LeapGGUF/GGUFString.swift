/// A string in a GGUF file: bytes that should be UTF-8, read without a copy.
///
/// Only ``string`` and ``bytes`` copy the bytes. Equality and hashing use the bytes.
public struct GGUFString: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    private let storage: GGUFStorage
    private let offset: Int

    /// The number of bytes.
    public let count: Int

    init(storage: GGUFStorage, offset: Int, count: Int) {
        let bytes = storage.bytes(at: offset, count: count)
        self.storage = storage
        self.offset = offset
        self.count = bytes.count
    }

    /// Creates a string from bytes, which need not be valid UTF-8.
    public init(bytes: [UInt8]) {
        storage = bytes.withUnsafeBytes { GGUFStorage(copying: $0) }
        offset = 0
        count = bytes.count
    }

    /// The UTF-8 of `string`.
    public init(_ string: String) {
        self.init(bytes: Array(string.utf8))
    }

    /// The UTF-8 of a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text, with invalid UTF-8 replaced by U+FFFD.
    public var string: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    /// A copy of the bytes.
    public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The text.
    public var description: String { string }

    /// Calls `body` with the bytes, which are valid only within the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        try withExtendedLifetime(storage) {
            try body(storage.bytes(at: offset, count: count).assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Returns whether both hold the same bytes.
    public static func == (left: GGUFString, right: GGUFString) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { left.elementsEqual($0) } }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
