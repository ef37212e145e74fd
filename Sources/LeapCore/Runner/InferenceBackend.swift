package import Foundation
package import LeapEngine
package import LeapModel

/// A backend that computes: the engine, or a double of it in tests.
package protocol InferenceBackend: Sendable {
    associatedtype Session: InferenceSession

    /// The tokens a prompt and its reply may have together.
    var contextSize: Int { get }
    /// True if ``unload()`` was called.
    var isUnloaded: Bool { get }

    /// The figures of all that was computed so far.
    var statistics: EngineStatistics { get }

    /// The format in which the state of sessions is written to files; nil where it is not written.
    var sequenceFormat: SequenceFormat? { get }

    /// True if prompts may hold pieces of a sound whose encoder keeps a state from piece to piece.
    var readsSoundPieces: Bool { get }

    /// True if generations go on from where they were interrupted; see ``GenerationRequest/resumption``.
    var resumesReplies: Bool { get }

    /// A new session without state.
    func makeSession() -> Session

    /// The abilities of the model to score texts; nil where the backend scores none, or is unloaded.
    var textModel: TextModel? { get }

    /// Scores texts: how likely their tokens are, what vectors stand for them, or what scores they have; one result for
    /// each.
    func score(_ requests: [ScoringRequest]) async throws -> [ScoringResult]

    /// Has the model in memory until the returned value is released; nil for backends that always have it there.
    ///
    /// - Throws: an error if the model was released and cannot be loaded again, or was unloaded.
    func use() async throws -> BackendUse?

    /// Gives parts of the memory back that nothing uses.
    ///
    /// - Parameters:
    ///   - parts: the parts.
    ///   - stateFolder: the folder for the state of sessions; nil to keep it nowhere.
    func giveBack(_ parts: Set<MemoryPart>, stateFolder: URL?) async -> MemoryGivenBack

    /// Takes the pace from a source, from the next pass on.
    ///
    /// - Throws: ``EngineError`` with code `unsupportedTask` where something else sets the pace.
    func setPace(_ source: (any PaceSource)?) throws

    /// Cancels what runs and frees the model.
    func unload() async
}

/// The state that a backend keeps for one sequence of tokens; freed when it is released.
package protocol InferenceSession: AnyObject, Sendable {
    associatedtype Generation: RunningGeneration

    /// Generates; events come on another thread, one `.finished` as the last of them.
    func generate(
        _ planned: PlannedRequest, onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> Generation

    /// Generates as ``generate(_:onEvent:)`` does, and calls `onAccepted` when the request was checked and runs or
    /// waits for its turn.
    ///
    /// Where the request was refused, `onEvent` was called with the refusal before.
    func generate(
        _ planned: PlannedRequest, onAccepted: @escaping @Sendable () -> Void,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> Generation

    /// Reads the state that was given back, if it is on disk.
    func prepare() async

    /// The state as it is now; nil where there is none.
    func snapshot() async throws -> SequenceSnapshot?

    /// Takes up a state in place of what the session holds.
    func restore(_ snapshot: SequenceSnapshot) async throws
}

extension InferenceBackend {
    package var sequenceFormat: SequenceFormat? { nil }
    package var readsSoundPieces: Bool { false }
    package var resumesReplies: Bool { false }
    package func use() async throws -> BackendUse? { nil }
    package func giveBack(_ parts: Set<MemoryPart>, stateFolder: URL?) async -> MemoryGivenBack { MemoryGivenBack() }
}

extension InferenceSession {
    /// For backends that check a request at once.
    package func generate(
        _ planned: PlannedRequest, onAccepted: @escaping @Sendable () -> Void,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> Generation {
        let generation = generate(planned, onEvent: onEvent)
        onAccepted()
        return generation
    }

    package func prepare() async {}
    package func snapshot() async throws -> SequenceSnapshot? { nil }
    package func restore(_ snapshot: SequenceSnapshot) async throws {}
}

/// A generation that a backend runs.
package protocol RunningGeneration: AnyObject, Sendable {
    /// The tokens it has worked on so far, exact at any time; once it has ended, the figures of its result.
    var progress: GenerationProgress { get }

    /// The likelihoods of its tokens so far, where the request asks for them.
    var likelihoods: [TokenLikelihood] { get }

    /// The times at which the generation was handed over and at which it began; nil where nobody knows.
    var times: GenerationTimes? { get }

    /// Ends it within one token, or within one layer of a piece of the prompt.
    func cancel()

    /// Ends the reply's thoughts within one token, where it is thinking.
    func endReasoning()
}

/// The abilities of a model that reads texts: writing, embedding, ranking.
package struct TextModel: Sendable {
    /// True if it writes text too.
    package var generatesText: Bool
    /// The method by which the vectors of a text become one, as the file says; nil where it says nothing.
    package var pooling: Pooling?
    /// The method by which it ranks texts; nil where it is not made for that.
    package var ranking: RankingMethod?
    /// True if texts are compared by a vector of each of their tokens (late interaction).
    package var comparesTokens: Bool
    /// The method by which it answers questions; nil where it is no decision model.
    package var decision: DecisionMethod?
    /// The tokens that a context can have at most, whatever is asked for; nil where that is not known.
    package var contextLimit: Int?

    package init(
        generatesText: Bool, pooling: Pooling?, ranking: RankingMethod? = nil, comparesTokens: Bool = false,
        decision: DecisionMethod? = nil, contextLimit: Int? = nil
    ) {
        self.generatesText = generatesText
        self.pooling = pooling
        self.ranking = ranking
        self.comparesTokens = comparesTokens
        self.decision = decision
        self.contextLimit = contextLimit
    }
}

extension InferenceBackend {
    /// The text model of doubles that only generate: nil.
    package var textModel: TextModel? { nil }

    /// Refused, for doubles that only generate.
    package func score(_ requests: [ScoringRequest]) async throws -> [ScoringResult] {
        throw EngineError(.unsupportedTask, "\(type(of: self)) reads no texts")
    }
}

extension InferenceBackend {
    /// Refused, for backends whose pace another process sets.
    package func setPace(_ source: (any PaceSource)?) throws {
        throw EngineError(
            .unsupportedTask,
            "another process computes and sets the pace: load the model in this process to set a policy")
    }
}

extension RunningGeneration {
    /// The likelihoods of doubles that know none: an empty array.
    package var likelihoods: [TokenLikelihood] { [] }

    /// Unknown, for doubles and other processes' generations.
    package var times: GenerationTimes? { nil }

    /// Nothing, for doubles.
    package func endReasoning() {}
}

extension Engine: InferenceBackend {
    package var readsSoundPieces: Bool { true }
    package var resumesReplies: Bool { true }

    /// The abilities of the model to read texts; nil once it is unloaded.
    package var textModel: TextModel? {
        model.map {
            TextModel(
                generatesText: $0.generatesText, pooling: $0.pooling, ranking: $0.ranking,
                comparesTokens: $0.comparesTokens, decision: $0.decision, contextLimit: $0.contextLimit)
        }
    }
}

extension Session: InferenceSession {
    package func generate(
        _ planned: PlannedRequest, onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> GenerationTask {
        generate(planned.request, onEvent: onEvent)
    }

    package func generate(
        _ planned: PlannedRequest, onAccepted: @escaping @Sendable () -> Void,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> GenerationTask {
        generate(planned.request, onAccepted: onAccepted, onEvent: onEvent)
    }
}
extension GenerationTask: RunningGeneration {}
