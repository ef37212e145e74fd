/// The way in which tokens are proposed that one pass then checks together.
///
/// The output is the same with and without: a proposed token stays only where it is the very token that would have been
/// drawn there, from the same logits and the same random number.
package enum Speculation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing is proposed.
    case off
    /// The tokens that followed the latest three where they stood before, in the prompt or in the output.
    case lookup
    /// The tokens that a smaller model draws, with which the engine was started.
    case draft
}
