/// The kinds of memory that an engine can do without, those first that cost least to do without.
package enum MemoryKind: String, Sendable, Hashable, CaseIterable {
    /// The memory of steps.
    case scratch
    /// The encoders' scratch memory, and the vectors of pictures and sounds that are kept.
    case encoders
    /// The speech decoder's scratch memory.
    case speech
    /// The state that a draft model holds of all sessions.
    case drafts
    /// The computed prefixes that are kept in memory for other sessions.
    case prefixes
    /// The states of sessions that nothing is computed in.
    case sessions
}
