/// Gives equal sequences of integers equal numbers.
struct SequenceInterner {
    private(set) var flat: ContiguousArray<Int32> = []
    private var starts: ContiguousArray<Int32> = [0]
    private var map = IntMap(capacity: 64)

    var count: Int { starts.count - 1 }
    var byteCount: Int { flat.count * 4 + starts.count * 4 + map.byteCount }

    mutating func intern(_ sequence: ContiguousArray<Int32>) -> (id: Int32, isNew: Bool) {
        sequence.withUnsafeBufferPointer { intern($0) }
    }

    mutating func intern(_ sequence: UnsafeBufferPointer<Int32>) -> (id: Int32, isNew: Bool) {
        var hash: UInt64 = UInt64(sequence.count) &+ 0x9E37_79B9_7F4A_7C15
        for value in sequence {
            hash = (hash ^ UInt64(UInt32(bitPattern: value))) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 32
        }
        while true {
            if hash == .max { hash = 0 }
            guard let id = map[hash] else { break }
            if isEqual(id, sequence) { return (id, false) }
            hash = hash &* 6_364_136_223_846_793_005 &+ 1
        }
        let id = Int32(starts.count - 1)
        flat.append(contentsOf: sequence)
        starts.append(Int32(flat.count))
        map.set(hash, id)
        return (id, true)
    }

    private func isEqual(_ id: Int32, _ sequence: UnsafeBufferPointer<Int32>) -> Bool {
        let start = Int(starts[Int(id)])
        guard Int(starts[Int(id) + 1]) - start == sequence.count else { return false }
        for index in 0..<sequence.count where flat[start + index] != sequence[index] { return false }
        return true
    }

    @inline(__always)
    func range(_ id: Int32) -> Range<Int> { Int(starts[Int(id)])..<Int(starts[Int(id) + 1]) }

    @inline(__always)
    subscript(index: Int) -> Int32 { flat[index] }
}
