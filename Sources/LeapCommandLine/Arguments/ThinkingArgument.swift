import ArgumentParser

/// Whether a reasoning model is asked to think before it answers, and whether what it thinks is shown.
///
/// `run` and `chat` take it as `--thinking`.
enum ThinkingArgument: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The model is not asked to think; what it thinks all the same is not shown.
    case off
    /// The model thinks, and the answer alone is shown.
    case hide
    /// The model thinks, and that is shown apart from the answer.
    case show

    /// Whether the model is asked to think.
    var isAsked: Bool { self != .off }

    /// Whether what the model thinks is shown.
    var isShown: Bool { self == .show }

    static let help = ArgumentHelp(
        """
        Let a reasoning model think before it answers, and show that apart from the answer, or hide it: off, hide or show.
        """,
        valueName: "mode")
}
