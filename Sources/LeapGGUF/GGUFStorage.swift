import LeapBase

/// The bytes behind a file, a prefix of one or a value built in memory, and who frees them.
///
/// Everything read from a GGUF is a view that keeps its storage alive.
@usableFromInline
final class GGUFStorage: @unchecked Sendable {
    // Sendable: the bytes never change once the storage is shared.

    /// The first byte, of no promised alignment.
    @usableFromInline let base: UnsafeRawPointer
    /// The number of bytes that are readable.
    let count: Int

    private enum Owner {
        case mapping(UnsafeMutableRawPointer, byteCount: Int)
        case allocation(UnsafeMutableRawPointer)
        case copy(UnsafeMutableRawPointer)
    }
    private let owner: Owner

    /// Takes over a memory mapping; `lead` bytes at its start are padding to a page boundary.
    init(mapping: UnsafeMutableRawPointer, byteCount: Int, lead: Int) {
        base = UnsafeRawPointer(mapping) + lead
        count = byteCount - lead
        owner = .mapping(mapping, byteCount: byteCount)
    }

    /// Takes over memory from ``allocate(_:)``, all of which must be filled before anyone else sees it.
    init(allocation: UnsafeMutableRawPointer, byteCount: Int) {
        base = UnsafeRawPointer(allocation)
        count = byteCount
        owner = .allocation(allocation)
    }

    /// Memory on a 64-byte boundary, or nil where the system has none.
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        var pointer: UnsafeMutableRawPointer?
        return posix_memalign(&pointer, 64, max(byteCount, 1)) == 0 ? pointer : nil
    }

    /// A copy of `bytes`, which are in memory already and small by nature: values, tests, the beginning of a file.
    init(copying bytes: UnsafeRawBufferPointer) {
        let pointer = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
        UnsafeMutableRawBufferPointer(start: pointer, count: bytes.count).copyMemory(from: bytes)
        base = UnsafeRawPointer(pointer)
        count = bytes.count
        owner = .copy(pointer)
    }

    deinit {
        switch owner {
        case .mapping(let pointer, let byteCount): munmap(pointer, byteCount)
        case .allocation(let pointer): free(pointer)
        case .copy(let pointer): pointer.deallocate()
        }
    }

    /// The bytes in `range`, or none where the range is not all there.
    func bytes(at offset: Int, count: Int) -> UnsafeRawBufferPointer {
        guard offset >= 0, count >= 0, count <= self.count, offset <= self.count - count else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: base + offset, count: count)
    }
}
