import FoundationEssentials
import LeapDemoModel
import LeapGGUF
import LeapModel
import LeapTokenizer

@testable import LeapChat
@testable import LeapCore

/// The demo model's tokenizer, and runners that use it without its weights.
enum DemoVocabulary {
    /// The tokenizer, read once.
    static let tokenizer: Tokenizer = {
        do {
            return try Tokenizer(metadata: GGUFFile.open(path: LeapDemoModel.url.path).metadata)
        } catch {
            preconditionFailure("the demo model cannot be read: \(error)")
        }
    }()

    /// A builder with ChatML as the demo model has it.
    static let builder = PromptBuilder(tokenizer: tokenizer, formatter: ChatMLFormatter(hasToolMarks: true))

    /// A runner that says what it is told to.
    static func runner(
        _ scripts: [ScriptedBackend.Script], contextSize: Int = 4096, builder: PromptBuilder = builder
    ) -> (runner: LiquidInferenceEngineRunner, backend: ScriptedBackend) {
        let backend = ScriptedBackend(scripts, tokenizer: tokenizer, contextSize: contextSize)
        let runner = LiquidInferenceEngineRunner(
            files: ModelFiles(modelPath: "/scripted.gguf"), backend: backend, builder: builder, sampling: .greedy)
        return (runner, backend)
    }
}

extension ScriptedBackend.Script: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self.init(text: value) }
}

extension AsyncThrowingStream where Element == MessageResponse, Failure == any Error {
    /// All pieces of a reply.
    func collect() async throws -> [MessageResponse] {
        var all: [MessageResponse] = []
        for try await response in self { all.append(response) }
        return all
    }
}

extension [MessageResponse] {
    /// The text of all chunks.
    var text: String { compactMap { if case .chunk(let text) = $0 { text } else { nil } }.joined() }
    /// The reasoning of all chunks.
    var reasoning: String { compactMap { if case .reasoningChunk(let text) = $0 { text } else { nil } }.joined() }
    /// All calls.
    var calls: [LeapFunctionCall] {
        flatMap { if case .functionCall(let calls) = $0 { calls } else { [LeapFunctionCall]() } }
    }
    /// The completion, if it is the last piece.
    var completion: MessageCompletion? { if case .complete(let completion)? = last { completion } else { nil } }
}
