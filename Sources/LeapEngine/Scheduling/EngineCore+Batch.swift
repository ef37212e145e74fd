/// What is computed in one step.
extension EngineCore {
    /// A generation and what it computes in this step.
    typealias Work = (generation: ActiveGeneration, segment: BatchSegment)

    /// The generations of this step and their tokens.
    func choose() -> [Work] {
        let decoding = active.filter { !$0.isPrefilling }
        let prompts = active.filter(\.isPrefilling)
        let proposals = proposalLimit(decoding.count)
        // Tokens that must follow may be many, and are computed in pieces too where others wait.
        let pending = active.count > 1 ? budget.tokens(besides: decoding.count) : budget.limit
        var chosen: [Work] = decoding.map { ($0, $0.nextSegment(budget: pending, proposals: proposals)) }
        turn &+= 1
        let limit = budget.tokens(besides: rows(of: chosen))
        let shares = PromptShares.split(prompts.map(\.remainingPromptTokens), budget: limit, turn: turn)
        for (generation, share) in zip(prompts, shares) where share > 0 {
            chosen.append((generation, generation.nextSegment(budget: share)))
        }
        return chosen
    }

    /// The maximum number of tokens that are proposed for each of several generations.
    ///
    /// What several sequences share in a pass is already the reading of the weights; proposals would only add to its rows.
    func proposalLimit(_ decoding: Int) -> Int { ProposalLength.limit / max(1, decoding) }

    /// Computes the batch of a step, and takes note of how long it took.
    func computeStep(_ pass: ForwardPass, shouldStop: () -> Bool) {
        let remaining = active.reduce(0) { $0 + ($1.isPrefilling ? $1.remainingPromptTokens : 0) }
        let work = choose()
        let promptTokens = rows(of: work.filter { $0.generation.isPrefilling })
        let isShared = work.contains { !$0.generation.isPrefilling }
        followPrompts(work, isShared: isShared, shouldStop)
        let start = ContinuousClock.now
        compute(work, pass, shouldStop: shouldStop)
        budget.note(
            promptTokens: promptTokens, isFilled: promptTokens < remaining, isShared: isShared,
            seconds: (.now - start).seconds)
    }

    /// Computes a batch; what cannot be computed ends, and the rest goes on.
    func compute(_ chosen: [Work], _ pass: ForwardPass, shouldStop: () -> Bool) {
        var work = reserved(chosen)
        while !work.isEmpty {
            do throws(EngineError) {
                work = try withMedia(work, shouldStop)
                guard !work.isEmpty else { return }
                let output = try run(work, pass) {
                    !shouldStop() && work.contains { !$0.generation.task.isCancelled }
                }
                if let output {
                    distribute(output.logits, to: work, vocabularySize: pass.vocabularySize)
                    speak(output)
                } else {
                    for (generation, _) in work { generation.abandon() }
                }
                return
            } catch {
                for (generation, _) in work { generation.abandon() }
                guard error.code == .outOfMemory, makeRoom(rows: rows(of: work)) else {
                    return computeApart(work, pass, error, shouldStop: shouldStop)
                }
                work = reserved(work.map { again($0, budget: $0.segment.tokens.count) })
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
                try media.prepare(start..<start + part.segment.tokens.count, encoder) {
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

    private func rows(of work: [Work]) -> Int { work.reduce(0) { $0 + $1.segment.tokens.count } }

    /// Computes a batch that gets no scratch memory as a whole.
    ///
    /// The scratch memory is for all of them together: what one needs too much of, the others may do without, and a prompt does with less in
    /// smaller pieces. The result does not depend on what is in a batch, so each goes on as it would have with the others.
    private func computeApart(_ work: [Work], _ pass: ForwardPass, _ error: EngineError, shouldStop: () -> Bool) {
        guard work.count == 1, let part = work.first else {
            for part in work { compute([again(part, budget: part.segment.tokens.count)], pass, shouldStop: shouldStop) }
            return
        }
        guard error.code == .outOfMemory,
            part.segment.tokens.count > 1 || endLargest(besides: part.generation, error)
        else {
            part.generation.finish(.failed(error))
            return
        }
        compute([again(part, budget: max(1, part.segment.tokens.count / 2))], pass, shouldStop: shouldStop)
    }

    /// The next segment of a generation whose last one was not computed.
    private func again(_ work: Work, budget: Int) -> Work {
        (work.generation, work.generation.nextSegment(budget: budget))
    }

    private func distribute(_ logits: UnsafeMutableBufferPointer<Float>, to chosen: [Work], vocabularySize: Int) {
        var row = 0
        for (generation, segment) in chosen {
            if generation.advance() { keep(generation.state, isOver: false) }
            let rows = row..<row + segment.wantedIndices.count
            guard !rows.isEmpty, !generation.isSpeaking else { continue }
            row = rows.upperBound
            guard !generation.task.isCancelled else { continue }
            let values = UnsafeMutableBufferPointer(
                rebasing: logits[rows.lowerBound * vocabularySize..<rows.upperBound * vocabularySize])
            generation.draw(
                from: values, vocabularySize: vocabularySize,
                normalizers: generation.wantsLikelihoods
                    ? pass?.kernels.logSumExp(values, length: vocabularySize) ?? [] : [])
        }
    }
}
