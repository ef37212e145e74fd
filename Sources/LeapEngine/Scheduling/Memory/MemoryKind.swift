/// The kinds of memory that an engine can do without, those first that cost least to do without.
package enum MemoryKind: String, Sendable, Hashable, CaseIterable, Comparable {
    /// The memory of steps.
    case scratch
    /// The encoders' scratch memory, and the vectors of pictures and sounds that are kept.
    case encoders
    /// The speech decoder's scratch memory.
    case speech
    /// What a draft model holds of all sessions.
    case drafts
    /// The computed prefixes that are kept in memory for other sessions.
    case prefixes
    /// The states of sessions that nothing is computed in.
    case sessions

    /// True if the first one costs less to do without.
    package static func < (left: MemoryKind, right: MemoryKind) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}
