/// An array of strings, read from the file without a copy, such as a vocabulary or a merge list.
///
/// A string is copied only when you access it. The positions of all strings were validated when the file was opened.
public struct GGUFStringArray: Sendable, RandomAccessCollection {
    @usableFromInline let storage: GGUFStorage
    @usableFromInline let start: Int
    /// The offset of each string's length field, counted from the first one, and of the last string's end.
    @usableFromInline let offsets: [UInt32]

    init(storage: GGUFStorage, start: Int, offsets: [UInt32]) {
        // The offsets ascend by 8 or more and end inside the storage: the scan that made them saw to it.
        precondition(!offsets.isEmpty && start + Int(offsets[offsets.count - 1]) <= storage.count)
        self.storage = storage
        self.start = start
        self.offsets = offsets
    }

    /// The number of strings.
    @inlinable public var count: Int { offsets.count - 1 }

    /// Zero.
    @inlinable public var startIndex: Int { 0 }

    /// The number of strings.
    @inlinable public var endIndex: Int { count }

    /// The string at `index`, with invalid UTF-8 replaced by U+FFFD.
    public subscript(index: Int) -> String {
        withUnsafeBytes(index) { String(decoding: $0, as: UTF8.self) }
    }

    /// A copy of the bytes of the string at `index`.
    public func bytes(_ index: Int) -> [UInt8] {
        withUnsafeBytes(index) { Array($0) }
    }

    /// The same strings in memory of their own, which keeps no file mapped.
    package func detached() -> GGUFStringArray {
        let copy = GGUFStorage(copying: storage.bytes(at: start, count: Int(offsets[count])))
        return GGUFStringArray(storage: copy, start: 0, offsets: offsets)
    }

    /// The bytes of all strings together, without their lengths.
    public var totalByteCount: Int { Int(offsets[count]) - 8 * count }

    /// Calls `body` with the bytes of the string at `index`, which are valid only within the call.
    @inlinable
    public func withUnsafeBytes<R>(
        _ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R {
        precondition(index >= 0 && index < count, "index \(index) is outside an array of \(count) strings")
        // The length comes from the table, not from the file: what was validated is what is used.
        let first = start + Int(offsets[index]) + 8
        let end = start + Int(offsets[index + 1])
        return try withExtendedLifetime(storage) {
            let pointer = (storage.base + first).assumingMemoryBound(to: UInt8.self)
            return try body(UnsafeBufferPointer(start: pointer, count: end - first))
        }
    }

    /// Calls `body` once for all strings: string `i` is the bytes from `bounds[i] + 8` up to `bounds[i + 1]`.
    ///
    /// For readers of whole vocabularies, whom a call per string costs more than the work. Valid only within the call.
    package func withUnsafeContents<R>(
        _ body: (_ bytes: UnsafePointer<UInt8>, _ bounds: UnsafeBufferPointer<UInt32>) throws -> R
    ) rethrows -> R {
        try withExtendedLifetime(storage) {
            try offsets.withUnsafeBufferPointer {
                try body((storage.base + start).assumingMemoryBound(to: UInt8.self), $0)
            }
        }
    }
}
