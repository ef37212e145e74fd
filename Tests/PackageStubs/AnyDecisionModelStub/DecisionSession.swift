// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public final class DecisionSession: Sendable {
    public let model: any DecisionModel
    public let state: DecisionState
    private let executor: any DecisionModelExecutor

    public init(model: any DecisionModel, state: DecisionState) {
        self.model = model
        self.state = state
        executor = model.makeExecutor()
    }

    public func prewarm() async throws { try await executor.prewarm(for: state) }

    public func decide(_ questions: [Question]) async throws -> Response {
        for (index, question) in questions.enumerated() {
            try question.check(index)
            try model.capabilities.check(question, index)
        }
        guard !questions.isEmpty else { return Response(modelID: model.modelID, answers: []) }
        try Task.checkCancellation()
        let response = try await executor.decide(questions, about: state)
        guard response.answers.count == questions.count,
            response.diagnostics.isEmpty || response.diagnostics.count == questions.count
        else { throw DecisionError.invalidResponse("\(response.answers.count) answers") }
        for (question, answer) in zip(questions, response.answers) { try answer.check(question) }
        return response
    }

    public func probability(of instructions: String, criteria: BinaryCriteria? = nil) async throws -> Double {
        let response = try await decide([.binary(instructions: instructions, criteria: criteria)])
        guard case .binary(let probability) = response.answers[0] else {
            throw DecisionError.invalidResponse("expected a binary answer")
        }
        return probability
    }

    public struct Response: Hashable, Sendable {
        public var modelID: String
        public var answers: [Answer]
        public var usage: Usage
        public var diagnostics: [Diagnostics]

        public init(modelID: String, answers: [Answer], usage: Usage = Usage(), diagnostics: [Diagnostics] = []) {
            self.modelID = modelID
            self.answers = answers
            self.usage = usage
            self.diagnostics = diagnostics
        }
    }

    public struct Usage: Hashable, Sendable {
        public var inputTokenCount: Int
        public var outputTokenCount: Int

        public init(inputTokenCount: Int = 0, outputTokenCount: Int = 0) {
            self.inputTokenCount = inputTokenCount
            self.outputTokenCount = outputTokenCount
        }
    }

    public struct Diagnostics: Hashable, Sendable {
        public var allowedAnswerMass: Double
        public var cachedTokenCount: Int
        public var evaluatedTokenCount: Int

        public init(allowedAnswerMass: Double, cachedTokenCount: Int, evaluatedTokenCount: Int) {
            self.allowedAnswerMass = allowedAnswerMass
            self.cachedTokenCount = cachedTokenCount
            self.evaluatedTokenCount = evaluatedTokenCount
        }
    }
}
