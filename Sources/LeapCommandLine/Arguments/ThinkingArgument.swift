import ArgumentParser

/// A choice of whether a reasoning model is asked to think before it answers, and whether its thoughts are shown.
///
/// `run` and `chat` take it as `--thinking`.
enum ThinkingArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The model is not asked to think; what it thinks all the same is not shown.
    case off
    /// The model thinks, and the answer alone is shown.
    case hide
    /// The model thinks, and that is shown apart from the answer.
    case show

    /// True if the model is asked to think.
    var isAsked: Bool { self != .off }

    /// True if the model's thoughts are shown.
    var isShown: Bool { self == .show }

    static let help = ArgumentHelp(
        """
        Let a reasoning model think before it answers: off, hide, or show, which prints its reasoning apart from the answer.
        """,
        valueName: "mode")
}
