import LeapBase
import LeapChat

/// Lines that agents put in front of their system prompt and that differ in each request.
///
/// What is computed for a prompt is kept up to the first token that differs: with such a line that is none of it. The
/// lines are for the servers that agents were made for, and say nothing to a model, so they are no part of what is
/// computed.
enum ChangingHeading {
    /// The names of such lines, in front of a colon: Claude Code's figures for its maker's bills.
    static let names = ["x-anthropic-billing-header"]

    private static let logger = PrintableLogger(label: "open-leap.prompts")
    private static let isTold = OneWaySwitch()

    /// Returns the text without such a line and the blank ones behind it, and the line's name; nil where it begins
    /// otherwise.
    static func removed(from text: String) -> (text: String, name: String)? {
        guard let name = names.first(where: { text.hasPrefix($0 + ":") }) else { return nil }
        let rest = text.drop { !$0.isNewline }.drop { $0.isNewline }
        return (String(rest), name)
    }

    /// Says once in the log what is left out.
    static func tell(_ name: String) {
        guard isTold.set() else { return }
        logger.notice(
            "the line \(name) of system prompts is removed from the prompt: it differs in each request, so no computed prompt could be reused"
        )
    }
}
