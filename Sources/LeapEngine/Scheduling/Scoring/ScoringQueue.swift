import LeapCompute
import LeapModel
import LeapTokenizer

/// The texts that an engine scores, besides what it generates: some of them in each step.
///
/// Calls take turns. Of one call's texts only those hold memory that are in the pass, and one that a pass has scored
/// in part.
struct ScoringQueue {
    /// A call and how far it is.
    private final class Work {
        let group: ScoringGroup
        let contextSize: Int
        let isCausal: Bool
        let classifierPooling: Pooling?
        let suppressed: [TokenID]
        let sampleable: TokenMask?
        let embeddingLength: Int
        var results: [ScoringResult] = []
        /// The text that is scored in part.
        var current: ActiveScoring?
        /// The first text that is not begun.
        var next = 0
        /// The state of the tokens with which the next texts begin.
        var branch = ScoringBranch()
        /// The maximum number of tokens of a batch, where the memory allows no more.
        var maxTokens = Int.max

        init(_ group: ScoringGroup, contextSize: Int, model: Model) {
            self.group = group
            self.contextSize = contextSize
            isCausal = model.layers.stack.isCausal
            classifierPooling = model.layers.classifier?.pooling
            suppressed = model.suppressedTokens
            sampleable = model.sampleableTokens
            embeddingLength = model.embeddingLength
        }

        var isDone: Bool { current == nil && next == group.requests.count }
    }

    private var works: [Work] = []
    private var turn = 0
    private var budget: StepBudget
    private let now: () -> ContinuousClock.Instant

    /// No texts.
    ///
    /// - Parameters:
    ///   - budget: the number of tokens of a batch; a text that has to be computed as a whole may have more.
    ///   - now: the time by which batches are measured.
    init(_ budget: StepBudget, now: @escaping () -> ContinuousClock.Instant) {
        self.budget = budget
        self.now = now
    }

    /// True if there is nothing to score.
    var isEmpty: Bool { works.isEmpty }

    /// Adds a call's texts.
    mutating func add(_ group: ScoringGroup, model: Model, contextSize: Int) {
        do throws(EngineError) {
            for request in group.requests { try request.validate(for: model, contextSize: contextSize) }
            guard !group.requests.isEmpty else { return group.finish(returning: []) }
            works.append(Work(group, contextSize: contextSize, model: model))
        } catch {
            group.finish(throwing: error)
        }
    }

    /// Ends all calls.
    mutating func finish(throwing error: EngineError) {
        for work in works { work.group.finish(throwing: error) }
        works.removeAll()
    }

    /// Computes one batch of the call whose turn it is.
    ///
    /// - Parameters:
    ///   - encoder: reads pictures and sounds; nil where nothing does.
    ///   - isShared: whether generations wait for their next token.
    ///   - makeRoom: gives up memory for a batch of so many rows, that of kept prefixes for example; false if nothing
    ///     is left to give up.
    ///   - shouldStop: asked between layers, besides the call itself.
    mutating func step(
        _ executor: any Executor, encoder: PromptEncoder? = nil, prefixes: KeptPrefixes, counters: EngineCounters,
        isShared: Bool, makeRoom: (Int) -> Bool, shouldStop: () -> Bool
    ) {
        works.removeAll { work in
            guard work.group.isCancelled else { return false }
            work.group.finish(throwing: .cancelledBeforeStart)
            return true
        }
        guard !works.isEmpty else { return }
        turn &+= 1
        let work = works[turn % works.count]
        let maxTokens = budget.tokens(isShared: isShared)
        let start = now()
        do throws(EngineError) {
            let tokens = try compute(
                work, executor, encoder: encoder, prefixes: prefixes, counters: counters, maxTokens: maxTokens,
                makeRoom: makeRoom, shouldStop: shouldStop)
            if tokens > 0 {
                budget.note(
                    promptTokens: tokens, isFilled: tokens >= maxTokens, decodingRows: isShared ? 1 : 0,
                    seconds: (now() - start).seconds)
            }
            guard work.isDone else { return }
            work.group.finish(returning: work.results)
        } catch {
            work.group.finish(throwing: error)
        }
        works.removeAll { $0 === work }
    }

    /// - Returns: the tokens of the batch; 0 if it was stopped, or is to be tried again with less memory.
    private func compute(
        _ work: Work, _ executor: any Executor, encoder: PromptEncoder?, prefixes: KeptPrefixes,
        counters: EngineCounters, maxTokens: Int, makeRoom: (Int) -> Bool, shouldStop: () -> Bool
    ) throws(EngineError) -> Int {
        let chosen = try choose(
            work, executor, prefixes: prefixes, counters: counters, maxTokens: min(maxTokens, work.maxTokens))
        let segments = chosen.map(\.segment)
        let tokens = segments.reduce(0) { $0 + $1.count }
        do throws(EngineError) {
            let starts = chosen.map { $0.scoring.state.count }
            func shouldContinue() -> Bool { !shouldStop() && !work.group.isCancelled }
            // Stopped: the call is over, or the engine is.
            for (scoring, _) in chosen {
                guard try scoring.prepareMedia(encoder, shouldContinue: shouldContinue) else { return 0 }
            }
            guard
                let outputs = try executor.run(
                    segments, shouldContinue: shouldContinue)
            else { return 0 }
            for (index, (scoring, segment)) in chosen.enumerated() {
                try scoring.take(outputs[index], of: segment, at: starts[index], executor)
            }
        } catch {
            guard error.code == .outOfMemory else { throw error }
            // The texts are begun again, fewer of them at a time where no room can be made.
            if !makeRoom(tokens) {
                guard tokens > 1, chosen.count > 1 || work.isCausal else { throw error }
                work.maxTokens = tokens / 2
            }
            work.current = nil
            work.next = work.results.count
            return 0
        }
        counters.add(GenerationProgress(promptTokens: tokens), since: GenerationProgress())
        work.current = nil
        for (scoring, _) in chosen {
            if scoring.branch == scoring.state.count {
                work.branch = ScoringBranch(of: scoring.state)
                prefixes.keep(scoring.state, isOver: true)
                scoring.branch = nil
            }
            guard scoring.isDone else {
                work.current = scoring
                continue
            }
            work.results.append(try scoring.finish(executor))
            if case .likelihoods = scoring.request.purpose {
                prefixes.insert(scoring.state.shared(), of: scoring.state.tokens)
            }
        }
        return tokens
    }

    /// The texts of the next batch, from the one that is scored in part on.
    private func choose(
        _ work: Work, _ executor: any Executor, prefixes: KeptPrefixes, counters: EngineCounters, maxTokens: Int
    ) throws(EngineError) -> [(scoring: ActiveScoring, segment: BatchSegment)] {
        var chosen: [(scoring: ActiveScoring, segment: BatchSegment)] = []
        var left = maxTokens
        while left > 0 {
            let scoring: ActiveScoring
            if chosen.isEmpty, let current = work.current {
                scoring = current
            } else if work.next < work.group.requests.count {
                let request = work.group.requests[work.next]
                // Texts whose positions see each other are computed as a whole.
                if !work.isCausal, !chosen.isEmpty, request.tokens.count > left { break }
                // The state with which several texts begin is computed first.
                let isCovered = work.branch.covers(request)
                if !chosen.isEmpty, !isCovered { break }
                scoring = ActiveScoring(
                    request, state: executor.makeSequence(limit: work.contextSize),
                    classifierPooling: work.classifierPooling, suppressed: work.suppressed,
                    sampleable: work.sampleable, embeddingLength: work.embeddingLength)
                try adoptPrefix(of: scoring, from: prefixes, counters)
                try branchOff(scoring, of: work, isCovered: isCovered, prefixes, counters)
                work.next += 1
            } else {
                break
            }
            let segment = scoring.nextSegment(budget: work.isCausal ? left : .max)
            left -= segment.count
            chosen.append((scoring, segment))
        }
        return chosen
    }

    /// Begins with what is known of a text before the tokens that are asked for.
    private func adoptPrefix(
        of scoring: ActiveScoring, from prefixes: KeptPrefixes, _ counters: EngineCounters
    ) throws(EngineError) {
        guard case .likelihoods(let first, _) = scoring.request.purpose, first > 1,
            let match = prefixes.longestPrefix(of: scoring.request.tokens, limit: first - 1), match.count > 0
        else { return }
        try scoring.state.adopt(match, of: scoring.request.tokens)
        counters.add(GenerationProgress(cachedPromptTokens: match.count), since: GenerationProgress())
    }

    /// Begins a text whose labels are asked for with the longest beginning that is known of it.
    ///
    /// - Parameter isCovered: whether the branch of the work covers it, which compares all of the branch's tokens.
    private func branchOff(
        _ scoring: ActiveScoring, of work: Work, isCovered: Bool, _ prefixes: KeptPrefixes, _ counters: EngineCounters
    ) throws(EngineError) {
        guard case .labels(_, let place, _) = scoring.request.purpose else { return }
        let tokens = scoring.request.tokens
        var match = place > 0 && isCovered ? work.branch.state : SharedState()
        if let kept = prefixes.longestPrefix(of: tokens, limit: tokens.count - 1), kept.count > match.count {
            match = kept
        }
        if match.count > 0 { try scoring.state.adopt(match, of: tokens) }
        scoring.cachedCount = scoring.state.count
        counters.add(GenerationProgress(cachedPromptTokens: scoring.cachedCount), since: GenerationProgress())
        guard !isCovered else { return }
        if place == scoring.state.count { work.branch = ScoringBranch(Array(tokens[..<place]), match) }
        guard place > scoring.state.count else { return }
        scoring.branch = place
        scoring.state.planCheckpoint(at: place)
    }
}
