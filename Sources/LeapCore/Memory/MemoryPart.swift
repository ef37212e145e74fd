import LeapEngine

/// A part of a loaded model's memory that can be given back, in the order in which it is.
public enum MemoryPart: String, Sendable, Hashable, Codable, CaseIterable {
    /// The memory of computations, which the next reply takes again.
    case scratch
    /// The memory of encoders and audio decoders, with the vectors of recent images and audio.
    case encoders
    /// The state of draft models; replies are the same without it.
    case drafts
    /// The cached prompts in memory; see ``LiquidCacheOptions``.
    ///
    /// Those on disk stay.
    case cachedPrompts
    /// The state of the conversations in which nothing is generated.
    case idleConversations
    /// The model with its weights, threads and GPU memory, if nothing uses it.
    ///
    /// The next use loads it again from its file.
    case model

    /// The engine's kinds of memory that it stands for.
    var kinds: Set<MemoryKind> {
        switch self {
        case .scratch: [.scratch]
        case .encoders: [.encoders, .speech]
        case .drafts: [.drafts]
        case .cachedPrompts: [.prefixes]
        case .idleConversations: [.sessions]
        case .model: []
        }
    }

    /// The part that a kind of memory belongs to.
    init(_ kind: MemoryKind) {
        switch kind {
        case .scratch: self = .scratch
        case .encoders, .speech: self = .encoders
        case .drafts: self = .drafts
        case .prefixes: self = .cachedPrompts
        case .sessions: self = .idleConversations
        }
    }
}
