import LeapTokenizer

/// What lives on an engine's thread: the sequences, the generations in progress, and the loop that computes them together.
///
/// Each step runs one batch through the model: the next token of every session that is generating, and a piece of one or more
/// prompts. The weights are read once for all of them.
final class EngineCore {
    private final class Slot {
        let state: SequenceState
        var isBusy = false

        init(_ state: SequenceState) { self.state = state }
    }

    /// A generation that waits for its prefix from disk.
    private struct Waiting {
        let request: GenerationRequest
        let task: GenerationTask
        let session: Session
        let startTime: ContinuousClock.Instant
        let onEvent: @Sendable (GenerationEvent) -> Void
    }

    /// A generation and what it computes in this step.
    private typealias Work = (generation: ActiveGeneration, segment: BatchSegment)

    /// Prompt tokens in a step while other sessions wait for their next token: few, so that they wait a fraction of a second.
    private static let sharedChunk = 64

    private var model: Model?
    private var pass: ForwardPass?
    private var cache: PrefixCache?
    private var store: PrefixStore?
    private var slots: [UInt64: Slot] = [:]
    private var active: [ActiveGeneration] = []
    /// By session.
    private var waiting: [UInt64: Waiting] = [:]
    /// Takes what other threads have for this one.
    private let mailbox: Mailbox
    private let layout: CacheLayout
    /// Where pages and scratch buffers come from.
    let memory: MemoryPool
    let counters: EngineCounters
    private let contextSize: Int
    private let prefillChunk: Int
    /// Rotates over the prompts in progress, so that each gets its turn.
    private var turn = 0

    /// Prepares for a model; what other threads have for the core comes through `mailbox`.
    init(
        model: Model, options: EngineOptions, threads: Int, contextSize: Int, mailbox: Mailbox
    ) throws(EngineError) {
        self.model = model
        self.mailbox = mailbox
        self.contextSize = contextSize
        prefillChunk = options.prefillChunk
        memory = MemoryPool(limit: options.memoryLimit ?? .max)
        counters = EngineCounters(memory: memory)
        layout = CacheLayout(decoder: model.decoder, keyValueType: options.keyValueType, memory: memory)
        pass = try ForwardPass(
            model: model, layout: layout, kernels: try Kernels(threads: threads), contextSize: contextSize)
        if options.prefixCacheBytes > 0 {
            cache = PrefixCache(
                layout: layout, maxBytes: options.prefixCacheBytes, maxEntries: options.prefixCacheEntries)
        }
        if let folder = options.prefixCacheFolder {
            store = PrefixStore(
                folder: folder, model: model, layout: layout, contextSize: contextSize,
                maxEntries: options.prefixCacheDiskEntries)
        }
    }

    /// Whether there is something to compute.
    var hasWork: Bool { !active.isEmpty }

    /// Whether a generation waits for its prefix from disk, which comes through the mailbox.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Whether the model is gone.
    var isUnloaded: Bool { model == nil }

    // MARK: Commands

    /// Begins a generation; what is wrong with it is reported as its end.
    func start(
        _ request: GenerationRequest, task: GenerationTask, session: Session,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) {
        let generation = Waiting(
            request: request, task: task, session: session, startTime: .now, onEvent: onEvent)
        do throws(EngineError) {
            guard let model else { throw .unloaded }
            guard !task.isCancelled else { throw .cancelledBeforeStart }
            let slot = slot(session.id)
            guard !slot.isBusy else { throw .busy }
            try request.validate(for: model, contextSize: contextSize)
            let known = cache?.longestPrefix(of: request.prompt, limit: request.prompt.count - 1)
            if let store {
                slot.isBusy = true
                waiting[session.id] = generation
                load(generation, after: known ?? PrefixCache.Match(), state: slot.state, from: store)
            } else {
                try begin(generation, in: slot, known)
            }
        } catch {
            end(generation, error)
        }
    }

    /// Reports a generation that did not begin.
    private func end(_ generation: Waiting, _ error: EngineError) {
        generation.task.markFinished()
        generation.onEvent(
            .finished(GenerationResult(reason: error.code == .cancelled ? .cancelled : .failed(error))))
    }

    /// Reads what the disk has of a prompt, beside the steps of the other sessions.
    private func load(
        _ generation: Waiting, after known: PrefixCache.Match, state: SequenceState, from store: PrefixStore
    ) {
        let (prompt, id, task, mailbox) = (
            generation.request.prompt, generation.session.id, generation.task, mailbox
        )
        let limit = prompt.count - 1
        store.load(
            prompt, limit: limit, after: known,
            minimum: max(known.count, state.reusablePrefix(of: prompt, limit: limit)),
            isCancelled: { task.isCancelled },
            then: { prefix in
                // Where no caller takes it any more, the engine was unloaded, and the generation was told so then.
                _ = mailbox.post { $0.takeLoaded(prefix, for: id) }
            })
    }

    /// Goes on with a generation whose prefix was read.
    private func takeLoaded(_ prefix: SharedPrefix, for id: UInt64) {
        guard let generation = waiting.removeValue(forKey: id), let slot = slots[id] else { return }
        slot.isBusy = false
        do throws(EngineError) {
            guard !generation.task.isCancelled else { throw .cancelledBeforeStart }
            let prompt = generation.request.prompt
            cache?.insert(
                tokens: Array(prompt.prefix(prefix.match.count)), pages: prefix.match.pages, tail: prefix.match.tail)
            let known = cache?.longestPrefix(of: prompt, limit: prompt.count - 1)
            try begin(
                generation, in: slot, known.map { $0.count > prefix.match.count ? $0 : prefix.match } ?? prefix.match)
        } catch {
            end(generation, error)
        }
    }

    /// Begins to compute, from what the state holds of the prompt or from a prefix that is known otherwise.
    ///
    /// The last token is always left: its logits are what the generation starts from.
    private func begin(_ generation: Waiting, in slot: Slot, _ known: PrefixCache.Match?) throws(EngineError) {
        guard let model else { throw .unloaded }
        let prompt = generation.request.prompt
        let own = slot.state.reusablePrefix(of: prompt, limit: prompt.count - 1)
        if let known, known.count > own {
            slot.state.truncate(to: 0)
            try slot.state.adopt(known, of: prompt)
        } else {
            slot.state.truncate(to: own)
        }
        slot.isBusy = true
        active.append(
            ActiveGeneration(
                generation.request, task: generation.task, session: generation.session, state: slot.state, model: model,
                contextSize: contextSize, counters: counters, startTime: generation.startTime,
                onEvent: generation.onEvent))
    }

    /// Cuts a session's sequence.
    func truncate(_ session: Session, to count: Int) throws(EngineError) -> Int {
        guard !isUnloaded else { throw .unloaded }
        let slot = slot(session.id)
        guard !slot.isBusy else { throw .busy }
        let kept = slot.state.truncate(to: count)
        session.update(tokenCount: kept)
        return kept
    }

    /// Forgets a session.
    func release(_ id: UInt64) { slots[id] = nil }

    /// Ends everything and frees the model, the pages and the threads.
    func unload() {
        for generation in active { generation.finish(.cancelled) }
        for generation in waiting.values { end(generation, .cancelledBeforeStart) }
        active.removeAll()
        waiting.removeAll()
        slots.removeAll()
        cache = nil
        flush()
        store = nil
        pass = nil
        model = nil
    }

    /// Waits until everything that is kept is on disk.
    func flush() { store?.flush() }

    private func slot(_ id: UInt64) -> Slot {
        if let slot = slots[id] { return slot }
        let slot = Slot(SequenceState(layout: layout, limit: contextSize))
        slots[id] = slot
        return slot
    }

    /// Keeps what a session has computed for other sessions, and other runs of the program.
    ///
    /// - Parameter isOver: whether the generation is at its end: what it has beyond its last full page goes to disk only then, as the
    ///   page grows until then.
    private func keep(_ state: SequenceState, isOver: Bool) {
        guard state.count > 0, cache != nil || store != nil else { return }
        let full = state.count / CacheLayout.pageLength
        let tail = state.count % CacheLayout.pageLength == 0 ? nil : state.tailInputs()
        cache?.insert(tokens: state.tokens, pages: state.pages, tail: tail)
        if isOver {
            store?.insert(tokens: state.tokens, pages: state.pages, tail: tail)
        } else if full > 0 {
            store?.insert(
                tokens: Array(state.tokens.prefix(full * CacheLayout.pageLength)),
                pages: Array(state.pages.prefix(full)),
                tail: nil)
        }
    }

    // MARK: Steps

    /// Computes one batch.
    ///
    /// - Parameter shouldStop: asked between layers, besides the generations themselves.
    func step(shouldStop: () -> Bool) {
        for generation in active where generation.task.isCancelled { generation.finish(.cancelled) }
        removeFinished()
        guard let pass, !active.isEmpty else { return }
        compute(choose(), pass, shouldStop: shouldStop)
        removeFinished()
    }

    /// Computes a batch; what cannot be computed ends, and the rest goes on.
    private func compute(_ chosen: [Work], _ pass: ForwardPass, shouldStop: () -> Bool) {
        let work = chosen.filter(reserve)
        guard !work.isEmpty else { return }
        do throws(EngineError) {
            let logits = try pass.run(work.map(\.segment)) {
                !shouldStop() && work.contains { !$0.generation.task.isCancelled }
            }
            if let logits {
                distribute(logits, to: work, vocabularySize: pass.vocabularySize)
            } else {
                for (generation, _) in work { generation.abandon() }
            }
        } catch {
            for (generation, _) in work { generation.abandon() }
            if work.count == 1 {
                work[0].generation.finish(.failed(error))
                return
            }
            // The scratch memory is for all of them together: what one needs too much of, the others may do without. The result
            // does not depend on what is in a batch, so each goes on alone as it would have with the others.
            for (generation, segment) in work {
                compute(
                    [(generation, generation.nextSegment(budget: segment.tokens.count))], pass, shouldStop: shouldStop)
            }
        }
    }

    /// Takes the memory for a segment's positions; where there is none, only its generation ends.
    private func reserve(_ work: Work) -> Bool {
        let (sequence, added) = (work.segment.sequence, work.segment.tokens.count)
        do throws(EngineError) {
            do throws(EngineError) {
                try sequence.reserve(added)
            } catch {
                // What is kept for others to begin with is worth less than what is being generated.
                guard error.code == .outOfMemory, let cache, cache.byteCount > 0 else { throw error }
                cache.removeAll()
                try sequence.reserve(added)
            }
            return true
        } catch {
            sequence.truncate(to: sequence.count)
            work.generation.finish(.failed(error))
            return false
        }
    }

    /// The generations of this step and their tokens.
    private func choose() -> [Work] {
        let decoding = active.filter { !$0.isPrefilling }
        // What several sequences share in a pass is already the reading of the weights; proposals would only add to its rows.
        let proposals = ProposalLength.limit / max(1, decoding.count)
        var chosen: [Work] = decoding.map { ($0, $0.nextSegment(budget: 1, proposals: proposals)) }
        let prompts = active.filter(\.isPrefilling)
        var budget = chosen.isEmpty ? prefillChunk : min(prefillChunk, Self.sharedChunk)
        turn &+= 1
        for offset in prompts.indices where budget > 0 {
            let generation = prompts[(turn + offset) % prompts.count]
            let segment = generation.nextSegment(budget: budget)
            budget -= segment.tokens.count
            chosen.append((generation, segment))
        }
        return chosen
    }

    private func distribute(_ logits: UnsafeMutableBufferPointer<Float>, to chosen: [Work], vocabularySize: Int) {
        var row = 0
        for (generation, segment) in chosen {
            if generation.advance() { keep(generation.state, isOver: false) }
            let rows = row..<row + segment.wantedIndices.count
            guard !rows.isEmpty else { continue }
            row = rows.upperBound
            let values = logits[rows.lowerBound * vocabularySize..<rows.upperBound * vocabularySize]
            guard !generation.task.isCancelled else { continue }
            generation.draw(from: UnsafeMutableBufferPointer(rebasing: values), vocabularySize: vocabularySize)
        }
    }

    private func removeFinished() {
        active.removeAll { generation in
            guard generation.task.isFinished else { return false }
            slots[generation.session.id]?.isBusy = false
            keep(generation.state, isOver: true)
            return true
        }
    }
}
