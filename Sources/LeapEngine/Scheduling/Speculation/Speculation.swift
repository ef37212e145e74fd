/// How tokens are proposed that one pass then checks together.
///
/// The output is the same with and without: a proposed token stays only where it is the very token that would have been drawn there, from
/// the same logits and the same random number.
package enum Speculation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing is proposed.
    case off
    /// What followed the latest three tokens where they stood before, in the prompt or in the output.
    case lookup
    /// What a smaller model draws, which the engine was started with.
    case draft
}
