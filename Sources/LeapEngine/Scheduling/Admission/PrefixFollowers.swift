import LeapBase
import LeapCompute
import LeapModel
import LeapTokenizer

/// A prompt in progress, from which others may take the beginning that they share with it.
protocol PrefixLeader: AnyObject {
    /// The tokens of the whole prompt.
    var prompt: [TokenID] { get }
    /// The key of the adapters that it is computed with.
    var adapterKey: StableHash? { get }
    /// The number of tokens that are computed.
    var computedCount: Int { get }
    /// True as long as the prompt is being computed.
    var isInPrompt: Bool { get }
}

extension ActiveGeneration: PrefixLeader {
    var prompt: [TokenID] { request.prompt }
    var adapterKey: StableHash? { state.adapterKey }
    var computedCount: Int { state.count }
    var isInPrompt: Bool { isPrefilling && !task.isFinished }
}

/// The generations that wait until another has computed the beginning that their prompts share.
///
/// Requests with one system prompt often come at once. Computing their common beginning for each of them would cost as
/// much as computing it in turns, so the first computes it and the others take its pages: in memory, as from a prompt
/// that is done.
struct PrefixFollowers<Leader: PrefixLeader> {
    private struct Follower {
        let generation: WaitingGeneration
        let leader: Leader
        /// The number of tokens of the beginning, full pages.
        let count: Int

        /// True if there is nothing to wait for any more.
        var isReady: Bool {
            generation.task.isCancelled || !leader.isInPrompt || leader.computedCount >= count
        }
    }

    private var followers: [Follower] = []

    /// The number of generations that wait.
    var count: Int { followers.count }

    /// Finds the prompt in progress that shares most pages with a request's.
    ///
    /// - Parameters:
    ///   - own: the number of tokens that the request's session has computed.
    ///   - others: the generations that run.
    /// - Returns: that prompt and the number of tokens that it shares, full pages; nil where these are no more than the
    ///   session's own.
    static func leader(
        for request: GenerationRequest, beyond own: Int, among others: [Leader]
    ) -> (leader: Leader, count: Int)? {
        var best: (leader: Leader, count: Int)?
        for other in others where other.isInPrompt {
            guard other.adapterKey == request.adapters.key else { continue }
            let prompt = other.prompt
            let limit = min(prompt.count, request.prompt.count - 1)
            var shared = 0
            while shared < limit, prompt[shared] == request.prompt[shared] { shared += 1 }
            shared -= shared % StatePage.length
            if shared > max(own, best?.count ?? 0) { best = (other, shared) }
        }
        return best
    }

    /// Lets a generation wait until a prompt in progress has so many of its tokens.
    mutating func append(_ generation: WaitingGeneration, behind leader: Leader, count: Int) {
        followers.append(Follower(generation: generation, leader: leader, count: count))
    }

    /// Takes out the generations that have nothing to wait for any more, in the order in which they came.
    mutating func removeReady() -> [WaitingGeneration] { followers.extract(where: \.isReady).map(\.generation) }

    /// Takes out all generations, in the order in which they came.
    mutating func removeAll() -> [WaitingGeneration] {
        defer { followers = [] }
        return followers.map(\.generation)
    }
}
