import LeapCompute
import LeapModel

/// What is computed in one step.
extension EngineCore {
    /// A generation and what it computes in this step.
    typealias Work = (generation: ActiveGeneration, segment: BatchSegment)

    /// The generations of this step and their tokens.
    func choose() -> [Work] {
        let ready = active.filter { !$0.waitsForMedia }
        let decoding = ready.filter { !$0.isPrefilling }
        let prompts = ready.filter(\.isPrefilling)
        let proposals = proposalLimit(decoding.count)
        // Tokens that must follow may be many, and are computed in pieces too where others wait.
        let pending = ready.count > 1 ? budget.tokens(besides: decoding.count) : budget.limit
        var chosen: [Work] = decoding.map { ($0, $0.nextSegment(budget: pending, proposals: proposals)) }
        turn &+= 1
        let limit = budget.tokens(besides: rows(of: chosen))
        let shares = PromptShares.split(prompts.map(\.remainingPromptTokens), budget: limit, turn: turn)
        for (generation, share) in zip(prompts, shares) where share > 0 {
            chosen.append((generation, generation.nextSegment(budget: share)))
        }
        return chosen.filter(hasMedia)
    }

    /// Whether the pictures and sounds at the positions of a segment were read; they are from then on, and the generation waits, where not.
    private func hasMedia(_ work: Work) -> Bool {
        let (generation, start) = (work.generation, work.segment.sequence.count)
        guard let encoder, let media = generation.media else { return true }
        let (id, mailbox) = (generation.session.id, mailbox)
        do throws(EngineError) {
            let isThere = try media.begin(start..<start + work.segment.count, encoder) {
                // Another generation of the session may have begun meanwhile: it looks again at what it waits for.
                _ = mailbox.post { core in
                    for generation in core.active where generation.session.id == id { generation.waitsForMedia = false }
                }
            }
            guard !isThere else { return true }
            generation.abandon()
            generation.waitsForMedia = true
        } catch {
            generation.abandon()
            generation.finish(.failed(error))
        }
        return false
    }

    /// The maximum number of tokens that are proposed for each of several generations.
    ///
    /// What several sequences share in a pass is already the reading of the weights; proposals would only add to its rows.
    func proposalLimit(_ decoding: Int) -> Int { ProposalLength.limit / max(1, decoding) }

    /// Computes the batch of a step, and takes note of how long it took.
    func computeStep(_ executor: any Executor, shouldStop: () -> Bool) {
        let work = choose()
        guard !work.isEmpty else { return }
        let remaining = active.reduce(0) {
            $0 + ($1.isPrefilling && !$1.waitsForMedia ? $1.remainingPromptTokens : 0)
        }
        let promptTokens = rows(of: work.filter { $0.generation.isPrefilling })
        let isShared = work.contains { !$0.generation.isPrefilling }
        followPrompts(work, isShared: isShared, shouldStop)
        let decodingRows = rows(of: work) - promptTokens
        let start = now()
        compute(work, executor, shouldStop: shouldStop)
        budget.note(
            promptTokens: promptTokens, isFilled: promptTokens < remaining, decodingRows: decodingRows,
            seconds: (now() - start).seconds)
    }

    /// Computes a batch; what cannot be computed ends, and the rest goes on.
    func compute(_ chosen: [Work], _ executor: any Executor, shouldStop: () -> Bool) {
        var work = reserved(chosen)
        defer { executor.capturedLayers = [] }
        while !work.isEmpty {
            do throws(EngineError) {
                work = try withMedia(work, shouldStop)
                guard !work.isEmpty else { return }
                executor.capturedLayers = capturedLayers(of: work)
                let outputs = try executor.run(work.map(\.segment)) {
                    !shouldStop() && work.contains { !$0.generation.task.isCancelled }
                }
                if let outputs {
                    absorbDrafts(work, executor)
                    let speaking = vectors(outputs, of: work)
                    distribute(outputs, to: work, executor)
                    speak(speaking)
                } else {
                    for (generation, _) in work { generation.abandon() }
                }
                return
            } catch {
                for (generation, _) in work { generation.abandon() }
                guard error.code == .outOfMemory, makeRoom(rows: rows(of: work)) else {
                    return computeApart(work, executor, error, shouldStop: shouldStop)
                }
                work = reserved(work.map { again($0, budget: $0.segment.count) })
            }
        }
    }

    /// Those whose pictures and sounds are encoded; one that cannot be read ends its generation.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    private func withMedia(_ work: [Work], _ shouldStop: () -> Bool) throws(EngineError) -> [Work] {
        guard let encoder else { return work }
        var ready: [Work] = []
        for part in work {
            guard let media = part.generation.media else {
                ready.append(part)
                continue
            }
            let start = part.generation.state.count
            let result = Result {
                try media.prepare(start..<start + part.segment.count, encoder) {
                    !shouldStop() && !part.generation.task.isCancelled
                }
            }
            switch result {
            case .success(true): ready.append(part)
            case .success(false): part.generation.abandon()
            case .failure(let error as EngineError) where error.code == .outOfMemory: throw error
            case .failure(let error): part.generation.finish(.failed(error))
            }
        }
        return ready
    }

    /// Those that have the memory for their positions.
    private func reserved(_ work: [Work]) -> [Work] {
        let rows = rows(of: work)
        // Taking memory for one may end another.
        return work.filter { !$0.generation.task.isFinished && reserve($0, rows: rows) }
            .filter { !$0.generation.task.isFinished }
    }

    private func rows(of work: [Work]) -> Int { work.reduce(0) { $0 + $1.segment.count } }

    /// Computes a batch that gets no scratch memory as a whole.
    ///
    /// The scratch memory is for all of them together: what one needs too much of, the others may do without, and a prompt does with less in
    /// smaller pieces. The result does not depend on what is in a batch, so each goes on as it would have with the others.
    private func computeApart(_ work: [Work], _ executor: any Executor, _ error: EngineError, shouldStop: () -> Bool) {
        guard work.count == 1, let part = work.first else {
            for part in work { compute([again(part, budget: part.segment.count)], executor, shouldStop: shouldStop) }
            return
        }
        guard error.code == .outOfMemory,
            part.segment.count > 1 || endLargest(besides: part.generation, error)
        else {
            part.generation.finish(.failed(error))
            return
        }
        let half = again(part, budget: max(1, part.segment.count / 2))
        // A picture may not be divisible: then its memory has to come from others too.
        guard half.segment.count < part.segment.count || endLargest(besides: part.generation, error) else {
            part.generation.finish(.failed(error))
            return
        }
        compute([half], executor, shouldStop: shouldStop)
    }

    /// The next segment of a generation whose last one was not computed.
    private func again(_ work: Work, budget: Int) -> Work {
        (work.generation, work.generation.nextSegment(budget: budget))
    }

    private func distribute(_ outputs: [Rows], to work: [Work], _ executor: any Executor) {
        for ((generation, segment), rows) in zip(work, outputs) {
            if generation.advance() { keep(generation.state, isOver: false) }
            guard rows.count > 0, segment.output == .logits, !generation.task.isCancelled else { continue }
            generation.draw(
                from: rows, normalizers: generation.wantsLikelihoods ? executor.logSumExp(rows) : [])
        }
    }
}
