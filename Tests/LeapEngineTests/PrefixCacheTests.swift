import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Computed prefixes that are kept for other sessions.
@Suite(.inTurns)
struct PrefixCacheTests {
    static let models = ["lfm2", "lfm3", "llama", "qwen35", "granitehybrid"]

    private func runner(_ name: String) throws -> (Model, SynchronousRunner) {
        let model = try Fixture.model(name)
        return (model, try SynchronousRunner(model: model, keyValueType: .f16, threads: 2, contextSize: 1024))
    }

    private func sequence(_ count: Int, seed: UInt64 = 1) -> [TokenID] {
        var random = RandomGenerator(seed: seed)
        return (0..<count).map { _ in TokenID.random(in: 0..<384, using: &random) }
    }

    private func insert(_ sequence: SequenceState, into cache: PrefixCache) {
        cache.insert(sequence.shared(), of: sequence.tokens)
    }

    @Test(
        "A sequence that begins with a kept one goes on with the same bits", arguments: models,
        TestLevel.cases([1, 2, 63, 64, 65, 128, 150], standard: 3))
    func sequenceBeginsWithKept(name: String, length: Int) throws {
        let (model, runner) = try runner(name)
        let begin = sequence(length)
        let whole = begin + sequence(20, seed: 7)
        let expected = Array(try runner.run(whole[...], wanted: .last))
        runner.reset()
        let cache = PrefixCache(memory: runner.layout, maxBytes: 1 << 30)
        _ = try runner.run(begin[...], wanted: .none)
        insert(runner.sequence, into: cache)
        // The first session goes on its own way, in pages that it shares with the cache by now.
        _ = try runner.run(sequence(70, seed: 8)[...], wanted: .none)

        let other = runner.layout.makeSequence(limit: 1024)
        let match = cache.longestPrefix(of: whole, limit: whole.count - 1)
        #expect(match.count == length)
        try other.adopt(match, of: whole)
        let outputs = try #require(
            try runner.executor.run([BatchSegment(sequence: other, tokens: whole[length...], wanted: .last)]))
        #expect(Array(outputs[0].values) == expected)
        #expect(expected.count == model.vocabularySize)
    }

    @Test("The longest prefix is found, and never more than asked for")
    func longestBeginningFoundNever() throws {
        let (_, runner) = try runner("lfm2")
        let cache = PrefixCache(memory: runner.layout, maxBytes: 1 << 30)
        let tokens = sequence(200)
        for end in [64, 100, 192] {
            _ = try runner.run(tokens[runner.sequence.count..<end], wanted: .none)
            insert(runner.sequence, into: cache)
        }
        #expect(cache.longestPrefix(of: tokens, limit: 199).count == 192)
        #expect(cache.longestPrefix(of: tokens, limit: 191).count == 128)
        #expect(cache.longestPrefix(of: tokens, limit: 110).count == 100)
        #expect(cache.longestPrefix(of: tokens, limit: 99).count == 64)
        #expect(cache.longestPrefix(of: tokens, limit: 10).count == 0)
        #expect(cache.longestPrefix(of: [0] + tokens, limit: 150).count == 0)
    }

    @Test("What was not used for longest goes first, and the limit holds")
    func whatWasNotUsed() throws {
        let (_, runner) = try runner("llama")
        let page = runner.layout.pageByteCount
        let cache = PrefixCache(memory: runner.layout, maxBytes: 4 * page)
        func keep(_ seed: UInt64) throws {
            runner.reset()
            _ = try runner.run(sequence(128, seed: seed)[...], wanted: .none)
            insert(runner.sequence, into: cache)
            #expect(cache.byteCount <= 4 * page)
        }
        func known(_ seed: UInt64) -> Int { cache.longestPrefix(of: sequence(130, seed: seed), limit: 130).count }
        try keep(1)
        try keep(2)
        #expect(known(2) == 128 && known(1) == 128)
        try keep(3)
        #expect(known(3) == 128 && known(1) == 128 && known(2) == 0)
        cache.removeAll()
        #expect(cache.byteCount == 0 && known(1) == 0)
    }

    @Test("No more entries are kept than allowed")
    func noMoreEntriesKept() throws {
        let (_, runner) = try runner("lfm2")
        let cache = PrefixCache(memory: runner.layout, maxBytes: 1 << 30, maxEntries: 2)
        let sequences = (1...3).map { sequence(100, seed: $0) }
        for tokens in sequences {
            runner.reset()
            _ = try runner.run(tokens[...], wanted: .none)
            insert(runner.sequence, into: cache)
        }
        #expect(sequences.map { cache.longestPrefix(of: $0, limit: 100).count } == [0, 100, 100])
    }

    @Test("A sequence that grows is one entry, and the page where it ended is kept once")
    func growingSequence() throws {
        let (_, runner) = try runner("lfm2")
        let page = runner.layout.pageByteCount
        let cache = PrefixCache(memory: runner.layout, maxBytes: 1 << 30)
        let tokens = sequence(200)
        for end in [10, 30, 64, 70, 90, 130] {
            _ = try runner.run(tokens[runner.sequence.count..<end], wanted: .none)
            insert(runner.sequence, into: cache)
            #expect(cache.entryCount == 1)
        }
        // Three pages, and five places within them where the sequence may be taken up.
        let inputs = runner.layout.tailByteCount(positions: runner.layout.reach)
        #expect(cache.byteCount == 3 * page + 5 * inputs)
        #expect(
            [12, 40, 80, 100, 199].map { cache.longestPrefix(of: tokens, limit: $0).count } == [10, 30, 70, 90, 130])
        insert(runner.sequence, into: cache)
        #expect(cache.byteCount == 3 * page + 5 * inputs && cache.entryCount == 1)
    }

    @Test("Where a sequence ended, another goes on with the same bits, although the page holds more by now")
    func checkpointsInFullPages() throws {
        let (_, runner) = try runner("lfm2")
        let cache = PrefixCache(memory: runner.layout, maxBytes: 1 << 30)
        let tokens = sequence(150)
        for end in [1, 63, 90, 150] {
            _ = try runner.run(tokens[runner.sequence.count..<end], wanted: .none)
            insert(runner.sequence, into: cache)
        }
        for cut in [1, 63, 64, 90, 128] {
            let whole = Array(tokens.prefix(cut)) + sequence(30, seed: 9)
            let match = cache.longestPrefix(of: whole, limit: whole.count - 1)
            #expect(match.count == cut)
            let other = runner.layout.makeSequence(limit: 1024)
            try other.adopt(match, of: whole)
            let outputs = try #require(
                try runner.executor.run([BatchSegment(sequence: other, tokens: whole[cut...], wanted: .last)]))
            let found = Array(outputs[0].values)
            runner.reset()
            #expect(Array(try runner.run(whole[...], wanted: .last)) == found, "cut at \(cut)")
        }
    }

    @Test("Without convolutions a kept sequence is taken up wherever another one leaves it")
    func attentionIsCutAnywhere() throws {
        let (_, runner) = try runner("llama")
        let cache = PrefixCache(memory: runner.layout, maxBytes: 1 << 30)
        let tokens = sequence(150)
        _ = try runner.run(tokens[...], wanted: .none)
        insert(runner.sequence, into: cache)
        for cut in [5, 70, 140] {
            let whole = Array(tokens.prefix(cut)) + [tokens[cut] ^ 1] + sequence(30, seed: 9)
            let match = cache.longestPrefix(of: whole, limit: whole.count - 1)
            #expect(match.count == cut)
            let other = runner.layout.makeSequence(limit: 1024)
            try other.adopt(match, of: whole)
            let outputs = try #require(
                try runner.executor.run([BatchSegment(sequence: other, tokens: whole[cut...], wanted: .last)]))
            let found = Array(outputs[0].values)
            runner.reset()
            #expect(Array(try runner.run(whole[...], wanted: .last)) == found, "cut at \(cut)")
        }
    }

    @Test("Bytes and entries stay within their limits whatever is kept and looked up, and are counted as they are")
    func limitsHold() throws {
        let (_, runner) = try runner("lfm2")
        let page = runner.layout.pageByteCount
        let cache = PrefixCache(memory: runner.layout, maxBytes: 40 * page, maxEntries: 9)
        var random = RandomGenerator(seed: 11)
        let stem = sequence(300, seed: 2)
        for round in 0..<TestLevel.rounds(18, all: 150) {
            let shared = Int.random(in: 0...200, using: &random)
            let tokens =
                Array(stem.prefix(shared))
                + sequence(Int.random(in: 1...150, using: &random), seed: UInt64.random(in: 0..<40, using: &random))
            let pages = try (0..<(tokens.count + 63) / 64).map { _ in try runner.layout.makePage() }
            let tail = try runner.layout.makeTail(positions: min(tokens.count, runner.layout.reach))
            cache.insert(
                SharedState(pages: pages, count: tokens.count, tail: tokens.count % 64 == 0 ? nil : tail), of: tokens)
            #expect(cache.byteCount <= cache.maxBytes && cache.entryCount <= cache.maxEntries, "round \(round)")
            #expect(cache.longestPrefix(of: tokens, limit: 1000).count == tokens.count)
        }
        cache.removeAll()
        #expect(cache.byteCount == 0 && cache.entryCount == 0)
    }

    @Test("Sessions of one engine begin with what others computed")
    func sessionsOneEngineBegin() async throws {
        let fixture = try Fixture.load("lfm2")
        var options = EngineOptions()
        options.prefixCacheBytes = 64 << 20
        options.keyValueType = .f32
        let engine = try Engine(model: try Fixture.model("lfm2"), options: options)
        let request = GenerationRequest(prompt: fixture.tokens, sampling: .greedy, maxTokens: 24)
        for expected in [0, fixture.tokens.count - 1] {
            var tokens: [TokenID] = []
            for await event in engine.makeSession().events(request) {
                if case .token(let token) = event { tokens.append(token) }
                if case .finished(let result) = event {
                    // The same prompt again is found but for its last token, which lies within the last page.
                    #expect(result.cachedPromptTokens == (expected == 0 ? 0 : 64))
                }
            }
            #expect(tokens == fixture.greedy)
        }
    }
}
