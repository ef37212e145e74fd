import ArgumentParser
import Foundation
import LeapGGUF
import LeapTokenizer

/// `leap detokenize MODEL [IDS]`: a JSON array of ids to text.
struct DetokenizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detokenize",
        abstract: "Turn a JSON array of token ids into text.",
        discussion: """
            Leaves out the tokens that `leap tokenize` adds at either end, so that the two commands reverse each other; \
            other special tokens appear as their text. Adds nothing to the text, not even a line end.
            """
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Argument(help: "The ids, as in \"[1, 42, 7]\"; without them, or with -, reads standard input.")
    var ids: String?

    func run() async throws {
        let tokenizer = try Tokenizer(metadata: await model.open().metadata)
        var ids = try TokenList.parse(json: StandardInput.text(orGiven: self.ids), from: self.ids == nil ? nil : "IDS")
        try TokenList.check(ids, vocabularySize: tokenizer.vocabularySize)
        if tokenizer.addsBOS, let bos = tokenizer.bosToken, ids.first == bos { ids.removeFirst() }
        if tokenizer.addsEOS, let eos = tokenizer.eosToken, ids.last == eos { ids.removeLast() }
        Terminal.write(tokenizer.decode(ids))
    }
}
