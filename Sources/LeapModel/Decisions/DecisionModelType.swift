/// The type of a decision model, as `A.decision.type` of its file names it.
package enum DecisionModelType: String, Sendable, Hashable, CaseIterable, Codable {
    /// Liquid AI's d1-3B: groups of label tokens.
    case lfm2D1 = "lfm2-d1"
    /// Letters as labels.
    case openJev = "openjev"
    /// Letters and pairs of letters as labels, choices in two orders.
    case lev
    /// Letters and pairs of letters; the prompt lists all questions.
    case nimble
    /// Letters and pairs of letters.
    case pplxDecider = "pplx-decider"
    /// Scores at a mask token before each option, on ModernBERT.
    case laya
    /// Scores at a mask token before each option, on a two-way LFM2.
    case lfm2D1Omni = "lfm2-d1-omni"

    /// True if answers are read from the logits of label tokens behind the prompt.
    package var readsLabels: Bool { self != .laya && self != .lfm2D1Omni }

    /// True if questions may be about pictures or a sound, with a projector.
    package var readsMedia: Bool { self == .lfm2D1Omni }

    /// Types that are published and whose tensors are not known.
    package static let unread = ["kev", "clef", "granite-switch", "vllm-d3"]
}
