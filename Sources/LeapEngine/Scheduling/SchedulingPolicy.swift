/// The policy by which prompts share passes with replies in progress, and with each other.
///
/// It changes when something is computed; what is generated does not depend on it.
package enum SchedulingPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// First tokens come as soon as they can: prompts may make a pass five times as long, and replies in progress wait.
    case latency
    /// A pass may be the longer, the more prompts wait, up to three times.
    case balanced
    /// A pass may last a second, for uses where nobody reads along, and prompts share it evenly.
    case throughput

    /// The maximum number of seconds of a pass that has one prompt and, of other generations, the next tokens.
    var sharedStepSeconds: Double { self == .throughput ? 1 : 0.040 }

    /// The maximum length of a pass with one prompt, as a multiple of a pass with the same replies and no prompts.
    ///
    /// Where prompts come faster than passes take them in, they wait in a queue, and few replies are written at a time.
    /// So half of a pass is a single prompt's by default.
    var sharedStepFactor: Double { self == .balanced ? 2 : 1.5 }

    /// Returns how many times as long a pass may last as one that has a single prompt.
    ///
    /// - Parameter waiting: the number of prompts that wait for their first token.
    func patience(waiting: Int) -> Double {
        switch self {
        case .latency: 5
        case .balanced: Double(min(max(waiting, 1), 3))
        case .throughput: 1
        }
    }

    /// Divides a pass's tokens among the prompts in progress.
    ///
    /// - Parameters:
    ///   - remaining: the tokens that each prompt still needs, at least 1, in the order in which the prompts began.
    ///   - budget: the tokens of the pass.
    ///   - turn: a number that grows by one with each pass.
    func shares(_ remaining: [Int], budget: Int, turn: Int) -> [Int] {
        switch self {
        case .latency, .balanced: PromptShares.shortestFirst(remaining, budget: budget, turn: turn)
        case .throughput: PromptShares.split(remaining, budget: budget, turn: turn)
        }
    }
}
