import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The parts of a scheduler over an executor that follows a script: no model, no file.
struct PartsFixture {
    static let vocabularySize = 500

    let pool: MemoryPool
    let counters: EngineCounters
    let executor: ScriptedExecutor
    let sessions: SessionSlots
    let active = ActiveGenerations()
    let prefixes: KeptPrefixes
    private let mailbox = Mailbox()

    init(memory limit: Int = .max, cacheBytes: Int = 0) {
        pool = MemoryPool(limit: limit)
        counters = EngineCounters(memory: pool)
        executor = ScriptedExecutor(vocabularySize: Self.vocabularySize, pool: pool, isRecurrent: false)
        sessions = SessionSlots(executor: executor, contextSize: 1024)
        prefixes = KeptPrefixes(
            cache: cacheBytes > 0 ? PrefixCache(memory: executor.memory, maxBytes: cacheBytes) : nil, store: nil,
            isRecurrent: false, counters: counters)
    }

    /// A request for a prompt of consecutive tokens.
    static func request(_ count: Int, from first: TokenID = 100, maxTokens: Int = 4) -> GenerationRequest {
        GenerationRequest(
            prompt: (0..<count).map { first + TokenID($0 % 300) }, sampling: .greedy, maxTokens: maxTokens)
    }

    func session(_ id: UInt64) -> Session { Session(id: id, mailbox: mailbox) }

    func waiting(
        _ request: GenerationRequest = request(5), session: Session? = nil,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void = { _ in }
    ) -> WaitingGeneration {
        WaitingGeneration(
            request: request, task: GenerationTask(), session: session ?? self.session(1), startTime: .now,
            onEvent: onEvent)
    }

    /// A generation that runs in the sequence of its session.
    func generation(
        _ waiting: WaitingGeneration, draft: DraftSequence? = nil
    ) -> ActiveGeneration {
        ActiveGeneration(
            waiting, state: sessions.use(waiting.session).state,
            vocabulary: OutputVocabulary(size: Self.vocabularySize), draft: draft, contextSize: 1024,
            counters: counters)
    }

    func reclaimer(_ holders: [any ReclaimableMemory] = []) -> MemoryReclaimer {
        MemoryReclaimer(pool, scratch: StepScratch(executor), holders)
    }

    /// Computes the rest of a generation's prompt, and its first token.
    func computePrompt(of generation: ActiveGeneration) throws {
        let segment = generation.nextSegment(budget: 1024)
        let outputs = try #require(try executor.run([segment]) { true })
        #expect(generation.advance())
        generation.draw(from: outputs[0])
    }
}
