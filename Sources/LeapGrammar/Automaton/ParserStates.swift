/// The states of an automaton, numbered, with their steps.
///
/// A state is a sorted list of configurations (local state, continuation), and whether the text may end there.
struct ParserStates {
    /// The configurations of each state, then 1 where the text may end and 0 elsewhere.
    private var table = SequenceInterner()
    private var bytes: ContiguousArray<ByteSet> = []
    private var costs: ContiguousArray<Int32> = []
    private var accepting: ContiguousArray<Bool> = []
    private var steps = IntMap(capacity: 1024)

    /// A rough size in bytes.
    var byteCount: Int { table.byteCount + bytes.count * 40 + steps.byteCount }

    /// Returns the number of a state of one configuration where the text may not end, and whether it is new.
    ///
    /// A new state is described by ``describe(bytes:cost:isAccepting:)`` before anything else is asked.
    mutating func intern(_ local: Int32, _ cont: Int32) -> (id: Int32, isNew: Bool) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3) { buffer in
            buffer[0] = local
            buffer[1] = cont
            buffer[2] = 0
            return table.intern(UnsafeBufferPointer(buffer))
        }
    }

    /// Returns the number of a state, and whether it is new, as ``intern(_:_:)``.
    ///
    /// - Parameter flat: Its configurations in order, then 1 where the text may end and 0 elsewhere.
    mutating func intern(_ flat: ContiguousArray<Int32>) -> (id: Int32, isNew: Bool) { table.intern(flat) }

    /// Describes the state that was new last: the bytes that it takes, the cost of its nearest end, and whether the
    /// text may end in it.
    mutating func describe(bytes set: ByteSet, cost: Int32, isAccepting: Bool) {
        bytes.append(set)
        costs.append(cost)
        accepting.append(isAccepting)
    }

    @inline(__always)
    func isAccepting(_ state: Int32) -> Bool { accepting[Int(state)] }

    @inline(__always)
    func bytes(_ state: Int32) -> ByteSet { bytes[Int(state)] }

    /// The number of bytes to the nearest end, at most.
    @inline(__always)
    func cost(_ state: Int32) -> Int32 { costs[Int(state)] }

    @inline(__always)
    func configurationCount(_ state: Int32) -> Int { table.range(state).count / 2 }

    /// A state's configuration by its place.
    @inline(__always)
    func configuration(_ state: Int32, _ place: Int) -> (local: Int32, cont: Int32) {
        let start = table.range(state).lowerBound + 2 * place
        return (table[start], table[start + 1])
    }

    func configurations(_ state: Int32) -> [(local: Int32, cont: Int32)] {
        let range = table.range(state)
        return stride(from: range.lowerBound, to: range.upperBound - 1, by: 2).map { (table[$0], table[$0 + 1]) }
    }

    /// The only local state of a state; nil where there are several.
    func onlyLocal(_ state: Int32) -> Int32? {
        let range = table.range(state)
        return range.count == 3 ? table[range.lowerBound] : nil
    }

    private static func key(_ state: Int32, _ symbol: Int) -> UInt64 {
        UInt64(UInt32(bitPattern: state)) << 12 | UInt64(symbol)
    }

    /// The state after a symbol, ``GrammarAutomaton/dead`` where it may not come; nil where it was not found out yet.
    @inline(__always)
    func step(_ state: Int32, _ symbol: Int) -> Int32? { steps[Self.key(state, symbol)] }

    mutating func setStep(_ state: Int32, _ symbol: Int, _ target: Int32) {
        steps.set(Self.key(state, symbol), target)
    }
}
