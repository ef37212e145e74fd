import FoundationEssentials
import LeapDemoModel
import LeapGGUF
import LeapModel
import LeapTokenizer

@testable import LeapChat
@testable import LeapCore

/// The demo model's vocabulary with the marks of messages on channels in the places of other control tokens.
enum HarmonyVocabulary {
    private static let marks: [(place: Int, text: String)] = [
        (3, "<|start|>"), (4, "<|channel|>"), (5, "<|message|>"), (8, "<|end|>"), (9, "<|return|>"), (10, "<|call|>"),
        (11, "<|constrain|>"),
    ]

    /// The metadata of a file with this vocabulary and a chat template.
    static let metadata: GGUFMetadata = {
        do {
            let demo = try GGUFFile.open(path: LeapDemoModel.url.path).metadata
            var texts = try demo.strings("tokenizer.ggml.tokens").map { Array($0) } ?? []
            for mark in marks { texts[mark.place] = mark.text }
            var pairs = demo.pairs.filter { !$0.key.hasPrefix("tokenizer.chat_template") }
            let others = ["tokenizer.ggml.tokens", "tokenizer.ggml.eos_token_id", "tokenizer.ggml.add_bos_token"]
            pairs.removeAll { others.contains($0.key) }
            pairs.append(("tokenizer.ggml.add_bos_token", .bool(false)))
            pairs.append(("tokenizer.ggml.tokens", .array(GGUFArray(texts.map { GGUFString($0) }))))
            pairs.append(("tokenizer.ggml.eos_token_id", .uint32(9)))
            pairs.append(("tokenizer.chat_template", .string(GGUFString(StyleTemplates.channels))))
            return try GGUFMetadata(pairs)
        } catch {
            preconditionFailure("the demo model cannot be read: \(error)")
        }
    }()

    static let tokenizer: Tokenizer = {
        do {
            return try Tokenizer(metadata: metadata)
        } catch {
            preconditionFailure("the vocabulary cannot be read: \(error)")
        }
    }()

    static let builder: PromptBuilder = {
        do {
            return try PromptFormats.builder(
                metadata: metadata, tokenizer: tokenizer, option: nil, manifest: nil, path: "harmony.gguf")
        } catch {
            preconditionFailure("the template cannot be used: \(error)")
        }
    }()

    static let library = GrammarLibrary(
        tokenizer: tokenizer, endTokens: builder.turnEnds.tokens, channels: builder.renderer.channels)

    /// A runner that says what it is told to.
    static func runner(_ scripts: [ScriptedBackend.Script]) -> (
        runner: LiquidInferenceEngineRunner, backend: ScriptedBackend
    ) {
        let backend = ScriptedBackend(scripts, tokenizer: tokenizer)
        let runner = LiquidInferenceEngineRunner(
            files: ModelFiles(modelPath: "/scripted.gguf"), backend: backend, builder: builder, sampling: .greedy)
        return (runner, backend)
    }
}
