import LeapCompute
import LeapModel

/// Decides which generations run, and which wait.
///
/// Those that came first begin first. A generation that has its turn may still wait for its prefix, from disk or from
/// another generation that computes it, beside the steps of the others.
final class Admission {
    /// Called on another thread when what the disk has of a session's prompt was read; `knownCount` tokens of it were
    /// in memory.
    typealias WhenLoaded = @Sendable (_ prefix: SharedPrefix, _ knownCount: Int, _ session: UInt64) -> Void

    private var queue: AdmissionQueue
    private var followers = PrefixFollowers<ActiveGeneration>()
    private let maker: GenerationMaker
    private let sessions: SessionSlots
    private let active: ActiveGenerations
    private let prefixes: KeptPrefixes
    private let memory: MemoryReclaimer
    private let counters: EngineCounters
    private let whenLoaded: WhenLoaded

    /// - Parameters:
    ///   - queue: decides whose turn it is.
    ///   - maker: makes the generations that run.
    ///   - active: the generations that run.
    ///   - memory: takes memory from other parts where there is too little.
    init(
        _ queue: AdmissionQueue, _ maker: GenerationMaker, sessions: SessionSlots, active: ActiveGenerations,
        prefixes: KeptPrefixes, memory: MemoryReclaimer, counters: EngineCounters, whenLoaded: @escaping WhenLoaded
    ) {
        self.queue = queue
        self.maker = maker
        self.sessions = sessions
        self.active = active
        self.prefixes = prefixes
        self.memory = memory
        self.counters = counters
        self.whenLoaded = whenLoaded
    }

    /// The number of generations that wait for a beginning that another one computes.
    var followerCount: Int { followers.count }

    /// True if a prefix is being read from disk.
    var isLoading: Bool { queue.isLoading }

    /// The number of generations that have had their turn and do not read from disk.
    private var running: Int { active.count + followers.count }

    // MARK: Turns

    /// Lets a generation of a session's slot begin, or wait for its turn.
    ///
    /// - Throws: ``EngineError`` with code `queueFull`.
    func accept(_ generation: WaitingGeneration, in slot: SessionSlots.Slot) throws(EngineError) {
        endCancelled()
        do throws(EngineError) {
            try queue.append(generation, running: running)
        } catch {
            counters.refuse()
            throw error
        }
        slot.accept()
        admitWaiting()
    }

    /// Ends the generations that were cancelled while they waited for their turn.
    func endCancelled() {
        let cancelled = queue.removeCancelled()
        guard !cancelled.isEmpty else { return }
        for generation in cancelled { refuse(generation, .cancelledBeforeStart) }
        noteWaiting()
    }

    /// Lets generations that wait for their turn begin, as many as may run.
    func admitWaiting() {
        while let generation = queue.next(running: running) { admit(generation) }
        noteWaiting()
    }

    /// Lets those begin that waited for another one's prompt and have nothing to wait for any more, in the order in
    /// which they came.
    func releaseFollowers() {
        let ready = followers.removeReady()
        guard !ready.isEmpty else { return }
        for generation in ready { admit(generation) }
        noteWaiting()
    }

    /// Ends all generations that wait, of an engine that is unloaded.
    func unload() {
        for generation in queue.removeLoading() + followers.removeAll() + queue.removeWaiting() {
            generation.end(.cancelledBeforeStart)
        }
        noteWaiting()
    }

    /// Tells other threads how many generations wait.
    private func noteWaiting() { counters.setQueued(queue.count + followers.count) }

    /// Reports a generation that waited and does not begin.
    private func refuse(_ generation: WaitingGeneration, _ error: EngineError) {
        sessions[generation.session.id]?.end()
        generation.end(error)
    }

    // MARK: Prefixes

    /// Begins a generation that has its turn, or lets it wait for its prefix.
    private func admit(_ generation: WaitingGeneration) {
        let request = generation.request
        guard !generation.task.isCancelled, let slot = sessions[generation.session.id] else {
            return refuse(generation, .cancelledBeforeStart)
        }
        slot.state.use(request.adapters)
        generation.session.update(tokenCount: slot.state.count)
        let limit = request.prompt.count - 1
        let own = slot.state.reusablePrefix(of: request.prompt, limit: limit)
        guard !follows(generation, own: own) else { return }
        let known = prefixes.longestPrefix(of: request.prompt, limit: limit, adapters: request.adapters.key)
        guard prefixes.areOnDisk else { return begin(generation, in: slot, known, from: .memory) }
        queue.beginLoading(generation)
        let (task, id, start, knownCount, whenLoaded) = (
            generation.task, generation.session.id, known ?? SharedState(), known?.count ?? 0, whenLoaded
        )
        prefixes.load(request, after: start, own: own, isCancelled: { task.isCancelled }) { prefix in
            whenLoaded(prefix, knownCount, id)
        }
    }

    /// Goes on with a generation whose prefix was read.
    ///
    /// - Parameter knownCount: the number of tokens of it that were kept in memory.
    func takeLoaded(_ prefix: SharedPrefix, after knownCount: Int, for session: UInt64) {
        guard let generation = queue.endLoading(of: session), let slot = sessions[session] else { return }
        defer { admitWaiting() }
        guard !generation.task.isCancelled else { return refuse(generation, .cancelledBeforeStart) }
        let (prompt, loaded) = (generation.request.prompt, prefix.match)
        let adapters = generation.request.adapters.key
        prefixes.insert(loaded, of: prompt, adapters: adapters)
        let known = prefixes.longestPrefix(of: prompt, limit: prompt.count - 1, adapters: adapters)
        if let known, known.count > loaded.count {
            begin(generation, in: slot, known, from: .memory)
        } else {
            begin(generation, in: slot, loaded, from: loaded.count > knownCount ? .disk : .memory)
        }
    }

    /// Lets a generation wait for what a prompt in progress will have of its own.
    ///
    /// What that prompt has computed already is kept for others at once.
    ///
    /// - Parameter own: the number of tokens of its prompt that its session has computed.
    /// - Returns: true if it waits.
    private func follows(_ generation: WaitingGeneration, own: Int) -> Bool {
        let request = generation.request
        guard prefixes.areInMemory,
            let (leader, count) = PrefixFollowers.leader(for: request, beyond: own, among: active.all),
            let known = prefixes.longestPrefix(of: request.prompt, limit: count, adapters: request.adapters.key),
            count > known.count
        else { return false }
        let state = leader.state
        guard state.count >= count else {
            state.planCheckpoint(at: count)
            followers.append(generation, behind: leader, count: count)
            return true
        }
        prefixes.insert(state.shared(upTo: count), of: state.tokens, adapters: state.adapterKey)
        return false
    }

    /// Begins to compute, from what the state holds of the prompt or from a prefix that is known otherwise.
    ///
    /// The last token is always left: its logits are what the generation starts from. The memory of the whole prompt is
    /// taken before any of it is computed, so that a prompt which does not fit is refused at once, and none runs out
    /// half-way because of one that came later.
    private func begin(
        _ generation: WaitingGeneration, in slot: SessionSlots.Slot, _ known: SharedState?,
        from place: PrefixPlace
    ) {
        slot.begin()
        do throws(EngineError) {
            let (prompt, state, rows) = (generation.request.prompt, slot.state, active.count + 1)
            let own = state.reusablePrefix(of: prompt, limit: prompt.count - 1)
            let isKept = (known?.count ?? 0) > own
            if let known, isKept {
                state.truncate(to: 0)
                try memory.makingRoom(rows: rows) { () throws(EngineError) in try state.adopt(known, of: prompt) }
            } else {
                state.truncate(to: own)
            }
            state.planCheckpoints(promptCount: prompt.count)
            try memory.reservePrompt(prompt.count, in: state, rows: rows)
            prefixes.noteBeginning(isKept ? place : own > 0 ? .session : .nowhere)
            active.append(try maker.make(generation, in: slot))
        } catch {
            generation.session.update(tokenCount: slot.state.count)
            refuse(generation, error)
        }
    }
}
