import LeapCompute
import LeapModel
import Testing

@testable import LeapGPU

/// Memory for the pages of sequences, over a device that counts it.
struct StateArenaTests {
    private static let mebibyte = 1 << 20

    private func pages(
        _ device: CountingDevice, weights: Int = 0, pageByteCount: Int = mebibyte, count: Int = 1000
    ) throws -> (arena: StateArena, weights: MemoryBudget.Claim) {
        let budget = MemoryBudget(device.properties), claim = budget.claim(weights, for: .weights)
        let arena = try StateArena.forPages(
            device, budget, pageByteCount: pageByteCount, count: count, arithmetic: "counting")
        return (arena, claim)
    }

    private func take(_ count: Int, of arena: StateArena, byteCount: Int = mebibyte) throws -> [AlignedMemory?] {
        let pool = MemoryPool()
        return try (0..<count).map { _ in try arena.take(byteCount: byteCount, pool: pool) }
    }

    @Test(
        "A fresh runner holds no memory for pages, after 10 tokens a chunk, after 4,000 no more, and idle none again",
        arguments: [nil, 4096])
    func growth(alignment: Int?) throws {
        // Keys and values of LFM2-1.2B: 12 KiB for a position.
        let pageByteCount = StatePage.length * 12 << 10, chunk = StateArena.chunkByteCount
        let device = CountingDevice(memoryByteCount: 5 << 30, hostMemoryAlignment: alignment)
        let (arena, weights) = try pages(
            device, weights: 700 << 20, pageByteCount: pageByteCount, count: GPUPart.pages(contextSize: 32_000))
        #expect(device.byteCount == 0)
        var held = try take(1, of: arena, byteCount: pageByteCount)
        let few = device.byteCount
        #expect(few > chunk - pageByteCount && few <= chunk + 4096)
        held += try take(62, of: arena, byteCount: pageByteCount)
        #expect(device.byteCount == few && held.count * StatePage.length >= 4000)
        // The first chunk has 84 pages and a spare one.
        held += try take(22, of: arena, byteCount: pageByteCount)
        #expect(device.byteCount > 2 * few && device.byteCount <= 3 * chunk + 2 * 4096)
        // What the device reads in the host's memory gets longer; elsewhere there is a second buffer.
        #expect(held.allSatisfy { $0 != nil } && arena.chunks.count == (alignment == nil ? 2 : 1))
        let buffers = Set(held.compactMap { page in page.flatMap { arena.place(of: $0.base) }?.chunk.number })
        #expect(held.count == 85 && buffers.count == arena.chunks.count)
        held.removeLast()
        #expect(device.byteCount == few && arena.generation == (alignment == nil ? 1 : 2))
        held = []
        #expect(device.byteCount == 0)
        withExtendedLifetime(weights) {}
    }

    @Test("Pages get what weights leave, and a device without room for any gets no layers")
    func room() throws {
        let device = CountingDevice(memoryByteCount: 104 * Self.mebibyte)
        // An eighth is for batches: 31 MiB are left, one of them spare.
        let (arena, weights) = try pages(device, weights: 60 * Self.mebibyte)
        let held = try take(40, of: arena)
        #expect(held.count { $0 != nil } == 30 && arena.slotCount == 30)
        #expect(throws: GPUError.outOfMemory(byteCount: Self.mebibyte)) {
            try pages(CountingDevice(memoryByteCount: 8 * Self.mebibyte), weights: 8 * Self.mebibyte)
        }
        withExtendedLifetime((held, weights)) {}
    }

    @Test("What is added to a chunk is given back from its end on, and pages in front keep their place and bytes")
    func shrinking() throws {
        let device = CountingDevice(memoryByteCount: 1 << 30, hostMemoryAlignment: 4096)
        let (arena, _) = try pages(device, pageByteCount: 16 * Self.mebibyte, count: 40)
        var held = try take(3, of: arena, byteCount: 64)
        // 64 MiB: three pages and a spare one; then 128 MiB, and 256.
        #expect(device.byteCount == 64 * Self.mebibyte)
        let first = try #require(held[0]).base
        first.storeBytes(of: 0x1234_5678, as: UInt32.self)
        held += try take(9, of: arena, byteCount: 64)
        #expect(arena.chunks.count == 1 && device.byteCount == (64 + 128 + 256) * Self.mebibyte)
        #expect(held.allSatisfy { $0 != nil })
        // The last page in use decides.
        held.remove(at: 1)
        #expect(device.byteCount == (64 + 128 + 256) * Self.mebibyte)
        held.removeLast()
        #expect(device.byteCount == (64 + 128) * Self.mebibyte)
        // A free page in front is taken before memory is.
        held += try take(1, of: arena, byteCount: 64)
        #expect(device.byteCount == (64 + 128) * Self.mebibyte && held.last??.base == first + 16 * Self.mebibyte)
        #expect(arena.place(of: first)?.offset == 16 * Self.mebibyte)
        #expect(first.load(as: UInt32.self) == 0x1234_5678)
    }

    @Test("A device that refuses large buffers is asked for smaller ones")
    func refusals() throws {
        let device = CountingDevice(memoryByteCount: 1 << 30)
        device.largestByteCount = 10 * Self.mebibyte
        let (arena, _) = try pages(device)
        let held = try take(20, of: arena)
        #expect(held.allSatisfy { $0 != nil })
        // Three of 8 MiB, with 7 pages and a spare one each.
        #expect(device.byteCount == 24 * Self.mebibyte && arena.slotCount == 21)
    }

    @Test("A device that refuses all is asked again when a page was given back, or after some more pages")
    func exhaustion() throws {
        let device = CountingDevice(memoryByteCount: 1 << 30)
        device.largestByteCount = 4 * Self.mebibyte
        let (arena, _) = try pages(device)
        var held = try take(3, of: arena)
        device.largestByteCount = 0
        #expect(try take(1, of: arena)[0] == nil)
        let refusals = device.refusalCount
        #expect(try take(1, of: arena)[0] == nil)
        #expect(device.refusalCount == refusals)
        held.removeLast()
        let own = try take(2, of: arena)
        #expect(own[0] != nil && own[1] == nil && device.refusalCount > refusals)
        device.largestByteCount = .max
        let none = try take(StateArena.refusalCount, of: arena)
        #expect(none.allSatisfy { $0 == nil })
        let again = try take(2, of: arena)
        #expect(again.allSatisfy { $0 != nil })
        withExtendedLifetime(held) {}
    }

    @Test("A device with short bindings gets several chunks, each as long as a binding at most")
    func shortBindings() throws {
        let device = CountingDevice(memoryByteCount: 1 << 30, bindingByteCount: 4 * Self.mebibyte)
        let (arena, _) = try pages(device)
        let held = try take(10, of: arena)
        let places = held.map { $0.flatMap { arena.place(of: $0.base) } }
        #expect(places.map { $0?.chunk.number } == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3])
        #expect(places.allSatisfy { (1..<4).contains(($0?.offset ?? 0) / Self.mebibyte) })
        #expect(places.allSatisfy { $0?.chunk.spareStart == 0 })
        let spans = PageSpans([
            SeenPages(first: 0, places: places[0...4].compactMap { $0 }),
            SeenPages(first: 2, places: [places[5], places[0], places[6]].compactMap { $0 }),
        ])
        #expect(spans.chunks.map(\.number) == [0, 1, 2])
        #expect(spans.spans.map(\.chunk) == [0, 1, 2])
        #expect(spans.spans.map(\.pages) == [[0..<3, 1..<2], [3..<5, 0..<1], [0..<0, 2..<3]])
    }

    @Test("What few sequences need lies in one chunk without a spare page")
    func one() throws {
        let device = CountingDevice(memoryByteCount: 1 << 30)
        let (arena, _) = try pages(device, count: 3)
        let held = try take(4, of: arena)
        #expect(!arena.isGrowing && held.map { $0 != nil } == [true, true, true, false])
        #expect(device.byteCount == 3 * Self.mebibyte)
    }

    @Test("A small chunk stays where no page is in use, and is used again")
    func small() throws {
        let device = CountingDevice(memoryByteCount: 1 << 30)
        let (arena, _) = try pages(device, count: 8)
        var held = try take(1, of: arena)
        let chunk = try #require(arena.chunks.first)
        held = []
        #expect(device.byteCount == StateArena.smallByteCount && arena.generation == 0)
        held = try take(1, of: arena)
        #expect(arena.chunks.count == 1 && arena.chunks.first === chunk && held.count == 1)
    }

    @Test("After a reset pages stay where they are if the memory is the host's, in buffers of the new opening")
    func reopening() throws {
        let device = CountingDevice(hostMemoryAlignment: 4096), opened = CountingDevice(hostMemoryAlignment: 4096)
        let (arena, _) = try pages(device, pageByteCount: 16 * Self.mebibyte, count: 40)
        var held = try take(4, of: arena, byteCount: 64)
        let first = try #require(held[0]).base, generation = arena.generation
        first.storeBytes(of: 0x1234_5678, as: UInt32.self)
        try arena.move(to: opened)
        #expect(device.byteCount == 0 && opened.byteCount == (64 + 128) * Self.mebibyte)
        let seen = arena.place(of: first).flatMap { place in
            place.buffer.contents.baseAddress.map { $0 + place.offset }
        }
        #expect(seen == first && arena.generation > generation)
        #expect(first.load(as: UInt32.self) == 0x1234_5678)
        // It grows and shrinks there.
        held += try take(9, of: arena, byteCount: 64)
        #expect(device.byteCount == 0 && opened.byteCount == (64 + 128 + 256) * Self.mebibyte)
        held = []
        #expect(opened.byteCount == 0)
    }

    @Test("Pages in memory of the device's own are lost in a reset; a buffer without pages is left out")
    func lostPages() throws {
        let device = CountingDevice(), opened = CountingDevice()
        let (arena, _) = try pages(device, count: 3)
        var held = try take(1, of: arena)
        #expect(throws: GPUError.reset) { try arena.move(to: opened) }
        held = []
        try arena.move(to: opened)
        #expect(arena.chunks.isEmpty && device.byteCount == 0)
        held = try take(1, of: arena)
        #expect(device.byteCount == 0 && opened.byteCount == 3 * Self.mebibyte && held.count == 1)
    }

    @Test("Memory that a lost device may write to is kept")
    func retirement() throws {
        let device = CountingDevice(memoryByteCount: 1 << 30)
        let (arena, _) = try pages(device, count: 20)
        var held = try take(1, of: arena)
        arena.retire()
        held = []
        #expect(device.byteCount == 20 * Self.mebibyte)
        #expect(try take(1, of: arena)[0] == nil)
        withExtendedLifetime((arena, held)) {}
    }
}
