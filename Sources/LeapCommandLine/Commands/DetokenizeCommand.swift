import ArgumentParser
import Foundation
import LeapGGUF
import LeapTokenizer

/// `leap detokenize MODEL`: a JSON array of ids on standard input to text.
struct DetokenizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detokenize",
        abstract: "Turn a JSON array of token ids from standard input into text.",
        discussion: """
            The tokens that `leap tokenize` adds by itself at either end are left out, so that one undoes the other; \
            other special tokens appear as their text. Nothing is added to the text, not even a line end.
            """
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    func run() async throws {
        let tokenizer = try Tokenizer(metadata: await model.open().metadata)
        var ids = try TokenList.parse(json: StandardInput.readText())
        try TokenList.check(ids, vocabularySize: tokenizer.vocabularySize)
        if tokenizer.addsBOS, let bos = tokenizer.bosToken, ids.first == bos { ids.removeFirst() }
        if tokenizer.addsEOS, let eos = tokenizer.eosToken, ids.last == eos { ids.removeLast() }
        Terminal.write(tokenizer.decode(ids))
    }
}
