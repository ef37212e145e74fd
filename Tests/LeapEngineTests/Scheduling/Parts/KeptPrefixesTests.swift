import LeapBase
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The prefixes that are kept, alone.
@Suite(.inTurns)
struct KeptPrefixesTests {
    private func state(_ count: Int, _ parts: PartsFixture) throws -> SequenceState {
        let state = parts.executor.makeSequence(limit: 1024)
        let prompt = PartsFixture.request(count).prompt[...]
        _ = try parts.executor.run([BatchSegment(sequence: state, tokens: prompt, wanted: .none)]) { true }
        return state
    }

    @Test("What is kept is found again, told to other threads, and given up page by page")
    func keeping() throws {
        let parts = PartsFixture(cacheBytes: 1 << 20)
        let prompt = PartsFixture.request(150).prompt
        #expect(parts.prefixes.longestPrefix(of: prompt, limit: 149)?.count == 0)
        parts.prefixes.keep(try state(150, parts), isOver: true)
        #expect(parts.prefixes.longestPrefix(of: prompt, limit: 149)?.count == 149)
        #expect(parts.counters.statistics.cacheBytes == 3 * 1024)
        #expect(parts.prefixes.reclaim(rows: 1) && parts.counters.statistics.cacheBytes == 2 * 1024)
        #expect(parts.counters.statistics.cacheEvictions == 1)
        #expect(parts.prefixes.longestPrefix(of: prompt, limit: 149)?.count == 128)
        parts.prefixes.unload()
        #expect(!parts.prefixes.areInMemory && parts.prefixes.longestPrefix(of: prompt, limit: 149) == nil)
        #expect(parts.counters.statistics.cacheBytes == 0 && !parts.prefixes.reclaim(rows: 1))
    }

    @Test("At a memory event all pages in memory are given back at once")
    func givingBack() throws {
        let parts = PartsFixture(cacheBytes: 1 << 20)
        parts.prefixes.keep(try state(150, parts), isOver: true)
        let used = parts.pool.used
        let given = parts.reclaimer([parts.prefixes]).giveBack([.prefixes], rows: 0)
        #expect(given[.prefixes] ?? 0 == used - parts.pool.used && used > parts.pool.used)
        #expect(parts.counters.statistics.cacheBytes == 0 && parts.counters.statistics.cacheEvictions == 3)
    }

    @Test("A prefix of other adapters, or of other tokens, is none")
    func apart() throws {
        let parts = PartsFixture(cacheBytes: 1 << 20)
        let state = try state(128, parts)
        parts.prefixes.insert(state.shared(), of: state.tokens)
        #expect(parts.counters.statistics.cacheBytes == 2 * 1024)
        let prompt = PartsFixture.request(150).prompt
        #expect(parts.prefixes.longestPrefix(of: prompt, limit: 149)?.count == 128)
        #expect(parts.prefixes.longestPrefix(of: prompt, limit: 149, adapters: StableHash(seed: 1))?.count == 0)
        #expect(parts.prefixes.longestPrefix(of: PartsFixture.request(150, from: 101).prompt, limit: 149)?.count == 0)
    }

    @Test("Beginnings are counted where anything is kept, and not otherwise")
    func beginnings() {
        let (kept, none) = (PartsFixture(cacheBytes: 1), PartsFixture())
        for place in [PrefixPlace.memory, .disk, .nowhere, .session] {
            for parts in [kept, none] { parts.prefixes.noteBeginning(place) }
        }
        let (some, empty) = (kept.counters.statistics, none.counters.statistics)
        #expect([some.cacheHits, some.diskCacheHits, some.cacheMisses] == [1, 1, 1])
        #expect([empty.cacheHits, empty.diskCacheHits, empty.cacheMisses] == [0, 0, 0])
        #expect(!none.prefixes.areInMemory && !none.prefixes.areOnDisk)
    }
}
