// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol DecisionModel: Sendable {
    var modelID: String { get }
    var capabilities: DecisionCapabilities { get }
    func makeExecutor() -> any DecisionModelExecutor
}

public protocol DecisionModelExecutor: Sendable {
    func prewarm(for state: DecisionState) async throws
    func decide(_ questions: [Question], about state: DecisionState) async throws -> DecisionSession.Response
}

extension DecisionModelExecutor {
    public func prewarm(for state: DecisionState) async throws {}
}

public struct DecisionCapabilities: Hashable, Sendable {
    public var maximumChoiceOptions: Int?
    public var maximumScoreLevels: Int?

    public init(maximumChoiceOptions: Int? = nil, maximumScoreLevels: Int? = nil) {
        self.maximumChoiceOptions = maximumChoiceOptions
        self.maximumScoreLevels = maximumScoreLevels
    }

    func check(_ question: Question, _ index: Int) throws {
        let (count, limit) =
            switch question {
            case .binary: (0, nil as Int?)
            case .choice(_, let options): (options.count, maximumChoiceOptions)
            case .score(_, let levels): (levels.count, maximumScoreLevels)
            }
        guard let limit, count > limit else { return }
        throw DecisionError.unsupportedQuestion(index: index, reason: "\(count) of at most \(limit)")
    }
}

public enum DecisionError: Error, Hashable, Sendable {
    case invalidQuestion(index: Int, reason: String)
    case unsupportedQuestion(index: Int, reason: String)
    case missingCredentials
    case requestFailed(statusCode: Int, detail: String, headers: [String: String])
    case invalidResponse(String)
    case modelUnavailable(String)
}
