import LeapCompute
import LeapModel

/// Which generations run, and which wait.
///
/// Those that came first begin first. A generation that was admitted may still wait for its prefix, from disk or from another generation that
/// computes it, beside the steps of the others.
extension EngineCore {
    /// Begins a generation, or lets it wait; what is wrong with it is reported as its end.
    func start(
        _ request: GenerationRequest, task: GenerationTask, session: Session,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) {
        let generation = WaitingGeneration(
            request: request, task: task, session: session, startTime: .now, onEvent: onEvent)
        do throws(EngineError) {
            guard let model else { throw .unloaded }
            guard !task.isCancelled else { throw .cancelledBeforeStart }
            let slot = sessions.use(session)
            guard !slot.isBusy else { throw .busy }
            try request.validate(for: model, contextSize: contextSize, encoder: encoder?.encoder, speaks: speech != nil)
            guard request.speculation != .draft || draftModel != nil else { throw .noDraftModel }
            endCancelledInQueue()
            guard hasRoom || queue.count < maxQueued else {
                counters.refuse()
                throw .queueFull(active: maxActive, queued: maxQueued)
            }
            slot.isBusy = true
            queue.append(generation)
            admitWaiting()
        } catch {
            generation.end(error)
        }
    }

    /// Whether one more generation may run, and none waits for that.
    private var hasRoom: Bool { queue.isEmpty && admittedCount < maxActive }

    /// Generations that run, or wait for their prefix only.
    private var admittedCount: Int { active.count + loading.count + followers.count }

    /// Lets generations that wait begin, as many as may run.
    func admitWaiting() {
        while !queue.isEmpty, admittedCount < maxActive { admit(queue.removeFirst()) }
        noteWaiting()
    }

    /// Ends generations that were cancelled while they waited.
    func endCancelledInQueue() {
        let cancelled = queue.extract { $0.task.isCancelled }
        guard !cancelled.isEmpty else { return }
        for generation in cancelled { refuse(generation, .cancelledBeforeStart) }
        noteWaiting()
    }

    /// Tells other threads how many generations wait.
    func noteWaiting() { counters.setQueued(queue.count + loading.count + followers.count) }

    /// Reports a generation that waited and does not begin.
    private func refuse(_ generation: WaitingGeneration, _ error: EngineError) {
        sessions[generation.session.id]?.isBusy = false
        generation.end(error)
    }

    /// Begins a generation that has its turn, or lets it wait for its prefix.
    func admit(_ generation: WaitingGeneration) {
        let (prompt, id) = (generation.request.prompt, generation.session.id)
        guard !generation.task.isCancelled, let slot = sessions[id] else {
            return refuse(generation, .cancelledBeforeStart)
        }
        let adapters = generation.request.adapters
        slot.state.use(adapters)
        generation.session.update(tokenCount: slot.state.count)
        let own = slot.state.reusablePrefix(of: prompt, limit: prompt.count - 1)
        guard !follows(generation, own: own) else { return }
        let known = cache?.longestPrefix(of: prompt, limit: prompt.count - 1, adapters: adapters.key)
        if let store {
            loading[id] = generation
            load(generation, after: known ?? SharedState(), state: slot.state, from: store)
        } else {
            begin(generation, in: slot, known, from: .memory)
        }
    }

    /// Reads what the disk has of a prompt, beside the steps of the other sessions.
    private func load(
        _ generation: WaitingGeneration, after known: SharedState, state: SequenceState, from store: PrefixStore
    ) {
        let (prompt, id, task, mailbox) = (
            generation.request.prompt, generation.session.id, generation.task, mailbox
        )
        let limit = prompt.count - 1
        let (known, knownCount) = (known, known.count)
        store.load(
            prompt, limit: limit, after: known,
            minimum: max(knownCount, state.reusablePrefix(of: prompt, limit: limit)),
            adapters: generation.request.adapters.key, isCancelled: { task.isCancelled },
            then: { prefix in
                // Where no caller takes it any more, the engine was unloaded, and the generation was told so then.
                _ = mailbox.post { $0.takeLoaded(prefix, after: knownCount, for: id) }
            })
    }

    /// Goes on with a generation whose prefix was read.
    ///
    /// - Parameter knownCount: how many tokens of it were kept in memory.
    private func takeLoaded(_ prefix: SharedPrefix, after knownCount: Int, for id: UInt64) {
        guard let generation = loading.removeValue(forKey: id), let slot = sessions[id] else { return }
        defer { admitWaiting() }
        guard !generation.task.isCancelled else { return refuse(generation, .cancelledBeforeStart) }
        let (prompt, loaded) = (generation.request.prompt, prefix.match)
        let adapters = generation.request.adapters.key
        cache?.insert(loaded, of: prompt, adapters: adapters)
        let known = cache?.longestPrefix(of: prompt, limit: prompt.count - 1, adapters: adapters)
        if let known, known.count > loaded.count {
            begin(generation, in: slot, known, from: .memory)
        } else {
            begin(generation, in: slot, loaded, from: loaded.count > knownCount ? .disk : .memory)
        }
    }

    /// Begins to compute, from what the state holds of the prompt or from a prefix that is known otherwise.
    ///
    /// The last token is always left: its logits are what the generation starts from. The memory of the whole prompt is taken before any of
    /// it is computed, so that a prompt which does not fit is refused at once, and none runs out half-way because of one that came later.
    private func begin(
        _ generation: WaitingGeneration, in slot: SessionSlots.Slot, _ known: SharedState?,
        from place: PrefixPlace
    ) {
        slot.isActive = true
        do throws(EngineError) {
            guard let model else { throw .unloaded }
            let prompt = generation.request.prompt
            let own = slot.state.reusablePrefix(of: prompt, limit: prompt.count - 1)
            if let known, known.count > own {
                slot.state.truncate(to: 0)
                try makingRoom(rows: active.count + 1) { () throws(EngineError) in
                    try slot.state.adopt(known, of: prompt)
                }
            } else {
                slot.state.truncate(to: own)
            }
            slot.state.planCheckpoints(promptCount: prompt.count)
            try reservePrompt(prompt.count, in: slot.state)
            if cache != nil || store != nil {
                let isKept = (known?.count ?? 0) > own
                counters.noteBeginning(isKept ? place : own > 0 ? .session : .nowhere)
            }
            active.append(
                ActiveGeneration(
                    generation.request, task: generation.task, session: generation.session, state: slot.state,
                    model: model, draft: draft(for: generation, in: slot), speech: try speech(for: generation.request),
                    contextSize: contextSize, counters: counters,
                    startTime: generation.startTime,
                    onEvent: generation.onEvent))
        } catch {
            slot.isActive = false
            generation.session.update(tokenCount: slot.state.count)
            refuse(generation, error)
        }
    }
}
