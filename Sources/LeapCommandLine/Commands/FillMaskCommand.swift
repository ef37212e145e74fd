import ArgumentParser
import LeapBase
import LeapSDK

/// `leap fill-mask MODEL TEXT`: the likeliest words in the places of masks.
struct FillMaskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fill-mask",
        abstract: "List the likeliest words in the places of masks.",
        discussion: """
            The model must be a masked language model whose file has its head, such as ModernBERT or LFM2.5-Encoder. The text has the \
            vocabulary's mask token, such as [MASK], in the place of each missing word. Prints a line for each word: its probability from 0 to 1, a tab \
            and the word. Control characters of a word are escaped. An empty line separates masks.
            """
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Argument(help: "The text with masks.")
    var text: String

    @Option(name: .customLong("top"), help: "How many words to print for each mask.")
    var top = 5

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    func validate() throws {
        if top < 1 { throw ValidationError("--top is \(top); expected 1 or more.") }
    }

    func run() async throws {
        let runner = try await loading.load(model)
        let masks = try await runner.fillMask(text, options: FillMaskOptions(count: top))
        for (index, mask) in masks.enumerated() {
            if index > 0 { Terminal.writeLine("") }
            for candidate in mask.candidates {
                Terminal.writeLine("\(candidate.probability)\t\(ShownText.of(candidate.token))")
            }
        }
        await runner.unload()
    }
}
