import LeapBase
import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

/// Answers by scores at a mask for each option, with a model that was trained for it.
struct MaskReader: QuestionReader {
    private let type: DecisionModelType
    private let layout: MaskLayout
    private let tokenizer: Tokenizer
    /// The maximum number of tokens of a prompt.
    private let limit: Int
    /// The readers of pictures and sounds, where the type takes some.
    private let mediaReaders: [any MediaReader]
    /// The last state and what prompts have of it: the questions of a request are about one.
    private let read = Locked<ReadState?>(nil)

    private struct ReadState: Sendable {
        let state: DecisionState
        let tokens: [TokenID]
        let media: DecisionMedia?
    }

    var capabilities: DecisionCapabilities {
        DecisionCapabilities(
            reading: .trained, type: type.rawValue, maximumChoiceOptions: DecisionLabels.maximumCount,
            readsPictures: mediaReaders.contains { $0.medium == .image },
            readsSounds: mediaReaders.contains { $0.medium == .audio })
    }

    /// Every position sees the whole prompt: nothing is shared.
    var sharesState: Bool { false }

    /// - Parameters:
    ///   - limit: the maximum number of tokens of a prompt.
    ///   - mediaReaders: what reads the model's pictures and sounds.
    /// - Returns: nil for types without masks.
    init?(_ method: DecisionMethod, tokenizer: Tokenizer, limit: Int, mediaReaders: [any MediaReader]) {
        guard let layout = method.layout else { return nil }
        type = method.type
        self.layout = layout
        self.tokenizer = tokenizer
        self.limit = limit
        self.mediaReaders = method.type.readsMedia ? mediaReaders : []
    }

    func prompts(for asked: AskedQuestion) throws -> [DecisionPrompt] {
        let state = try self.state(asked.state)
        let written = try MaskPrompt(
            asked.question, stateTokens: state.tokens, layout: layout, tokenizer: tokenizer, limit: limit,
            media: state.media)
        // The engine gives scores in the order of the text.
        let places = written.masks.sorted()
        let order = written.masks.map { mask in places.firstIndex(of: mask) ?? 0 }
        var prompt = DecisionPrompt(tokens: written.tokens) { result, temperature in
            guard case .scores(let scores) = result, scores.count == order.count else { return nil }
            return DecisionPrompt.Outcome(
                DecisionMath.softmax(order.map { Double(scores[$0]) }, temperature: temperature))
        }
        prompt.purpose = .options(at: places, type: MaskPrompt.type(of: asked.question.kind))
        prompt.cuts = written.cuts
        prompt.media = state.media?.inputs ?? []
        return [prompt]
    }

    /// The tokens and media of a state, made once for all questions about it.
    private func state(_ state: DecisionState) throws -> ReadState {
        if let known = read.withLock({ $0 }), known.state == state { return known }
        let media = try DecisionMedia(state, readers: mediaReaders)
        // The engine's thread would make a sound's spectrum otherwise, and others would wait for it.
        if media?.medium == .audio { for part in media?.parts ?? [] { _ = try part.content() } }
        let found = ReadState(
            state: state, tokens: try MaskPrompt.tokens(ofState: state.value, layout: layout, tokenizer: tokenizer),
            media: media)
        read.withLock { $0 = found }
        return found
    }
}
