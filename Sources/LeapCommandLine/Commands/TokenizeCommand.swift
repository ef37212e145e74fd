import ArgumentParser
import LeapGGUF
import LeapTokenizer

/// `leap tokenize MODEL [TEXT]`: text to a JSON array of ids.
struct TokenizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokenize",
        abstract: "Turn text into a JSON array of token ids.",
        discussion: "MODEL may be a GGUF file that holds a vocabulary only."
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Argument(help: "The text; without it, or with -, reads standard input.")
    var text: String?

    @Flag(name: .customLong("no-bos"), help: "Do not add the beginning-of-text and end-of-text tokens.")
    var noBOS = false

    @Flag(help: "Read special tokens in the text as plain text.")
    var literal = false

    func run() async throws {
        let tokenizer = try Tokenizer(metadata: await model.open().metadata)
        for note in tokenizer.notes { Terminal.note("note: \(note)") }
        let text = try StandardInput.text(orGiven: self.text)
        let ids = tokenizer.encode(text, addSpecial: !noBOS, parseSpecial: !literal)
        Terminal.writeLine("[" + ids.map(String.init).joined(separator: ", ") + "]")
    }
}
