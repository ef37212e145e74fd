/// The bytes with which local states go over into themselves, as far as that was found out.
struct LoopTable {
    private struct Facts {
        var loops = ByteSet()
        var others = ByteSet()
    }

    private var facts: [Int32: Facts] = [:]

    /// The result of a lookup of a set of bytes.
    enum Answer: Equatable {
        /// The state goes over into itself with each of them.
        case loops
        /// It does not with one of them at least.
        case leaves
        /// Nothing is known of these; it does with all others.
        case unknown(ByteSet)
    }

    /// Returns what is known of a local state and some bytes.
    func answer(_ local: Int32, _ bytes: ByteSet) -> Answer {
        let known = facts[local] ?? Facts()
        if bytes.isSubset(of: known.loops) { return .loops }
        if !bytes.intersection(known.others).isEmpty { return .leaves }
        return .unknown(bytes.subtracting(known.loops))
    }

    /// Keeps the bytes that were found to be loops, and the one that was found to lead elsewhere.
    mutating func keep(_ local: Int32, loops: ByteSet, other: UInt8?) {
        facts[local, default: Facts()].loops.formUnion(loops)
        if let other { facts[local, default: Facts()].others.insert(other) }
    }
}
