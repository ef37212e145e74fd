import LeapBase
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Generations that wait for another one's prompt, alone.
@Suite(.inTurns)
struct PrefixFollowersTests {
    private final class Leader: PrefixLeader {
        let prompt: [TokenID]
        var adapterKey: StableHash?
        var computedCount = 0
        var isInPrompt = true

        init(_ prompt: [TokenID]) { self.prompt = prompt }
    }

    private let parts = PartsFixture()

    /// A prompt that shares so many tokens with the request of 200.
    private func leader(sharing count: Int) -> Leader {
        Leader(Array(PartsFixture.request(200).prompt.prefix(count)) + [1, 2, 3])
    }

    @Test("The leader is the prompt in progress that shares most full pages, more than the session has")
    func choice() {
        let request = PartsFixture.request(200)
        let leaders = [leader(sharing: 63), leader(sharing: 70), leader(sharing: 150), leader(sharing: 129)]
        func choose(beyond own: Int = 0) -> (Leader, Int)? {
            PrefixFollowers.leader(for: request, beyond: own, among: leaders).map { ($0.leader, $0.count) }
        }
        #expect(choose()?.0 === leaders[2] && choose()?.1 == 128)
        #expect(choose(beyond: 127)?.1 == 128 && choose(beyond: 128) == nil)
        leaders[2].isInPrompt = false
        #expect(choose()?.0 === leaders[3])
        leaders[3].adapterKey = StableHash(seed: 1)
        #expect(choose()?.0 === leaders[1] && choose()?.1 == 64)
        leaders[1].isInPrompt = false
        #expect(choose() == nil)
    }

    @Test("The last token of a prompt is never shared: its logits are needed")
    func lastToken() {
        let request = PartsFixture.request(128)
        let same = [Leader(request.prompt)]
        #expect(PrefixFollowers.leader(for: request, beyond: 0, among: same)?.count == 64)
    }

    @Test("Each goes on when its tokens are there, its leader is no leader any more, or it is cancelled, in order")
    func release() {
        var followers = PrefixFollowers<Leader>()
        let (first, second) = (leader(sharing: 150), leader(sharing: 70))
        let waiting = (1...4).map { parts.waiting(session: parts.session($0)) }
        for (generation, (leader, count)) in zip(waiting, [(first, 128), (second, 64), (first, 64), (first, 128)]) {
            followers.append(generation, behind: leader, count: count)
        }
        #expect(followers.removeReady().isEmpty && followers.count == 4)
        first.computedCount = 64
        #expect(followers.removeReady().map(\.session.id) == [3])
        waiting[3].task.cancel()
        second.isInPrompt = false
        #expect(followers.removeReady().map(\.session.id) == [2, 4])
        #expect(followers.removeAll().map(\.session.id) == [1] && followers.count == 0)
    }
}
