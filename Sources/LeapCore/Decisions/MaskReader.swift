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
    /// The last state and its tokens: the questions of a request are about one.
    private let read = Locked<(state: DecisionState, tokens: [TokenID])?>(nil)

    var capabilities: DecisionCapabilities {
        DecisionCapabilities(
            reading: .trained, type: type.rawValue, maximumChoiceOptions: DecisionLabels.maximumCount)
    }

    /// Every position sees the whole prompt: nothing is shared.
    var sharesState: Bool { false }

    /// - Returns: nil for types without masks.
    init?(_ method: DecisionMethod, tokenizer: Tokenizer, limit: Int) {
        guard let layout = method.layout else { return nil }
        type = method.type
        self.layout = layout
        self.tokenizer = tokenizer
        self.limit = limit
    }

    func prompts(for asked: AskedQuestion) throws -> [DecisionPrompt] {
        guard asked.state.mediaCount == 0 else {
            throw LeapDecisionException(
                field: "state", "it has pictures or sounds, which models of the type \(type.rawValue) are not given yet"
            )
        }
        let written = try MaskPrompt(
            asked.question, stateTokens: stateTokens(asked.state), layout: layout, tokenizer: tokenizer, limit: limit)
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
        return [prompt]
    }

    /// The tokens of a state, made once for all questions about it.
    private func stateTokens(_ state: DecisionState) throws -> [TokenID] {
        if let known = read.withLock({ $0 }), known.state == state { return known.tokens }
        let tokens = try MaskPrompt.tokens(ofState: state.value, layout: layout, tokenizer: tokenizer)
        read.withLock { $0 = (state: state, tokens: tokens) }
        return tokens
    }
}
