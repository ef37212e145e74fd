import Foundation
import LeapBase
import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

/// Writes the text of a sound chunk by chunk.
///
/// The model reads a chunk, then writes until it ends its turn or reaches a limit. The mark of the end is not read by
/// the model: the next chunk follows the text.
final class LiveWriter: Sendable {
    /// Tokens of text behind a chunk at most, whose sound has 400 milliseconds or less.
    static let maxTokens = 32
    /// The same for what follows the last chunk.
    static let maxLastTokens = 128

    private struct State {
        var window: LiveWindow
        var detokenizer: StreamingDetokenizer
        var running: (any RunningGeneration)?
        var isCancelled = false
        var figures = LiveFigures()
    }

    private let prompt: LivePrompt
    private let backend: any InferenceBackend
    private let sound: LiveSound
    private let chunkLength: Int
    private let text: AsyncThrowingStream<String, any Error>.Continuation
    private let state: Locked<State>

    /// - Parameters:
    ///   - chunkLength: frames of a chunk.
    ///   - maxVectors: vectors of the sound that the model reads at most.
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` for a context without room for a chunk.
    init(
        _ prompt: LivePrompt, backend: any InferenceBackend, sound: LiveSound, chunkLength: Int,
        maxVectors: Int = LiveWindow.maxVectors, text: AsyncThrowingStream<String, any Error>.Continuation
    ) throws {
        let room = backend.contextSize - Self.maxTokens - Self.maxLastTokens
        let needed = prompt.tokens.count + chunkLength / ConvolutionSubsampling.factor
        guard needed <= room else {
            throw LeapGenerationPromptExceedContextLengthException(
                message:
                    "live transcription takes \(needed + Self.maxTokens + Self.maxLastTokens) tokens at least, but the context holds \(backend.contextSize): load the model with a larger contextSize",
                neededTokens: needed + Self.maxTokens + Self.maxLastTokens, availableTokens: backend.contextSize)
        }
        self.prompt = prompt
        self.backend = backend
        self.sound = sound
        self.chunkLength = chunkLength
        self.text = text
        state = Locked(
            State(
                window: LiveWindow(start: prompt.tokens, maxTokens: room, maxVectors: maxVectors),
                detokenizer: StreamingDetokenizer(prompt.tokenizer)))
    }

    /// The tokens so far.
    var figures: LiveFigures { state.withLock { $0.figures } }

    /// Ends it within one token.
    func cancel() {
        let running = state.withLock { state in
            state.isCancelled = true
            return state.running
        }
        sound.end()
        running?.cancel()
    }

    /// Ends it with an error, unless it was cancelled.
    func fail(_ error: any Error) {
        if !isCancelled { text.finish(throwing: error) }
        cancel()
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Writes until the sound ends.
    func run() async {
        do {
            try await write()
            let rest = state.withLock { $0.detokenizer.finish() }
            if !rest.isEmpty, !isCancelled { text.yield(rest) }
            text.finish()
        } catch {
            text.finish(throwing: GenerationFailure.exception(for: error))
        }
        sound.end()
    }

    private func write() async throws {
        let use = try await backend.use()
        defer { withExtendedLifetime(use) {} }
        let session = backend.makeSession()
        let pieces = PiecewiseSound()
        let digest = withUnsafeBytes(of: UUID().uuid) { Array($0) }
        var index = 0
        var isCut = false
        while let chunk = await sound.next() {
            let piece = AudioPiece(of: pieces, index: index, chunk, isLast: chunk.frameCount < chunkLength)
            let (tokens, part) = prompt.reader.read(piece, digest: digest)
            state.withLock { state in
                state.window.append(tokens, part)
                state.figures.vectorCount += tokens.count
            }
            isCut = try await continueText(in: session, maxTokens: Self.maxTokens)
            index += 1
        }
        // The sound is over, and the model has not said that its text is.
        if isCut, !isCancelled { _ = try await continueText(in: session, maxTokens: Self.maxLastTokens) }
    }

    /// Has the model write behind what it has read.
    ///
    /// - Returns: true if it was cut off by the limit.
    private func continueText(in session: any InferenceSession, maxTokens: Int) async throws -> Bool {
        guard !isCancelled else { return false }
        let (tokens, parts) = state.withLock { ($0.window.prompt, $0.window.parts) }
        var request = GenerationRequest(
            prompt: tokens, sampling: .greedy, maxTokens: maxTokens, stopTokens: prompt.stopTokens)
        request.media = MediaInput.inputs(parts, in: tokens)
        request.logitBias = prompt.forbidden
        // The sound's vectors are those of this transcription alone.
        request.sharesPrefix = false
        let planned = PlannedRequest(
            request, recipe: RequestRecipe(settings: .standard, functions: [], isReasoningOpen: false))
        let result = await withCheckedContinuation { continuation in
            let running: any RunningGeneration = session.generate(planned) { event in
                switch event {
                case .token(let token): self.take(token)
                case .finished(let result): continuation.resume(returning: result)
                case .prefill, .speech: break
                }
            }
            let isCancelled = state.withLock { state in
                state.running = running
                return state.isCancelled
            }
            if isCancelled { running.cancel() }
        }
        let isCancelled = state.withLock { state in
            state.running = nil
            return state.isCancelled
        }
        switch result.reason {
        case .stopToken, .constraintComplete: return false
        case .maxTokens, .contextFull: return true
        case .failed(let error): throw error
        case .cancelled:
            guard isCancelled else { throw EngineError.unloaded }
            return false
        }
    }

    private func take(_ token: TokenID) {
        let piece = state.withLock { state in
            guard !state.isCancelled else { return "" }
            state.window.append(token)
            state.figures.tokenCount += 1
            return state.detokenizer.append(token)
        }
        if !piece.isEmpty { text.yield(piece) }
    }
}

/// The counts of a live transcription.
struct LiveFigures: Sendable, Equatable {
    /// Vectors of sound that the model has read.
    var vectorCount = 0
    /// Tokens of text that it has written.
    var tokenCount = 0
}
