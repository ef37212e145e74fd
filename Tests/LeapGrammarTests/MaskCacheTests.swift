import Testing

@testable import LeapGrammar

/// Tests of the parts that masks are made from and kept in, each alone.
@Suite("Caches of masks")
struct MaskCacheTests {
    @Test("A mask is found by its state with its cost, until hundreds of newer ones have come")
    func states() throws {
        var cache = MaskCache()
        check(cache.find(1) == nil)
        let slot = cache.add(1, wordCount: 2)
        _ = cache.withMask(slot, wordCount: 2) { $0[1] = 42 }
        cache.setCost(slot, 7)
        let other = cache.add(2, wordCount: 2)
        check(cache.withMask(other, wordCount: 2) { [$0[0], $0[1]] } == [0, 0])
        let found = try required(cache.find(1))
        check(found.cost == 7)
        check(cache.withMask(found.slot, wordCount: 2) { $0[1] } == 42)
        for state in 3..<Int32(300) { _ = cache.add(state, wordCount: 2) }
        check(cache.find(1) == nil)
        // A slot that is used again is cleared.
        let last = try required(cache.find(257))
        check(last.slot == 0)
        check(cache.withMask(last.slot, wordCount: 2) { $0[1] } == 0)
    }

    @Test("Tokens inside of strings are kept by local state, and counted in bytes")
    func inside() {
        var cache = InsideMaskCache()
        cache.keep(3, InsideMaskCache.CachedMask(words: [1, 2], cost: 5))
        check(cache.find(3)?.words == [1, 2] && cache.find(3)?.cost == 5 && cache.find(4) == nil)
        check(cache.byteCount == 16)
        for local in 0..<Int32(300) { cache.keep(1_000 + local, InsideMaskCache.CachedMask(words: [0], cost: 0)) }
        check(cache.find(3) == nil && cache.find(1_299) != nil && cache.byteCount <= 256 * 8)
    }

    @Test("Tokens that would spell a declared key are kept by all that tells them apart")
    func declared() {
        var cache = DeclaredTokenCache()
        let key = DeclaredTokenCache.Key(object: 1, first: 2, end: 3, depth: 4)
        cache.keep(key, [9])
        check(cache.find(key) == [9])
        for path: WritableKeyPath<DeclaredTokenCache.Key, Int32> in [\.object, \.first, \.end, \.depth] {
            var other = key
            other[keyPath: path] = 7
            check(cache.find(other) == nil)
        }
    }

    @Test("Of long tokens inside of strings, all and some are all, and some and some are the more")
    func longInside() {
        var inside = LongTokenCache.Inside.upTo(3)
        inside.formUnion(.upTo(2))
        check(inside == .upTo(3))
        inside.formUnion(.upTo(8))
        check(inside == .upTo(8))
        inside.formUnion(.all)
        check(inside == .all)
        inside.formUnion(.upTo(9))
        check(inside == .all)
    }

    @Test("Visited nodes add up")
    func visits() {
        var caches = MaskCaches()
        caches.countVisits(3)
        caches.countVisits(4)
        check(caches.visitedNodes == 7)
    }

    @Test("A step inside a string is unknown, then a local state or none, in a row for each state")
    func steps() throws {
        var steps = StringSteps()
        let row = try required(steps.row(70))
        let other = try required(steps.row(71))
        check(steps.row(70) == row && row != other)
        check(steps.step(row, 97) == .unknown)
        steps.setStep(row, 97, 5)
        steps.setStep(row, 98, nil)
        check(steps.step(row, 97) == .local(5) && steps.step(row, 98) == .none)
        check(steps.step(other, 97) == .unknown)
        check(steps.local(6) == nil)
        steps.setLocal(6, 70)
        check(steps.local(6) == 70)
    }

    @Test("There are rows for a thousand states; a walk that begins with many taken begins anew")
    func room() {
        var steps = StringSteps()
        for local in 0..<Int32(1_024) { check(steps.row(local) == local) }
        check(steps.row(1_024) == nil)
        steps.setStep(0, 97, 1)
        steps.makeRoom()
        check(steps.row(1_024) == 0 && steps.step(0, 97) == .unknown)
        // With few rows taken nothing is forgotten.
        steps.setStep(0, 97, 3)
        steps.makeRoom()
        check(steps.step(0, 97) == .local(3))
    }
}
