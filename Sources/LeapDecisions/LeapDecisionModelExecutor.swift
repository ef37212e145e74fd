#if LEAP_ANY_DECISION_MODEL || LEAP_DECISIONS_STUB
    #if LEAP_DECISIONS_STUB
        public import AnyDecisionModelStub
    #else
        public import AnyDecisionModel
    #endif
    import struct LeapChat.DecisionOptions
    import protocol LeapCore.ModelRunner

    /// Answers the questions of a session with a ``LeapDecisionModel``.
    public struct LeapDecisionModelExecutor: DecisionModelExecutor {
        let runner: any ModelRunner
        let options: DecisionOptions

        /// Computes a state, so that the first question computes itself only.
        ///
        /// For models whose questions share nothing of a state (`laya`, `lfm2-d1-omni`), it does nothing.
        ///
        /// - Throws: as ``decide(_:about:)``.
        public func prewarm(for state: DecisionState) async throws {
            try await DecisionBridge.prewarm(runner, options, state)
        }

        /// Answers questions about a state, in their order; none depends on another one.
        ///
        /// The confidence of choices and scores is `1 - H(p) / ln n`, as AnyDecisionModel's own local models report it.
        /// Diagnostics are there for readouts of chat models. A decision model computes no other logits than those of
        /// the labels, so the share of these is not known.
        ///
        /// - Throws: `DecisionError`, or `CancellationError` if the task is cancelled.
        public func decide(
            _ questions: [Question], about state: DecisionState
        ) async throws -> DecisionSession.Response {
            try await DecisionBridge.decide(runner, options, questions, state)
        }
    }
#endif
