import LeapBase
import LeapCompute
import LeapModel

/// Computes the steps of an engine: chooses a batch, has the executor compute it, and hands out what came of it.
final class BatchRunner {
    /// The executor of the model's steps; nil of an engine that was unloaded.
    private(set) var executor: (any Executor)?
    private var planner: BatchPlanner
    private let active: ActiveGenerations
    private let memory: MemoryReclaimer
    private let media: MediaReading
    private let drafting: Drafting
    private let speech: FrameWriter
    private let prefixes: KeptPrefixes
    private let now: () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - active: the generations that run.
    ///   - memory: takes memory from other parts where there is too little.
    ///   - now: the time by which steps are measured.
    init(
        _ executor: any Executor, _ planner: BatchPlanner, active: ActiveGenerations, memory: MemoryReclaimer,
        media: MediaReading, drafting: Drafting, speech: FrameWriter, prefixes: KeptPrefixes,
        now: @escaping () -> ContinuousClock.Instant
    ) {
        self.executor = executor
        self.planner = planner
        self.active = active
        self.memory = memory
        self.media = media
        self.drafting = drafting
        self.speech = speech
        self.prefixes = prefixes
        self.now = now
    }

    /// Lets go of the executor.
    func unload() { executor = nil }

    /// Computes one batch of the generations that run.
    ///
    /// - Parameter shouldStop: asked between layers, besides the generations themselves.
    func step(_ shouldStop: () -> Bool) {
        guard let executor else { return }
        let beginning = now()
        if drafting.isAvailable {
            drafting.propose(for: active.all, shouldStop)
            drafting.note(proposingSeconds: (now() - beginning).seconds)
        }
        let work = media.read(planner.plan(active.all))
        guard !work.isEmpty else { return }
        let remaining = active.remainingPromptTokens
        let promptTokens = work.filter { $0.generation.isPrefilling }.rows
        let isShared = work.contains { !$0.generation.isPrefilling }
        drafting.follow(work, chunk: planner.draftChunk(isShared: isShared), isShared: isShared, shouldStop)
        let decodingRows = work.rows - promptTokens
        let tokensBefore = work.generatedTokens
        let start = now()
        compute(work, executor, shouldStop)
        let end = now()
        let seconds = (end - start).seconds
        if promptTokens == 0 {
            drafting.note(work, seconds: seconds)
            drafting.note(
                tokens: work.generatedTokens - tokensBefore, of: work.count, seconds: (end - beginning).seconds)
        }
        planner.note(
            promptTokens: promptTokens, of: remaining, decodingRows: decodingRows, seconds: seconds)
    }

    /// Computes a batch; what cannot be computed ends, and the rest goes on.
    private func compute(_ chosen: [BatchPart], _ executor: any Executor, _ shouldStop: () -> Bool) {
        var work = reserved(chosen)
        defer { (executor.capturedLayers, executor.keepsVectors) = ([], false) }
        while !work.isEmpty {
            do throws(EngineError) {
                work = try media.encode(work, shouldStop)
                guard !work.isEmpty else { return }
                executor.capturedLayers = drafting.capturedLayers(of: work)
                executor.keepsVectors = drafting.readsVectors(of: work)
                let outputs = try executor.run(work.map(\.segment)) {
                    !shouldStop() && work.contains { !$0.generation.task.isCancelled }
                }
                if let outputs {
                    drafting.absorb(work, executor.capturedStreams)
                    drafting.take(work, executor.keptVectors)
                    let speaking = speech.vectors(outputs, of: work)
                    distribute(outputs, to: work, executor)
                    speech.speak(speaking, memory)
                } else {
                    for part in work { part.generation.abandon() }
                }
                return
            } catch {
                for part in work { part.generation.abandon() }
                guard error.code == .outOfMemory, memory.makeRoom(rows: work.rows) else {
                    return computeApart(work, executor, error, shouldStop)
                }
                work = reserved(work.map { .next(of: $0.generation, budget: $0.segment.count) })
            }
        }
    }

    /// Computes a batch that gets no scratch memory as a whole.
    ///
    /// The scratch memory is for all of them together: what one needs too much of, the others may do without, and a
    /// prompt does with less in smaller pieces. The result does not depend on what is in a batch, so each goes on as it
    /// would have with the others.
    private func computeApart(
        _ work: [BatchPart], _ executor: any Executor, _ error: EngineError, _ shouldStop: () -> Bool
    ) {
        guard work.count == 1, let part = work.first else {
            for part in work {
                compute([.next(of: part.generation, budget: part.segment.count)], executor, shouldStop)
            }
            return
        }
        guard error.code == .outOfMemory,
            part.segment.count > 1 || active.endLargest(besides: part.generation, error)
        else {
            part.generation.finish(.failed(error))
            return
        }
        let half = BatchPart.next(of: part.generation, budget: max(1, part.segment.count / 2))
        // A picture may not be divisible: then its memory has to come from others too.
        guard half.segment.count < part.segment.count || active.endLargest(besides: part.generation, error) else {
            part.generation.finish(.failed(error))
            return
        }
        compute([half], executor, shouldStop)
    }

    /// Hands out the logits of a step; what was computed of a prompt that is done is kept.
    private func distribute(_ outputs: [Rows], to work: [BatchPart], _ executor: any Executor) {
        for (part, rows) in zip(work, outputs) {
            let generation = part.generation
            if generation.advance(), generation.request.sharesPrefix {
                prefixes.keep(generation.state, isOver: false)
            }
            guard rows.count > 0, part.segment.output == .logits, !generation.task.isCancelled else { continue }
            rows.suppress(generation.vocabulary.suppressed)
            generation.draw(
                from: rows, normalizers: generation.wantsLikelihoods ? executor.logSumExp(rows) : [])
        }
    }

    // MARK: Memory

    /// Returns the parts that have the memory for their positions.
    private func reserved(_ work: [BatchPart]) -> [BatchPart] {
        let rows = work.rows
        // Taking memory for one may end another.
        return work.filter { !$0.generation.task.isFinished && reserve($0, rows: rows) }
            .filter { !$0.generation.task.isFinished }
    }

    /// Takes the memory for a segment's positions; where there is none, the generation that holds most of it ends.
    ///
    /// - Returns: true if this generation goes on.
    private func reserve(_ part: BatchPart, rows: Int) -> Bool {
        let (generation, added) = (part.generation, part.segment.count)
        while true {
            do throws(EngineError) {
                try memory.makingRoom(rows: rows) { () throws(EngineError) in try generation.state.reserve(added) }
                return true
            } catch {
                generation.state.releaseReserve()
                guard error.code == .outOfMemory, active.endLargest(besides: generation, error) else {
                    generation.finish(.failed(error))
                    return false
                }
            }
        }
    }
}
