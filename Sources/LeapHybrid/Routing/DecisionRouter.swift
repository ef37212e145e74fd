import LeapBase
public import LeapCore

/// Chooses what handles a message by a decision: a runner, a side, a function, a prompt, or any other value.
///
/// ```swift
/// let router = DecisionRouter(
///     decider, "Who should answer?",
///     branches: [
///         .init("translation", description: "a text is to be translated", translator),
///         .init("chat", description: "anything else", assistant),
///     ])
/// let chosen = try await router.route("How do you say 'good morning' in Portuguese?")
/// chosen.value  // translator
/// ```
public struct DecisionRouter<Value: Sendable>: Sendable {
    /// A value that can be chosen.
    public struct Branch: Sendable {
        /// The name, which is the option of the question.
        public let name: String
        /// The messages that it is for, written for the model; nil for none.
        public let description: String?
        /// The value.
        public let value: Value

        /// Creates a branch.
        public init(_ name: String, description: String? = nil, _ value: Value) {
            self.name = name
            self.description = description
            self.value = value
        }
    }

    /// The branch that was chosen.
    public struct Route: Sendable {
        /// The branch: the likeliest one, or that of ``DecisionRouter/otherwise``.
        public let branch: Branch
        /// The probabilities of all branches, in their order.
        public let answer: DecisionAnswer
        /// A Boolean value that indicates whether the confidence is at least ``DecisionRouter/minimumConfidence``.
        public let isConfident: Bool

        /// The value of the branch.
        public var value: Value { branch.value }
    }

    /// The runner that decides, which may be one of the values.
    public let decider: any ModelRunner
    /// The question that is asked about a message.
    public let question: Question
    /// The values that can be chosen, 1 to 255 with different names.
    public let branches: [Branch]
    /// The name of the branch for decisions without enough confidence; nil for the likeliest one.
    public let otherwise: String?
    /// The confidence that a decision needs, 0 to 1; see `DecisionAnswer.confidence`.
    public let minimumConfidence: Double
    /// Temperatures and the kind of reading.
    public let options: DecisionOptions

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - decider: the runner that decides.
    ///   - instructions: the question, such as "Who should answer?".
    ///   - branches: the values that can be chosen.
    ///   - otherwise: the name of the branch for decisions without enough confidence; nil for the likeliest one.
    ///   - minimumConfidence: the confidence that a decision needs, 0 to 1.
    ///   - options: temperatures and the kind of reading.
    public init(
        _ decider: any ModelRunner, _ instructions: String, branches: [Branch], otherwise: String? = nil,
        minimumConfidence: Double = 0, options: DecisionOptions = DecisionOptions()
    ) {
        self.decider = decider
        question = .choice(
            instructions, branches.map { Question.Option($0.name, description: $0.description) }, name: "route")
        self.branches = branches
        self.otherwise = otherwise
        self.minimumConfidence = minimumConfidence
        self.options = options
    }

    /// Creates a router whose branches are the cases of an enumeration; see `DescribedChoice`.
    ///
    /// - Parameters:
    ///   - decider: the runner that decides.
    ///   - instructions: the question.
    ///   - type: the enumeration.
    ///   - otherwise: the case for decisions without enough confidence; nil for the likeliest one.
    ///   - minimumConfidence: the confidence that a decision needs, 0 to 1.
    ///   - options: temperatures and the kind of reading.
    public init(
        _ decider: any ModelRunner, _ instructions: String, of type: Value.Type, otherwise: Value? = nil,
        minimumConfidence: Double = 0, options: DecisionOptions = DecisionOptions()
    ) where Value: CaseIterable {
        self.init(
            decider, instructions,
            branches: type.allCases.map { value in
                let option = Question.Option(case: value)
                return Branch(option.name, description: option.description, value)
            },
            otherwise: otherwise.map { Question.Option(case: $0).name }, minimumConfidence: minimumConfidence,
            options: options)
    }

    /// Chooses the branch for a text.
    ///
    /// - Throws: what `ModelRunner.decide(_:about:options:)` throws. `LeapDecisionException` if ``otherwise`` is no
    ///   branch or ``minimumConfidence`` is outside of 0 to 1.
    public func route(_ text: String) async throws -> Route { try await route(about: .text(text)) }

    /// Chooses the branch for a message by its text.
    ///
    /// - Throws: as ``route(about:)`` does.
    public func route(_ message: ChatMessage) async throws -> Route { try await route(message.text) }

    /// Chooses the branch for a state, such as the last messages of a conversation.
    ///
    /// - Throws: what `ModelRunner.decide(_:about:options:)` throws. `LeapDecisionException` if ``otherwise`` is no
    ///   branch or ``minimumConfidence`` is outside of 0 to 1.
    public func route(about state: DecisionState) async throws -> Route {
        guard (0...1).contains(minimumConfidence) else {
            throw LeapDecisionException(
                field: "minimumConfidence", "it is \(minimumConfidence); expected 0 to 1")
        }
        let fallback = branches.first { $0.name == otherwise }
        if let otherwise, fallback == nil {
            throw LeapDecisionException(
                field: "otherwise",
                "there is no branch \(ShownText.of(otherwise)), but \(branches.map(\.name).joined(separator: ", "))")
        }
        let decisions = try await decider.decide([question], about: state, options: options)
        guard let answer = decisions.first, branches.indices.contains(answer.index) else {
            throw LeapDecisionException(field: "route", "the runner \(decider.modelId) gave no answer")
        }
        let isConfident = answer.confidence >= minimumConfidence
        let branch = isConfident ? branches[answer.index] : fallback ?? branches[answer.index]
        return Route(branch: branch, answer: answer, isConfident: isConfident)
    }
}

extension DecisionRouter where Value == LeapFunction {
    /// Creates a router whose branches are functions, by their names and descriptions.
    public init(
        _ decider: any ModelRunner, _ instructions: String = "Which tool does the message need?",
        functions: [LeapFunction], minimumConfidence: Double = 0, options: DecisionOptions = DecisionOptions()
    ) {
        self.init(
            decider, instructions, branches: functions.map { Branch($0.name, description: $0.description, $0) },
            minimumConfidence: minimumConfidence, options: options)
    }
}

extension RoutingRule {
    /// Chooses the side by a decision about the last message.
    ///
    /// The next rule chooses if the decision has less confidence than ``DecisionRouter/minimumConfidence``, or if it
    /// fails, which the log says. The text of the message is what is decided about; the decider runs where its model is.
    ///
    /// - Parameters:
    ///   - router: a router of sides.
    ///   - name: a stable, short name for ``HybridRoute/reason``.
    public static func decision(_ router: DecisionRouter<ModelSide>, name: String = "decision") -> RoutingRule {
        RoutingRule(name) { request in
            guard let message = request.messages.last else { return nil }
            do {
                let route = try await router.route(message)
                return route.isConfident || router.otherwise != nil ? route.value : nil
            } catch {
                if !(error is CancellationError) {
                    PrintableLogger(label: "open-leap").notice("no side was decided: \(error)")
                }
                return nil
            }
        }
    }
}
