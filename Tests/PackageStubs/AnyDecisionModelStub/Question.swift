// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

public enum DecisionState: Hashable, Sendable, ExpressibleByStringLiteral {
    case text(String)
    case json(JSONValue)

    public init(stringLiteral value: String) { self = .text(value) }
}

public struct BinaryCriteria: Hashable, Sendable {
    public var whenTrue: String
    public var whenFalse: String

    public init(whenTrue: String, whenFalse: String) {
        self.whenTrue = whenTrue
        self.whenFalse = whenFalse
    }
}

public struct ChoiceOption: Hashable, Sendable {
    public var name: String
    public var description: String?

    public init(_ name: String, description: String? = nil) {
        self.name = name
        self.description = description
    }
}

public enum Question: Hashable, Sendable {
    case binary(instructions: String, criteria: BinaryCriteria? = nil)
    case choice(instructions: String, options: [ChoiceOption])
    case score(instructions: String, levels: [String])

    func check(_ index: Int) throws {
        let problem: String?
        switch self {
        case .binary(let instructions, _): problem = instructions.isEmpty ? "no instructions" : nil
        case .choice(let instructions, let options):
            let names = Set(options.map(\.name))
            problem = instructions.isEmpty || names.isEmpty || names.count < options.count ? "its options" : nil
        case .score(let instructions, let levels):
            problem = instructions.isEmpty || levels.count < 2 ? "its levels" : nil
        }
        if let problem { throw DecisionError.invalidQuestion(index: index, reason: problem) }
    }
}

public enum Answer: Hashable, Sendable {
    case binary(probability: Double)
    case choice(name: String, probabilities: [String: Double], confidence: Double)
    case score(value: Double, probabilities: [Double], legend: [String]? = nil, confidence: Double)

    /// The published session refuses answers that are not probabilities of the question's options.
    func check(_ question: Question) throws {
        func isShare(_ value: Double) -> Bool { value.isFinite && (-0.01...1.01).contains(value) }
        func isWhole(_ values: [Double]) -> Bool {
            values.allSatisfy(isShare) && abs(values.reduce(0, +) - 1) <= 0.01
        }
        let isGood =
            switch (question, self) {
            case (.binary, .binary(let probability)): isShare(probability)
            case (.choice(_, let options), .choice(let name, let probabilities, let confidence)):
                Set(probabilities.keys) == Set(options.map(\.name)) && probabilities[name] != nil
                    && isWhole(Array(probabilities.values)) && isShare(confidence)
            case (.score(_, let levels), .score(let value, let probabilities, _, let confidence)):
                probabilities.count == levels.count && isWhole(probabilities) && isShare(confidence)
                    && (-0.01...Double(levels.count - 1) + 0.01).contains(value)
            default: false
            }
        guard isGood else { throw DecisionError.invalidResponse("\(self) is no answer to \(question)") }
    }
}
