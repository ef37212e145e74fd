#if LEAP_ANY_DECISION_MODEL || LEAP_DECISIONS_STUB
    #if LEAP_DECISIONS_STUB
        public import AnyDecisionModelStub
    #else
        public import AnyDecisionModel
    #endif
    // Both packages have types of the same names: only those that a signature needs are imported.
    public import struct LeapChat.DecisionOptions
    public import protocol LeapCore.ModelRunner

    /// A model of Open Leap for AnyDecisionModel's `DecisionSession`.
    ///
    /// ```text
    /// let runner = try await Leap.load(url: modelURL)
    /// let session = DecisionSession(model: LeapDecisionModel(runner), state: .text(mail))
    /// let urgent = try await session.probability(of: "Is this urgent?")
    /// ```
    /// Decision models and chat models answer. All sessions share the runner and what it keeps of their states.
    public struct LeapDecisionModel: DecisionModel {
        /// The model that answers.
        public let runner: any ModelRunner
        /// The temperatures, and the kind of reading.
        public let options: DecisionOptions

        /// Creates a backend from a loaded model.
        ///
        /// - Parameters:
        ///   - runner: a decision model, or a model that writes text.
        ///   - options: the temperatures, and the kind of reading.
        public init(_ runner: any ModelRunner, options: DecisionOptions = DecisionOptions()) {
            self.runner = runner
            self.options = options
        }

        /// The name of the model.
        public var modelID: String { runner.modelId }

        /// The maximum numbers of options and levels; without limits for a model that answers no questions, which
        /// requests report.
        public var capabilities: DecisionCapabilities {
            let limits = DecisionBridge.limits(of: runner, options)
            return DecisionCapabilities(maximumChoiceOptions: limits?.options, maximumScoreLevels: limits?.levels)
        }

        /// Creates the executor of a session; it loads nothing.
        public func makeExecutor() -> any DecisionModelExecutor {
            LeapDecisionModelExecutor(runner: runner, options: options)
        }
    }
#endif
