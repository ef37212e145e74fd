import FoundationEssentials
import LeapDemoModel
import LeapGGUF
import LeapModel
import LeapTokenizer

@testable import LeapChat
@testable import LeapCore

/// The demo model's vocabulary with the marks of messages in the places of other control tokens, and a chat template
/// that writes them.
struct ChannelVocabulary: Sendable {
    let tokenizer: Tokenizer
    let builder: PromptBuilder
    let library: GrammarLibrary

    /// Makes one.
    ///
    /// - Parameters:
    ///   - marks: the texts of control tokens, by their places.
    ///   - end: the place of the token that ends a text.
    init(marks: [Int: String], end: Int, template: String) {
        do {
            let demo = try GGUFFile.open(path: LeapDemoModel.url.path).metadata
            var texts = try demo.strings("tokenizer.ggml.tokens").map { Array($0) } ?? []
            for (place, text) in marks { texts[place] = text }
            var pairs = demo.pairs.filter { !$0.key.hasPrefix("tokenizer.chat_template") }
            let others = ["tokenizer.ggml.tokens", "tokenizer.ggml.eos_token_id", "tokenizer.ggml.add_bos_token"]
            pairs.removeAll { others.contains($0.key) }
            pairs.append(("tokenizer.ggml.add_bos_token", .bool(false)))
            pairs.append(("tokenizer.ggml.tokens", .array(GGUFArray(texts.map { GGUFString($0) }))))
            pairs.append(("tokenizer.ggml.eos_token_id", .uint32(UInt32(end))))
            pairs.append(("tokenizer.chat_template", .string(GGUFString(template))))
            let metadata = try GGUFMetadata(pairs)
            tokenizer = try Tokenizer(metadata: metadata)
            builder = try PromptFormats.builder(
                metadata: metadata, tokenizer: tokenizer, option: nil, manifest: nil, path: "channels.gguf")
            library = GrammarLibrary(
                tokenizer: tokenizer, endTokens: builder.turnEnds.tokens, channels: builder.renderer.channels)
        } catch {
            preconditionFailure("the vocabulary or its template cannot be used: \(error)")
        }
    }

    /// A runner that says what it is told to.
    func runner(_ scripts: [ScriptedBackend.Script]) -> (
        runner: LiquidInferenceEngineRunner, backend: ScriptedBackend
    ) {
        let backend = ScriptedBackend(scripts, tokenizer: tokenizer)
        let runner = LiquidInferenceEngineRunner(
            files: ModelFiles(modelPath: "/scripted.gguf"), backend: backend, builder: builder, sampling: .greedy)
        return (runner, backend)
    }

    /// Messages on channels, as gpt-oss writes them.
    static let harmony = ChannelVocabulary(
        marks: [
            3: "<|start|>", 4: "<|channel|>", 5: "<|message|>", 8: "<|end|>", 9: "<|return|>", 10: "<|call|>",
            11: "<|constrain|>",
        ], end: 9, template: StyleTemplates.channels)

    /// Messages to recipients, as Muse Glimmer writes them.
    static let recipients = ChannelVocabulary(
        marks: [3: "<|start|>", 4: "<|message|>", 5: "<|eom|>", 8: "<|eot|>", 9: "<|end_of_text|>"], end: 9,
        template: StyleTemplates.recipients)
}
