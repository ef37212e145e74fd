import LeapCompute
import LeapModel

/// What lives on an engine's thread: the sequences, the generations in progress, and the loop that computes them together.
///
/// Each step runs one batch through the model: the next token of every session that is generating, and a piece of one or more
/// prompts. The weights are read once for all of them.
final class EngineCore {
    var model: Model?
    /// What computes the model's steps.
    var executor: (any Executor)?
    var draftModel: (any Drafter)?
    /// What reads pictures, sound or speech; nil where nothing does.
    var encoder: PromptEncoder?
    /// What speaks; nil where nothing does.
    var speech: (any SpeechExecutor)?
    var cache: PrefixCache?
    var store: PrefixStore?
    var sessions: SessionSlots
    /// What is computed.
    var active: [ActiveGeneration] = []
    /// Texts that are read, besides what is generated.
    var readings: ScoringQueue
    /// What waits for its prefix from disk, by session.
    var loading: [UInt64: WaitingGeneration] = [:]
    /// What waits for a beginning that another generation computes, in the order in which it came.
    var followers: [Follower] = []
    /// What waits until fewer generations run, in the order in which it came.
    var queue: [WaitingGeneration] = []
    /// Takes what other threads have for this one.
    let mailbox: Mailbox
    /// Makes the pages of sequences.
    let stateMemory: any StateMemory
    /// Where pages and scratch buffers come from.
    let memory: MemoryPool
    let counters: EngineCounters
    let contextSize: Int
    let maxActive: Int
    let maxQueued: Int
    var budget: StepBudget
    /// The time by which steps are measured.
    var now: () -> ContinuousClock.Instant = { .now }
    /// Rotates over the prompts in progress, so that each gets its turn.
    var turn = 0

    /// Prepares for a model; what other threads have for the core comes through `mailbox`, and what a log should say goes to `onNotice`.
    init(
        model: Model, draft: (any DraftSource)? = nil, encoder: (any MediaEncoder)? = nil, speech: SpeechDecoder? = nil,
        options: EngineOptions, device: any Device, contextSize: Int, mailbox: Mailbox,
        onNotice: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(EngineError) {
        self.model = model
        self.mailbox = mailbox
        self.contextSize = contextSize
        maxActive = options.maxActiveGenerations
        maxQueued = options.maxQueuedGenerations
        budget = StepBudget(limit: options.prefillChunk, sharedTarget: options.sharedStepSeconds)
        memory = MemoryPool(limit: options.maxMemory ?? .max)
        counters = EngineCounters(memory: memory)
        let executor = try device.makeExecutor(
            for: model, keyValueType: model.layers.stack.isCausal ? options.keyValueType : .f32,
            contextSize: contextSize, memory: memory)
        self.executor = executor
        stateMemory = executor.memory
        readings = ScoringQueue(maxTokens: options.prefillChunk)
        sessions = SessionSlots(executor: executor, contextSize: contextSize)
        if let draft {
            draftModel = try DraftSources.makeDrafter(
                draft, for: model, device: device, contextSize: contextSize, options: options, memory: memory)
        }
        try encoder?.validate(for: model)
        try speech?.validate(for: model)
        if let speech { self.speech = try device.makeSpeechExecutor(for: speech, memory: memory) }
        if encoder != nil || speech != nil {
            self.encoder = try PromptEncoder(encoder, speech: self.speech, device: device, memory: memory)
        }
        if options.prefixCacheBytes > 0 {
            cache = PrefixCache(
                memory: stateMemory, maxBytes: options.prefixCacheBytes, maxEntries: options.prefixCacheEntries)
        }
        if let folder = options.prefixCacheFolder {
            store = PrefixStore(
                folder: folder, model: model, memory: stateMemory, contextSize: contextSize,
                maxEntries: options.prefixCacheDiskEntries, onNotice: onNotice,
                onChange: { [counters] in counters.noteDiskCache(byteCount: $0, evictions: $1) })
        }
    }

    /// Whether there is something to compute.
    var hasWork: Bool { active.contains { !$0.waitsForMedia } || !readings.isEmpty }

    /// Whether a generation waits for its prefix from disk, or for a picture that is read: both come through the mailbox.
    var isWaiting: Bool { !loading.isEmpty || active.contains(where: \.waitsForMedia) }

    /// Whether the model is gone.
    var isUnloaded: Bool { model == nil }

    // MARK: Commands

    /// Cuts a session's sequence.
    func truncate(_ session: Session, to count: Int) throws(EngineError) -> Int {
        guard !isUnloaded else { throw .unloaded }
        let slot = sessions.use(session)
        guard !slot.isBusy else { throw .busy }
        let kept = slot.state.truncate(to: count)
        session.update(tokenCount: kept)
        return kept
    }

    /// Forgets a session.
    func release(_ id: UInt64) { sessions.remove(id) }

    /// Ends everything and frees the model, the pages and the threads.
    func unload() {
        for generation in active { generation.finish(.cancelled) }
        for generation in Array(loading.values) + followers.map(\.generation) + queue {
            generation.end(.cancelledBeforeStart)
        }
        readings.finish(throwing: .unloaded)
        active.removeAll()
        loading.removeAll()
        followers.removeAll()
        queue.removeAll()
        noteWaiting()
        sessions.removeAll()
        cache?.removeAll()
        noteCache()
        cache = nil
        flush()
        store = nil
        executor = nil
        draftModel = nil
        encoder = nil
        speech = nil
        model = nil
    }

    /// Waits until everything that is kept is on disk.
    func flush() { store?.flush() }

    // MARK: Steps

    /// Computes one batch.
    ///
    /// - Parameter shouldStop: asked between layers, besides the generations themselves.
    func step(shouldStop: () -> Bool) {
        for generation in active where generation.task.isCancelled { generation.finish(.cancelled) }
        removeFinished()
        endCancelledInQueue()
        releaseFollowers()
        admitWaiting()
        defer { stepReadings(shouldStop: shouldStop) }
        guard let executor, !active.isEmpty else { return }
        proposeDrafts(shouldStop)
        computeStep(executor, shouldStop: shouldStop)
        removeFinished()
        releaseFollowers()
        admitWaiting()
    }

    private func removeFinished() {
        active.removeAll { generation in
            guard generation.task.isFinished else { return false }
            let slot = sessions.use(generation.session)
            slot.isBusy = false
            slot.isActive = false
            slot.state.releaseReserve()
            keep(generation.state, isOver: true)
            draftModel?.end(generation)
            return true
        }
    }

    /// Tells other threads what the cache in memory keeps.
    func noteCache() {
        if let cache { counters.noteCache(byteCount: cache.byteCount, evictions: cache.evictionCount) }
    }

    /// Keeps what a session has computed for other sessions, and other runs of the program.
    ///
    /// - Parameter isOver: whether the generation is at its end: what it has beyond its last full page goes to disk only then, as the
    ///   page grows until then.
    func keep(_ state: SequenceState, isOver: Bool) {
        guard state.count > 0, cache != nil || store != nil else { return }
        // Of a prompt the places are enough that later prompts are likely to part from it at; a copy of a recurrent state is large.
        let shared = isOver || !stateMemory.isRecurrent ? state.shared() : state.shared(upTo: state.count)
        let adapters = state.adapterKey
        cache?.insert(shared, of: state.tokens, adapters: adapters)
        noteCache()
        let kept = isOver ? shared : shared.fullPages.continuable(isRecurrent: stateMemory.isRecurrent)
        if kept.count > 0 { store?.insert(kept, of: state.tokens, adapters: adapters) }
    }
}
