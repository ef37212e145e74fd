import Foundation
import LeapBase
import LeapTestTraits
import Testing

@testable import LeapServing

/// Keys of a file that changes, by a clock of the test's.
@Suite(.inTurns)
struct KeyRingTests {
    /// A file of keys, and the time.
    final class Bench {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID().uuidString)").path
        private let time = Locked<Int64>(1_000_000_000)

        deinit { FileSystem.remove(path) }

        var clock: @Sendable () -> Int64 { { [time] in time.withLock { $0 } } }

        func write(_ text: String) throws { try FileSystem.publish(Array(text.utf8), at: path, durable: false) }

        func wait(_ seconds: Int64) { time.withLock { $0 += seconds } }

        func ring(_ text: String) throws -> KeyRing {
            try write(text)
            return try KeyRing(file: path, now: clock)
        }
    }

    @Test("Each key is that of its holder, and nothing else is a key")
    func holders() throws {
        let ring = try Bench().ring("alice k1\nbob k2 demo")
        #expect(ring.holder(of: "k1")?.name == "alice" && ring.holder(of: "k2")?.name == "bob")
        for other in ["", "k", "k12", "K1", "alice", "k1 "] { #expect(ring.holder(of: other) == nil) }
        // A header may be longer than any key.
        #expect(ring.holder(of: "k1" + String(repeating: "k", count: KeyFile.maxKey)) == nil)
        #expect(ring.holders.map(\.name) == ["alice", "bob"])
        #expect(ring.holder(of: "k2")?.allows(model: "demo") == true && ring.holder(of: "k2")?.isRestricted == true)
        #expect(ring.holder(of: "k2")?.allows(model: "demo2") == false && ring.holder(of: "k1")?.isRestricted == false)
    }

    @Test("A changed file is read with a request in another second, and what was used stays counted")
    func reload() throws {
        let bench = Bench()
        let ring = try bench.ring("alice k1 * 2\nbob k2")
        let alice = try #require(ring.holder(of: "k1"))
        try alice.admit()
        alice.take(tokens: 30)
        try bench.write("alice k9 demo 1 100\ncarol k3")
        // Within the same second the file is not looked at.
        #expect(ring.holder(of: "k9") == nil && ring.holder(of: "k1") === alice)
        bench.wait(1)
        #expect(ring.holder(of: "k9") === alice && ring.holder(of: "k1") == nil && ring.holder(of: "k2") == nil)
        #expect(ring.holders.map(\.name) == ["alice", "carol"])
        #expect(alice.counts.requests == 1 && alice.counts.tokens == 30 && !alice.allows(model: "other"))
        // The new limit holds for what was used before.
        #expect(throws: APIError.self) { try alice.admit() }
    }

    @Test("Where the file cannot be used any more, the keys of before stay valid, until it can")
    func broken() throws {
        let bench = Bench()
        let ring = try bench.ring("alice k1")
        for text in ["alice", "alice k1 a,,b", ""] {
            try bench.write(text)
            bench.wait(1)
            #expect(ring.holder(of: "k1")?.name == "alice", "\(text)")
        }
        FileSystem.remove(bench.path)
        bench.wait(1)
        #expect(ring.holder(of: "k1")?.name == "alice")
        try bench.write("bob k2")
        bench.wait(1)
        #expect(ring.holder(of: "k1") == nil && ring.holder(of: "k2")?.name == "bob")
        let missing = #expect(throws: KeyFileError.self) { try KeyRing(file: bench.path + ".none", now: bench.clock) }
        #expect(missing?.code == .unreadable)
        // Opening a pipe would wait for its writer.
        #expect(mkfifo(bench.path + ".pipe", 0o600) == 0)
        defer { FileSystem.remove(bench.path + ".pipe") }
        let pipe = #expect(throws: KeyFileError.self) { try KeyRing(file: bench.path + ".pipe", now: bench.clock) }
        #expect(pipe?.code == .unreadable && pipe?.message.contains("regular file") == true)
    }

    @Test("Whoever has no line any more is let in nowhere, also where it was before")
    func revoked() throws {
        let bench = Bench()
        let ring = try bench.ring("alice k1\nbob k2")
        let bob = try #require(ring.holder(of: "k2"))
        try bob.admit()
        try bench.write("alice k1")
        bench.wait(1)
        #expect(ring.holder(of: "k2") == nil)
        let error = #expect(throws: APIError.self) { try bob.admit() }
        #expect(error?.status == 401)
    }

    @Test("Requests are counted by the minute, and the wait is that until the next one")
    func requests() throws {
        let bench = Bench()
        // 1,000,000,000 is 40 seconds into a minute.
        let holder = KeyHolder(AccessKey(name: "a", key: "k", requestsPerMinute: 2), now: bench.clock)
        for _ in 0..<2 { try holder.admit() }
        bench.wait(5)
        let error = #expect(throws: APIError.self) { try holder.admit() }
        #expect(error?.status == 429 && error?.retryAfter == 15 && error?.code == "rate_limit_exceeded")
        bench.wait(15)
        try holder.admit()
        #expect(holder.counts == KeyHolder.Counts(requests: 3, refused: [.requests: 1], tokens: 0))
    }

    @Test("Tokens are counted by the day of UTC; a reply in progress may go beyond its limit")
    func tokens() throws {
        let bench = Bench()
        let holder = KeyHolder(AccessKey(name: "a", key: "k", tokensPerDay: 100), now: bench.clock)
        try holder.admit()
        holder.take(tokens: 99)
        try holder.admit()
        holder.take(tokens: 500)
        let error = #expect(throws: APIError.self) { try holder.admit() }
        // 1,000,000,000 is 01:46:40 on 9 September 2001.
        #expect(error?.retryAfter == 86_400 - 6400 && error?.code == "insufficient_quota")
        #expect(throws: APIError.self) { try holder.checkTokens() }
        bench.wait(86_400 - 6400)
        try holder.admit()
        try holder.checkTokens()
        #expect(holder.counts.tokens == 599 && holder.counts.refused == [.tokens: 2])
    }
}
