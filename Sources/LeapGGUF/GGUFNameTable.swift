/// Finds metadata entries and tensors by name.
///
/// Entries stay in the file; this keeps 4 bytes for where each one is and 5 to 10 for a hash table over their names.
/// Every entry begins with its name: a length in 64 bits and the bytes. Hashes are seeded per process (`Hasher`), so a
/// file cannot be made of names that collide.
struct GGUFNameTable: Sendable {
    /// The offset of each entry in the file, in file order.
    let positions: [UInt32]
    /// An index into `positions` plus one, or 0 for a free slot; a power of two of them.
    private let slots: [UInt32]

    /// Two entries have the same name; `index` is the later one.
    struct Duplicate: Error {
        var index: Int
    }

    /// Builds the hash table.
    ///
    /// - Throws: ``Duplicate``.
    init(positions: [UInt32], reader: GGUFByteReader) throws {
        self.positions = positions
        var capacity = 2
        while capacity < positions.count + positions.count / 4 + 1 { capacity *= 2 }
        var slots = [UInt32](repeating: 0, count: capacity)
        for index in positions.indices {
            let name = Self.name(at: positions[index], reader)
            var slot = Self.hash(name) & (capacity - 1)
            while slots[slot] != 0 {
                if Self.equal(name, Self.name(at: positions[Int(slots[slot]) - 1], reader)) {
                    throw Duplicate(index: index)
                }
                slot = (slot + 1) & (capacity - 1)
            }
            slots[slot] = UInt32(index + 1)
        }
        self.slots = slots
    }

    /// The index of the entry with this name.
    func index(of name: String, in storage: GGUFStorage) -> Int? {
        var name = name
        return name.withUTF8 { name in
            let name = UnsafeRawBufferPointer(name)
            let reader = GGUFByteReader(storage, path: nil)
            var slot = Self.hash(name) & (slots.count - 1)
            while slots[slot] != 0 {
                let index = Int(slots[slot]) - 1
                if Self.equal(name, Self.name(at: positions[index], reader)) { return index }
                slot = (slot + 1) & (slots.count - 1)
            }
            return nil
        }
    }

    /// The name of the entry at `index`.
    func name(_ index: Int, in storage: GGUFStorage) -> UnsafeRawBufferPointer {
        Self.name(at: positions[index], GGUFByteReader(storage, path: nil))
    }

    /// A name, validated when the file was opened; empty if the file has changed beneath us since.
    private static func name(at position: UInt32, _ reader: GGUFByteReader) -> UnsafeRawBufferPointer {
        var reader = reader
        reader.offset = Int(position)
        guard let range = try? reader.readString("") else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return reader.bytes(range)
    }

    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: name)
        return hasher.finalize()
    }

    private static func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }
}
