import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The order in which memory is given up, alone.
@Suite(.inTurns)
struct MemoryReclaimerTests {
    /// Holds memory of a pool, and gives it up in pieces.
    private final class Holder: ReclaimableMemory {
        let kind: MemoryKind
        private let pool: MemoryPool
        private(set) var pieces: Int

        init(_ pieces: Int, of pool: MemoryPool, kind: MemoryKind = .prefixes) throws {
            (self.pool, self.pieces, self.kind) = (pool, pieces, kind)
            try pool.take(1024 * pieces)
        }

        func reclaim(rows: Int) -> Bool {
            guard pieces > 0 else { return false }
            pieces -= 1
            pool.giveBack(1024)
            return true
        }
    }

    @Test("Larger scratch memory goes first, then each holder until it has nothing left, in their order")
    func order() throws {
        let parts = PartsFixture()
        let holders = try [2, 1].map { try Holder($0, of: parts.pool) }
        let memory = parts.reclaimer(holders)
        let scratch = try #require(parts.executor.scratch as? ScriptedScratch)
        try scratch.take(rows: 8)
        var left: [[Int]] = []
        while memory.makeRoom(rows: 4) { left.append([scratch.byteCount] + holders.map(\.pieces)) }
        #expect(left == [[0, 2, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]])
        // Scratch memory that is no larger than needed stays.
        try scratch.take(rows: 4)
        #expect(!memory.makeRoom(rows: 4) && memory.makeRoom(rows: 3))
    }

    @Test("A step is repeated while something can be given up, and other errors are thrown at once")
    func repetition() throws {
        let parts = PartsFixture(memory: 4096)
        let holder = try Holder(3, of: parts.pool)
        let memory = parts.reclaimer([holder])
        try memory.makingRoom(rows: 1) { () throws(EngineError) in try parts.pool.take(3000) }
        #expect(holder.pieces == 1)
        let error = #expect(throws: EngineError.self) {
            try memory.makingRoom(rows: 1) { () throws(EngineError) in try parts.pool.take(3000) }
        }
        #expect(error?.code == .outOfMemory && holder.pieces == 0)
        let other = try Holder(1, of: parts.pool)
        #expect(throws: EngineError.self) {
            try parts.reclaimer([other]).makingRoom(rows: 1) { () throws(EngineError) in throw .busy }
        }
        #expect(other.pieces == 1)
    }

    @Test("A prompt is refused by its own bytes, and what it took until then is given back")
    func prompts() throws {
        let parts = PartsFixture(memory: 4096 + ScriptedScratch.bytesPerRow)
        let state = parts.executor.makeSequence(limit: 1024)
        try parts.reclaimer().reservePrompt(4 * StatePage.length, in: state, rows: 1)
        #expect(parts.pool.used == 4096)
        state.releaseReserve()
        let error = #expect(throws: EngineError.self) {
            try parts.reclaimer().reservePrompt(5 * StatePage.length, in: state, rows: 1)
        }
        #expect(error?.code == .outOfMemory && error?.needed == 5 * 1024)
        #expect(error?.message.contains("a prompt of 320 tokens") == true && parts.pool.used == 0)
        // The next tokens need scratch memory besides.
        let large = #expect(throws: EngineError.self) {
            try parts.reclaimer().reservePrompt(
                4 * StatePage.length, in: state, rows: 1 + 4096 / ScriptedScratch.bytesPerRow)
        }
        #expect(large?.code == .outOfMemory && parts.pool.used == 0)
    }

    @Test("Only the kinds that are asked for are given back, each as a whole, and their bytes are counted")
    func givingBack() throws {
        let parts = PartsFixture()
        let drafts = try Holder(2, of: parts.pool, kind: .drafts)
        let prefixes = try Holder(3, of: parts.pool, kind: .prefixes)
        let memory = parts.reclaimer([drafts, prefixes])
        let scratch = try #require(parts.executor.scratch as? ScriptedScratch)
        try scratch.take(rows: 8)
        let taken = scratch.byteCount
        #expect(memory.giveBack([.scratch, .prefixes, .sessions], rows: 0) == [.scratch: taken, .prefixes: 3 * 1024])
        #expect(drafts.pieces == 2 && prefixes.pieces == 0 && scratch.byteCount == 0)
        #expect(memory.giveBack(Set(MemoryKind.allCases), rows: 0) == [.drafts: 2 * 1024])
        #expect(memory.giveBack(Set(MemoryKind.allCases), rows: 0).isEmpty && parts.pool.used == 0)
    }

    @Test("What was unloaded is asked for nothing")
    func unloaded() throws {
        let parts = PartsFixture()
        let holder = try Holder(1, of: parts.pool)
        let memory = parts.reclaimer([holder])
        memory.unload()
        #expect(!memory.makeRoom(rows: 0) && holder.pieces == 1)
    }
}
