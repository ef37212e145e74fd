import Testing

@testable import LeapEngine

/// Steps with and without proposals, with times that a test gives them.
@Suite struct DraftGainTests {
    /// Runs steps of some generations, and returns how many of them had proposals.
    ///
    /// - Parameters:
    ///   - with: the tokens and seconds of a step with proposals.
    ///   - without: those of a step without.
    private func proposed(
        _ gain: inout DraftGain, steps: Int, sequences: Int, with: (tokens: Int, seconds: Double),
        without: (tokens: Int, seconds: Double)
    ) -> Int {
        var count = 0
        for _ in 0..<steps {
            let proposes = gain.proposes(for: sequences)
            let step = proposes ? with : without
            gain.note(tokens: step.tokens, of: sequences, proposed: proposes, seconds: step.seconds)
            if proposes { count += 1 }
        }
        return count
    }

    @Test("Proposals that make steps slower are left alone but for tries, and cost less than three percent")
    func loses() {
        var gain = DraftGain()
        let count = proposed(&gain, steps: 4096, sequences: 4, with: (5, 1.5), without: (4, 1))
        #expect(count >= DraftGain.tryLength && count <= 4096 / 25, "\(count)")
        // A token takes 0.3 s with proposals, and 0.25 without.
        let seconds = Double(count) * 1.5 + Double(4096 - count)
        let tokens = Double(count) * 5 + Double(4096 - count) * 4
        #expect(seconds / tokens < 1.03 * 0.25)
    }

    @Test("Proposals that make tokens come faster stay, and come first")
    func wins() {
        var gain = DraftGain()
        #expect(proposed(&gain, steps: DraftGain.tryLength, sequences: 1, with: (3, 1.5), without: (1, 1)) == 8)
        let count = proposed(&gain, steps: 4096, sequences: 1, with: (3, 1.5), without: (1, 1))
        #expect(count > 4096 * 28 / 30, "\(count)")
    }

    @Test("What was found for one number of generations says nothing of others")
    func apart() {
        var gain = DraftGain()
        _ = proposed(&gain, steps: 100, sequences: 4, with: (5, 1.5), without: (4, 1))
        #expect(!gain.proposes(for: 4) && gain.proposes(for: 1) && gain.proposes(for: 5))
        // Beyond the numbers that are told apart all count as one.
        _ = proposed(&gain, steps: 100, sequences: 40, with: (50, 2), without: (40, 1))
        #expect(!gain.proposes(for: 17) && !gain.proposes(for: 1000))
    }

    @Test("A text that is easier to predict is found by the tries")
    func changes() {
        var gain = DraftGain()
        _ = proposed(&gain, steps: 100, sequences: 2, with: (2, 1.5), without: (2, 1))
        #expect(!gain.proposes(for: 2))
        let count = proposed(&gain, steps: 40 * DraftGain.period, sequences: 2, with: (6, 1.5), without: (2, 1))
        #expect(count > 20 * DraftGain.period, "\(count)")
    }

    @Test("Steps without tokens or time are not counted")
    func empty() {
        var gain = DraftGain()
        for _ in 0..<100 {
            gain.note(tokens: 0, of: 1, proposed: true, seconds: 1)
            gain.note(tokens: 1, of: 1, proposed: true, seconds: 0)
        }
        #expect(gain.proposes(for: 1))
        #expect(proposed(&gain, steps: DraftGain.tryLength + 1, sequences: 0, with: (1, 1), without: (1, 1)) == 8)
    }
}
