/// A way on from a local state by one symbol.
struct Move: Equatable {
    /// The local state that follows.
    let local: Int32
    private let returnPoint: Int32

    /// The local state to return to after the value that begins here; nil where none begins.
    @inline(__always)
    var push: Int32? { returnPoint < 0 ? nil : returnPoint }

    init(local: Int32, push: Int32? = nil) {
        self.local = local
        returnPoint = push ?? -1
    }
}

/// The moves of local states by symbols, each list made once.
struct MoveTable {
    private var index = IntMap(capacity: 256)
    private var moves: ContiguousArray<Move> = []
    private var starts: ContiguousArray<Int32> = [0]
    /// An empty list whose storage is used again.
    private var scratch: [Move] = []

    /// The number of moves of all lists.
    var count: Int { moves.count }
    /// A rough size in bytes.
    var byteCount: Int { moves.count * 8 }

    private static func key(_ local: Int32, _ symbol: Int) -> UInt64 {
        UInt64(UInt32(bitPattern: local)) << 12 | UInt64(symbol)
    }

    private func range(_ list: Int32) -> Range<Int> { Int(starts[Int(list)])..<Int(starts[Int(list) + 1]) }

    /// The places of a local state's moves by a symbol; nil where they were not added yet.
    @inline(__always)
    func range(_ local: Int32, _ symbol: Int) -> Range<Int>? { index[Self.key(local, symbol)].map(range) }

    /// The move at a place.
    @inline(__always)
    subscript(place: Int) -> Move { moves[place] }

    /// Returns an empty list to collect moves in, which ``add(_:_:_:)`` takes back.
    mutating func takeScratch() -> [Move] {
        var list: [Move] = []
        swap(&list, &scratch)
        return list
    }

    /// Keeps a local state's moves by a symbol, and returns their places.
    mutating func add(_ local: Int32, _ symbol: Int, _ made: consuming [Move]) -> Range<Int> {
        moves += made
        made.removeAll(keepingCapacity: true)
        scratch = made
        let list = Int32(starts.count - 1)
        starts.append(Int32(moves.count))
        index.set(Self.key(local, symbol), list)
        return range(list)
    }
}
