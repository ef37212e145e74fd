import CLeapKernels
import Foundation
import LeapBase
import Testing

/// Runs one call over `count` indices and returns the visits to each index.
private func visits(pool: OpaquePointer, count: Int, grain: Int64) -> [Int32] {
    var counts = [Int32](repeating: 0, count: count)
    counts.withUnsafeMutableBufferPointer { buffer in
        leap_pool_run(
            pool, Int64(count), grain,
            { context, _, begin, end in
                guard let context else { return }
                let counts = context.assumingMemoryBound(to: Int32.self)
                for index in Int(begin)..<Int(end) { counts[index] += 1 }
            }, buffer.baseAddress)
    }
    return counts
}

struct PoolTests {
    @Test("Every index is visited exactly once", arguments: [1, 2, 3, 5, 9])
    func coversRange(threads: Int32) throws {
        let pool = try #require(leap_pool_create(threads))
        defer { leap_pool_destroy(pool) }
        #expect(leap_pool_threads(pool) == threads)
        for count in [0, 1, 2, 3, 7, 64, 1000] {
            for grain: Int64 in [0, 1, 3, 64, 5000] {
                #expect(
                    visits(pool: pool, count: count, grain: grain) == [Int32](repeating: 1, count: count),
                    "count \(count), grain \(grain)")
            }
        }
    }

    @Test("A limit leaves threads out, loses nothing, and can be raised again")
    func limits() throws {
        let pool = try #require(leap_pool_create(5))
        defer { leap_pool_destroy(pool) }
        for (asked, threads) in [(2, 2), (1, 1), (4, 4), (0, 1), (99, 5)] as [(Int32, Int)] {
            leap_pool_limit(pool, asked)
            #expect(leap_pool_threads(pool) == Int32(threads))
            for _ in 0..<100 {
                #expect(visits(pool: pool, count: 300, grain: 1) == [Int32](repeating: 1, count: 300))
            }
            var used = [Int32](repeating: 0, count: 5)
            used.withUnsafeMutableBufferPointer { buffer in
                for _ in 0..<100 {
                    leap_pool_run(
                        pool, 64, 1,
                        { context, thread, _, _ in
                            context?.assumingMemoryBound(to: Int32.self)[Int(thread)] += 1
                        }, buffer.baseAddress)
                }
            }
            #expect(used.dropFirst(threads).allSatisfy { $0 == 0 }, "limit \(asked)")
            #expect(used.reduce(0, +) == 6400)
        }
    }

    @Test("Ten thousand forks in a row lose nothing, with more threads than processors too", arguments: [2, 3, 8])
    func manyForks(threads: Int32) throws {
        let pool = try #require(leap_pool_create(threads))
        defer { leap_pool_destroy(pool) }
        var totals = [Int64](repeating: 0, count: 16)
        totals.withUnsafeMutableBufferPointer { buffer in
            for _ in 0..<10_000 {
                leap_pool_run(
                    pool, 16, 1,
                    { context, _, begin, end in
                        guard let context else { return }
                        let totals = context.assumingMemoryBound(to: Int64.self)
                        for index in Int(begin)..<Int(end) { totals[index] += Int64(index) }
                    }, buffer.baseAddress)
            }
        }
        #expect(totals == (0..<16).map { 10_000 * Int64($0) })
    }

    @Test("Calls that read lose nothing while other threads keep interrupting theirs, which then stay away at times")
    func interruptedReading() throws {
        let stopped = Locked(false)
        let busy = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
            Thread { while !stopped.withLock({ $0 }) {} }
        }
        for thread in busy { thread.start() }
        defer { stopped.withLock { $0 = true } }
        let pool = try #require(leap_pool_create(2))
        defer { leap_pool_destroy(pool) }
        var totals = [Int64](repeating: 0, count: 64)
        totals.withUnsafeMutableBufferPointer { buffer in
            for _ in 0..<2_000 {
                leap_pool_run_reading(
                    pool, 64, 1,
                    { context, _, begin, end in
                        guard let context else { return }
                        let totals = context.assumingMemoryBound(to: Int64.self)
                        // Long enough that time slices end in the middle.
                        for index in Int(begin)..<Int(end) { for _ in 0..<200 { totals[index] += 1 } }
                    }, buffer.baseAddress)
            }
        }
        #expect(totals == [Int64](repeating: 400_000, count: 64))
    }

    @Test(
        "Times of threads add up to the time measured, and none are kept while nothing is measured",
        arguments: [1, 2, 5])
    func threadTimes(threads: Int32) throws {
        let pool = try #require(leap_pool_create(threads))
        defer { leap_pool_destroy(pool) }
        func times() -> [leap_thread_time] { (0..<threads).map { leap_pool_time(pool, $0) } }
        #expect(visits(pool: pool, count: 1000, grain: 1).allSatisfy { $0 == 1 })
        #expect(times().allSatisfy { $0.total == 0 && $0.computing == 0 && $0.waiting == 0 && $0.asleep == 0 })
        leap_pool_measure(pool, 1)
        for _ in 0..<200 { #expect(visits(pool: pool, count: 1000, grain: 1).allSatisfy { $0 == 1 }) }
        for (thread, time) in times().enumerated() {
            #expect(time.total > 0 && time.computing >= 0 && time.waiting >= 0)
            #expect(time.computing + time.waiting <= time.total && time.asleep <= time.waiting)
            // A worker computes or waits; the caller is also outside of calls.
            #expect(thread == 0 || time.computing + time.waiting == time.total)
        }
        // A pool of one thread takes no pieces.
        #expect(threads == 1 || leap_pool_time(pool, 0).computing > 0)
        #expect(leap_pool_time(pool, threads).total == 0 && leap_pool_time(pool, -1).total == 0)
        leap_pool_measure(pool, 0)
        #expect(times().allSatisfy { $0.total == 0 && $0.computing == 0 && $0.waiting == 0 && $0.asleep == 0 })
    }

    @Test("Pools can be created and destroyed while their threads sleep or have just started")
    func lifecycle() throws {
        for threads: Int32 in [-3, 0, 1, 2, 4] {
            for _ in 0..<50 {
                let pool = try #require(leap_pool_create(threads))
                #expect(leap_pool_threads(pool) == max(threads, 1))
                leap_pool_destroy(pool)
            }
        }
        leap_pool_destroy(nil)
    }
}
