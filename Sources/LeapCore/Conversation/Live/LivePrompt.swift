import LeapBase
import LeapChat
import LeapModel
import LeapTokenizer

/// The parts of a model that live transcription needs: its reader of sound, the prompt's beginning, and the tokens that
/// may not come.
struct LivePrompt: Sendable {
    let reader: AudioReader
    let tokenizer: Tokenizer
    /// The tokens up to the sound: the system message and the header of the assistant's turn.
    let tokens: [TokenID]
    /// The tokens that end the text of a chunk.
    let stopTokens: Set<TokenID>
    /// The tokens that stand for media, and the marks of other kinds of output, each with minus infinity.
    let forbidden: [TokenID: Float]

    /// Prepares a model.
    ///
    /// - Throws: ``LeapGenerationException`` where the model transcribes no sound live, or was unloaded.
    init(_ runner: any ModelRunner, systemPrompt: String?) throws {
        guard let runner = runner as? LiquidInferenceEngineRunner, runner.backend.readsSoundPieces else {
            throw LeapGenerationException(
                "live transcription needs a model in this process: load it with Leap.load, or transcribe the whole recording"
            )
        }
        let source = try runner.promptSource()
        guard let reader = source.builder.mediaReader(.audio) as? AudioReader else {
            throw LeapGenerationException(
                "live transcription is not possible: \(runner.readableParts.audioProblem ?? Medium.audio.refusal)")
        }
        guard reader.readsPieces else {
            throw LeapGenerationException(
                "the audio encoder of \(runner.modelId) reads whole recordings only: use an LFM3-Audio model, or transcribe the whole recording"
            )
        }
        let message = ChatMessage(
            role: .system, textContent: systemPrompt ?? SpeechPrompts.liveTranscription)
        let prompt = try source.builder.build(
            PromptRequest(chat: [message], functions: [], parser: nil, enableThinking: false))
        guard prompt.openTurn == nil else {
            throw LeapGenerationException(
                "replies of \(runner.modelId) consist of messages on channels: transcribe the whole recording")
        }
        self.reader = reader
        tokenizer = source.builder.tokenizer
        tokens = prompt.tokens
        stopTokens = source.turnEnds.tokens
        forbidden = Self.forbidden(source.builder.tokenizer, except: source.turnEnds.tokens)
    }

    /// Parts of the names of tokens for media and for other kinds of output.
    ///
    /// The names of some marks are not published; tokens are therefore told by these words.
    private static let words = ["audio", "image", "mixed", "speech", "text_end", "video", "vision"]

    private static func forbidden(_ tokenizer: Tokenizer, except ends: Set<TokenID>) -> [TokenID: Float] {
        var found: [TokenID: Float] = [:]
        for token in 0..<TokenID(clamping: tokenizer.vocabularySize) where !ends.contains(token) {
            guard [.control, .userDefined].contains(tokenizer.kind(of: token)) else { continue }
            let name = tokenizer.text(of: token)
            guard name.hasPrefix("<"), words.contains(where: { name.contains($0) }) else { continue }
            found[token] = -.infinity
        }
        return found
    }
}
