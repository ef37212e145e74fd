import ArgumentParser
import LeapSDK

/// The policy for a conversation that is longer than the context.
enum OverflowArgument: String, CaseIterable, ExpressibleByArgument {
    /// The oldest turns are left out of the prompt.
    case trim
    /// The message is refused.
    case fail

    init(_ policy: ContextOverflowPolicy) {
        self = policy == .fail ? .fail : .trim
    }

    var policy: ContextOverflowPolicy { self == .fail ? .fail : .trimOldestTurns }
}
