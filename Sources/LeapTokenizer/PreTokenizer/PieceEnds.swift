/// The ends of a text's pieces, in order.
///
/// Memory that is written again for every batch of pieces.
final class PieceEnds {
    private(set) var pointer: UnsafeMutablePointer<Int>
    private(set) var count = 0
    private var capacity: Int

    init() {
        capacity = PreTokenizer.batch + 1
        pointer = .allocate(capacity: capacity)
    }

    deinit { pointer.deallocate() }

    /// Forgets all ends, and the memory of very many.
    func removeAll() {
        count = 0
        if capacity > 1 << 16 {
            pointer.deallocate()
            capacity = PreTokenizer.batch + 1
            pointer = .allocate(capacity: capacity)
        }
    }

    @inline(__always)
    func append(_ end: Int) {
        if count == capacity { grow() }
        pointer[count] = end
        count += 1
    }

    @inline(never)
    private func grow() {
        let larger = UnsafeMutablePointer<Int>.allocate(capacity: capacity * 2)
        larger.update(from: pointer, count: count)
        pointer.deallocate()
        pointer = larger
        capacity *= 2
    }
}
