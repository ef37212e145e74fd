import LeapBase
import LeapCompute
import LeapModel
import LeapTokenizer

/// The scheduler on an engine's thread: the parts that it is made of, the commands that come to it, and the order of a
/// step.
///
/// Each step runs one batch through the model: the next token of every session that is generating, and a piece of one
/// or more prompts. The weights are read once for all of them. Every part keeps its state to itself.
final class EngineCore {
    private var model: Model?
    private let contextSize: Int
    private let prefixes: KeptPrefixes
    private let media: MediaReading
    private let speech: FrameWriter
    private let reclaimer: MemoryReclaimer
    private var scoring: ScoringQueue
    private let mailbox: Mailbox
    /// The states of sessions.
    let sessions: SessionSlots
    /// The generations that run.
    let active = ActiveGenerations()
    /// The generations that wait.
    let admission: Admission
    /// The draft model.
    let drafting: Drafting
    /// Computes the steps of generations.
    let runner: BatchRunner
    /// The pool that pages and scratch buffers come from.
    let memory: MemoryPool
    /// Makes the pages of sequences.
    let stateMemory: any StateMemory
    let counters: EngineCounters
    /// The pace of steps.
    let pace: PaceKeeper
    /// Names what computes the vectors of pictures and sounds besides the processor; nil where nothing does.
    let encoderArithmetic: String?
    /// True if the model's layers that predict further tokens propose some.
    let usesDraftLayers: Bool
    /// True if there are such layers, and the device does not run them: nothing is proposed then.
    private let hasIdleLayers: Bool

    /// Prepares for a model.
    ///
    /// - Parameters:
    ///   - mailbox: takes what other threads have for the core.
    ///   - threads: the number of threads that the device started.
    ///   - pace: has the source of the pace.
    ///   - now: the time by which steps are measured.
    ///   - onNotice: called with what a log should say.
    init(
        model: Model, draft: (any DraftSource)? = nil, encoders: [any MediaEncoder] = [], speech: SpeechDecoder? = nil,
        options: EngineOptions, device: any Device, contextSize: Int, mailbox: Mailbox,
        threads: Int = 1, pace: PaceSetting = PaceSetting(),
        now: @escaping () -> ContinuousClock.Instant = { .now },
        onNotice: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(EngineError) {
        self.model = model
        self.contextSize = contextSize
        self.mailbox = mailbox
        let memory = MemoryPool(limit: options.maxMemory ?? .max)
        let counters = EngineCounters(memory: memory)
        self.pace = PaceKeeper(pace, device: device, threads: threads, counters: counters, now: now)
        let layers = try DraftSources.layers(draft, of: model, options.draftLayers, onNotice: onNotice)
        let executor = try device.makeExecutor(
            for: model, draftLayers: layers, keyValueType: model.layers.stack.isCausal ? options.keyValueType : .f32,
            contextSize: contextSize, memory: memory)
        (self.memory, self.counters, stateMemory) = (memory, counters, executor.memory)
        let budget = StepBudget(
            limit: options.prefillChunk, policy: options.schedule, sharedTarget: options.sharedStepSeconds)
        scoring = ScoringQueue(budget, now: now)
        sessions = SessionSlots(executor: executor, contextSize: contextSize)
        let drafter: (any Drafter)? =
            if let layers {
                executor.draftLayers.map {
                    LayerDraftModel(
                        $0, limit: options.draftLayers == .off ? DraftLength.limit : options.draftLayers.limit,
                        stepCost: layers.stepCost(beside: model), givenCost: options.draftCost)
                }
            } else if let draft {
                try DraftSources.makeDrafter(
                    draft, for: model, device: device, contextSize: contextSize, options: options, memory: memory)
            } else { nil }
        drafting = Drafting(drafter, sessions: sessions, memory: memory)
        usesDraftLayers = drafter is LayerDraftModel
        hasIdleLayers = layers != nil && drafter == nil
        for encoder in encoders { try encoder.validate(for: model) }
        try speech?.validate(for: model)
        let speaker =
            if let speech { try device.makeSpeechExecutor(for: speech, memory: memory) } else {
                nil as (any SpeechExecutor)?
            }
        self.speech = FrameWriter(speaker, active: active, pool: memory)
        let reader =
            encoders.isEmpty && speech == nil
            ? nil : try PromptEncoder(encoders, speech: speaker, device: device, memory: memory)
        encoderArithmetic = reader?.arithmetic
        // Where no command is taken any more, the engine was unloaded, and the generations were told so then.
        media = MediaReading(reader) { session in _ = mailbox.post { $0.active.noteMedia(of: session) } }
        prefixes = KeptPrefixes(
            options, model: model, memory: executor.memory, contextSize: contextSize, counters: counters,
            onNotice: onNotice)
        reclaimer = MemoryReclaimer(
            memory, scratch: StepScratch(executor), [media, self.speech, drafting, prefixes, sessions])
        admission = Admission(
            AdmissionQueue(maxActive: options.maxActiveGenerations, maxQueued: options.maxQueuedGenerations),
            GenerationMaker(
                vocabulary: OutputVocabulary(
                    size: model.vocabularySize, sampleable: model.sampleableTokens, suppressed: model.suppressedTokens),
                embeddingLength: model.embeddingLength, additionCount: model.layers.stack.additionCount,
                keepsImagesWhole: model.layers.stack.needsWholeImages, contextSize: contextSize, counters: counters,
                drafting: drafting, speech: self.speech),
            sessions: sessions, active: active, prefixes: prefixes, memory: reclaimer, counters: counters,
            whenLoaded: { prefix, knownCount, session in
                _ = mailbox.post { $0.admission.takeLoaded(prefix, after: knownCount, for: session) }
            })
        runner = BatchRunner(
            executor, BatchPlanner(budget), active: active, memory: reclaimer, media: media, drafting: drafting,
            speech: self.speech, prefixes: prefixes, now: now)
    }

    /// True if there is something to compute.
    var hasWork: Bool { active.hasWork || !scoring.isEmpty }

    /// True if a generation waits for its prefix from disk, or for a picture that is read: both come through the
    /// mailbox.
    var isWaiting: Bool { admission.isLoading || active.isWaiting }

    /// True if the model is gone.
    var isUnloaded: Bool { model == nil }

    // MARK: Commands

    /// Begins a generation, or lets it wait; what is wrong with it is reported as its end.
    func start(
        _ request: GenerationRequest, task: GenerationTask, session: Session,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) {
        let generation = WaitingGeneration(
            request: request, task: task, session: session, startTime: .now, onEvent: onEvent)
        do throws(EngineError) {
            let model = try loadedModel()
            guard !task.isCancelled else { throw .cancelledBeforeStart }
            let slot = sessions.use(session)
            guard !slot.isBusy else { throw .busy }
            try request.validate(
                for: model, contextSize: contextSize, encoders: media.encoders, speaks: speech.isAvailable)
            guard request.speculation != .draft || drafting.isAvailable || hasIdleLayers else { throw .noDraftModel }
            try admission.accept(generation, in: slot)
        } catch {
            generation.end(error)
        }
    }

    /// Begins to score texts; what is wrong with them is reported as their end.
    func score(_ group: ScoringGroup) {
        guard let model else { return group.finish(throwing: .unloaded) }
        let (mailbox, tokens) = (mailbox, group.sharedBeginning)
        let isLoading =
            !tokens.isEmpty
            && prefixes.load(beginning: tokens, isCancelled: { group.isCancelled }) { prefix in
                if !mailbox.post({ $0.score(group, after: prefix, of: tokens) }) { group.finish(throwing: .unloaded) }
            }
        if !isLoading { scoring.add(group, model: model, contextSize: contextSize) }
    }

    /// Begins to score texts whose beginning was read from disk.
    private func score(_ group: ScoringGroup, after prefix: SharedPrefix, of tokens: [TokenID]) {
        guard let model else { return group.finish(throwing: .unloaded) }
        prefixes.insert(prefix.match, of: tokens)
        scoring.add(group, model: model, contextSize: contextSize)
    }

    /// Cuts a session's sequence.
    func truncate(_ session: Session, to count: Int) throws(EngineError) -> Int {
        _ = try loadedModel()
        return try sessions.truncate(session, to: count)
    }

    /// Returns the state of a session that nothing is generated in; nil where it holds nothing.
    func snapshot(_ session: Session) throws(EngineError) -> SequenceSnapshot? {
        _ = try loadedModel()
        return try sessions.snapshot(session)
    }

    /// Lets a session go on from a state.
    func restore(_ snapshot: SequenceSnapshot, in session: Session) throws(EngineError) {
        _ = try loadedModel()
        try sessions.restore(snapshot, in: session, reclaimer, rows: max(1, active.count))
    }

    /// Forgets a session.
    func release(_ id: UInt64) { sessions.remove(id) }

    /// Gives up everything of some kinds that is not in use, and counts it.
    func giveBack(_ kinds: Set<MemoryKind>) -> [MemoryKind: Int] {
        let given = reclaimer.giveBack(kinds, rows: active.count)
        counters.noteGivenBack(given)
        return given
    }

    /// Waits until everything that is kept is on disk.
    func flush() { prefixes.flush() }

    /// Ends everything and frees the model, the pages and the threads.
    func unload() {
        active.endAll()
        admission.unload()
        scoring.finish(throwing: .unloaded)
        sessions.unload()
        prefixes.unload()
        runner.unload()
        pace.unload()
        reclaimer.unload()
        drafting.unload()
        media.unload()
        speech.unload()
        model = nil
    }

    private func loadedModel() throws(EngineError) -> Model {
        guard let model else { throw .unloaded }
        return model
    }

    // MARK: Steps

    /// Computes one batch.
    ///
    /// - Parameter shouldStop: asked between layers, besides the generations themselves.
    func step(shouldStop: () -> Bool) {
        pace.beginPass()
        // Behind all that the step computes.
        defer { pace.endPass() }
        active.endCancelled()
        removeFinished()
        admission.endCancelled()
        admission.releaseFollowers()
        admission.admitWaiting()
        defer { stepScoring(shouldStop) }
        guard !isUnloaded, !active.isEmpty else { return }
        runner.step(shouldStop)
        removeFinished()
        admission.releaseFollowers()
        admission.admitWaiting()
    }

    /// Lets go of generations that have ended, and keeps what they have computed.
    private func removeFinished() {
        for generation in active.removeFinished() {
            sessions.use(generation.session).end()
            generation.state.releaseReserve()
            if generation.request.sharesPrefix { prefixes.keep(generation.state, isOver: true) }
            drafting.end(generation)
        }
    }

    /// Computes one batch of texts that are scored, a small one while generations wait for their next token.
    private func stepScoring(_ shouldStop: () -> Bool) {
        guard let executor = runner.executor else { return }
        scoring.step(
            executor, encoder: media.reader, prefixes: prefixes, counters: counters, isShared: !active.isEmpty,
            makeRoom: { reclaimer.makeRoom(rows: $0) }, shouldStop: shouldStop)
    }
}
