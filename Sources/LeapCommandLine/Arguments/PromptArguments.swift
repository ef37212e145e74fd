import ArgumentParser
import LeapBase

/// The prompts of `leap run`: on the command line, and what comes through a pipe.
struct PromptArguments: ParsableArguments {
    @Argument(
        help:
            "The prompt. Several prompts are answered in order, each on its own. Piped or redirected standard input is added to each, after an empty line."
    )
    var prompts: [String] = []

    @Option(
        name: [.customShort("p"), .customLong("prompt")], parsing: .unconditionalSingleValue,
        help: "A prompt as an option, for text that begins with a hyphen; - reads it from standard input. Repeatable."
    )
    var named: [String] = []

    private var given: [String] { prompts + named }

    func validate() throws {
        guard given.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("only one prompt can be read from standard input")
        }
    }

    /// The prompts, with what standard input holds where no option has read it.
    func texts() throws -> [String] {
        if given.contains("-") {
            let text = try Self.standardInput("--prompt")
            guard !text.isEmpty else { throw CommandError("--prompt -: there is no text on standard input") }
            return given.map { $0 == "-" ? text : $0 }
        }
        var context = ""
        if !StandardInput.isRead, StandardInput.isPiped { context = try Self.standardInput("the prompt") }
        if !given.isEmpty { return context.isEmpty ? given : given.map { "\($0)\n\n\(context)" } }
        guard !context.isEmpty else {
            throw CommandError(
                "there is no prompt: write it after the model, as in leap run demo \"Hello\", or send it through a pipe"
            )
        }
        return [context]
    }

    /// Without the line end that files and `echo` end with.
    private static func standardInput(_ name: String) throws -> String {
        var text = try StandardInput.readText(for: name)
        if text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
