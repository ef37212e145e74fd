/// Steps inside strings, from local state to local state, that walks through the tokens take again and again.
struct StringSteps {
    /// The result of a lookup of a step.
    enum Known: Equatable {
        case unknown
        /// The byte may not come, or it closes the string.
        case none
        case local(Int32)
    }

    private static let unknown: Int32 = -2
    private static let none: Int32 = -1
    private static let limit = 1_024

    /// A row of 128 cells, one for each ASCII byte, for every local state that a walk went through.
    private var rows: [Int32: Int32] = [:]
    private var cells: ContiguousArray<Int32> = []
    /// The local states between the characters of a string, by term.
    private var locals: [TermStore.ID: Int32] = [:]

    /// A rough size in bytes.
    var byteCount: Int { cells.count * 4 + rows.count * 24 }

    /// Forgets all rows where many are taken, so that a walk that begins gets those that it needs.
    mutating func makeRoom() {
        guard rows.count > Self.limit / 2 else { return }
        rows.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
    }

    /// Returns the row of a local state; nil where there is room for no more.
    mutating func row(_ local: Int32) -> Int32? {
        if let known = rows[local] { return known }
        let count = Int32(rows.count)
        if count >= Self.limit { return nil }
        rows[local] = count
        cells.append(contentsOf: repeatElement(Self.unknown, count: 128))
        return count
    }

    /// Returns the step from a row's state by an ASCII byte, as far as it is known.
    @inline(__always)
    func step(_ row: Int32, _ byte: UInt8) -> Known {
        let cell = cells[Int(row) << 7 | Int(byte)]
        if cell >= 0 { return .local(cell) }
        return cell == Self.none ? .none : .unknown
    }

    /// Keeps the step from a row's state by an ASCII byte: nil where there is none.
    mutating func setStep(_ row: Int32, _ byte: UInt8, _ target: Int32?) {
        cells[Int(row) << 7 | Int(byte)] = target ?? Self.none
    }

    /// The local state between the characters of a string with what is left of its language; nil where it is not known.
    func local(_ term: TermStore.ID) -> Int32? { locals[term] }

    mutating func setLocal(_ term: TermStore.ID, _ local: Int32) { locals[term] = local }
}
