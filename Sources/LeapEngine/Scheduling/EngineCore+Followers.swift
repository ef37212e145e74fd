import LeapCompute
import LeapModel
import LeapTokenizer

/// Prompts that begin like one in progress.
///
/// Requests with one system prompt often come at once. Computing their common beginning for each of them would cost as much as computing
/// it in turns, so the first computes it and the others take its pages: in memory, as from a prompt that is done.
extension EngineCore {
    /// A generation that waits until another has computed the beginning that their prompts share.
    struct Follower {
        let generation: WaitingGeneration
        let leader: ActiveGeneration
        /// The tokens of that beginning, full pages.
        let count: Int

        /// Whether there is nothing to wait for any more.
        var isReady: Bool {
            generation.task.isCancelled || leader.task.isFinished || !leader.isPrefilling || leader.state.count >= count
        }
    }

    /// Lets a generation wait for what a prompt in progress will have of its own.
    ///
    /// What that prompt has computed already is kept for others at once.
    ///
    /// - Parameter own: the tokens of its prompt that its session has computed.
    /// - Returns: whether it waits.
    func follows(_ generation: WaitingGeneration, own: Int) -> Bool {
        guard let cache, let (leader, count) = leader(for: generation.request, beyond: own) else { return false }
        let request = generation.request
        let known = cache.longestPrefix(of: request.prompt, limit: count, adapters: request.adapters.key)
        guard count > known.count else { return false }
        guard leader.state.count >= count else {
            leader.state.planCheckpoint(at: count)
            followers.append(Follower(generation: generation, leader: leader, count: count))
            return true
        }
        cache.insert(
            leader.state.shared(upTo: count), of: leader.state.tokens, adapters: leader.state.adapterKey)
        noteCache()
        return false
    }

    /// The prompt in progress that shares most pages with a request's, and the tokens of these; nil where there are no more
    /// than the request's session has.
    private func leader(for request: GenerationRequest, beyond own: Int) -> (ActiveGeneration, Int)? {
        var best: (leader: ActiveGeneration, count: Int)?
        for other in active where other.isPrefilling && !other.task.isFinished {
            guard other.state.adapterKey == request.adapters.key else { continue }
            let limit = min(other.request.prompt.count, request.prompt.count - 1)
            var shared = 0
            while shared < limit, other.request.prompt[shared] == request.prompt[shared] { shared += 1 }
            shared -= shared % StatePage.length
            if shared > max(own, best?.count ?? 0) { best = (other, shared) }
        }
        return best
    }

    /// Lets those begin that have nothing to wait for any more, in the order in which they came.
    func releaseFollowers() {
        let ready = followers.extract(where: \.isReady)
        guard !ready.isEmpty else { return }
        for follower in ready { admit(follower.generation) }
        noteWaiting()
    }
}
