/// The local states of an automaton, numbered from 0 in the order in which they were first reached.
///
/// Besides the states it keeps what was found out about each: the bytes that it takes, the cost of its end, and whether
/// its value may end there.
struct LocalStates {
    private var table = SequenceInterner()
    private var states: ContiguousArray<LocalState> = []
    private var bytes: ContiguousArray<ByteSet?> = []
    private var costs: ContiguousArray<Int32?> = []
    private var ends: ContiguousArray<Bool> = []

    /// A rough size in bytes.
    var byteCount: Int { table.byteCount + states.count * 100 }

    /// Returns the number of a state, and whether the state was not known before.
    ///
    /// Of a new state nothing is known yet, and it is taken not to be an end; see ``setCanEnd(_:_:)``.
    mutating func intern(_ state: LocalState) -> (id: Int32, isNew: Bool) {
        let (id, isNew) = state.withIntegers { table.intern($0) }
        if isNew {
            states.append(state)
            bytes.append(nil)
            costs.append(nil)
            ends.append(false)
        }
        return (id, isNew)
    }

    /// The state with a number.
    @inline(__always)
    subscript(id: Int32) -> LocalState { states[Int(id)] }

    /// The bytes that a state takes; nil while they are not known.
    @inline(__always)
    func bytes(_ id: Int32) -> ByteSet? { bytes[Int(id)] }

    mutating func setBytes(_ id: Int32, _ set: ByteSet) { bytes[Int(id)] = set }

    /// The number of bytes to the end of the value that a state stands in; nil while it is not known.
    @inline(__always)
    func cost(_ id: Int32) -> Int32? { costs[Int(id)] }

    mutating func setCost(_ id: Int32, _ cost: Int32) { costs[Int(id)] = cost }

    /// True if the value that a state stands in may end there.
    func canEnd(_ id: Int32) -> Bool { ends[Int(id)] }

    mutating func setCanEnd(_ id: Int32, _ canEnd: Bool) { ends[Int(id)] = canEnd }
}
