import LeapBase
import LeapCompute
import LeapModel

/// Pages of sequences, or what recurrent layers keep of them, where a device and the processor read and write them.
///
/// Their memory is taken in chunks as sequences grow. A chunk of which no slot is in use is given back, if it is not
/// small.
/// Where the device reads the host's memory, it lies in that: what sequences hold outlives the device.
final class StateArena: PageMemory, @unchecked Sendable {  // what changes is behind a lock
    /// The place of something in a chunk.
    struct Place {
        let chunk: StateChunk
        /// The offset from the start of the chunk's buffer, in bytes.
        let offset: Int
    }

    private struct State {
        var chunks: [StateChunk] = []
        /// The number of chunks that there ever were.
        var madeCount = 0
        /// The number of chunks that were given back.
        var droppedCount = 0
        /// True if the device refused memory since a slot was given back.
        var isRefused = false
        var isRetired = false
    }

    /// A slot that was taken.
    private struct Slot {
        let start: UnsafeMutableRawPointer
        let chunk: Int
        let index: Int
    }

    /// Bytes of the first chunk. The second one has twice as many, all others four times.
    static let chunkByteCount = 64 << 20
    private static let doublings = 2
    /// Bytes of a chunk that stays where no slot of it is in use: it is less than what buffers of batches take, and
    /// pictures and sounds come and go often.
    static let smallByteCount = 8 << 20

    let arithmetic: String
    /// True if there can be several chunks.
    let isGrowing: Bool
    private let device: any GPUDevice
    private let budget: MemoryBudget
    private let slotByteCount: Int
    /// The most slots.
    private let slotMax: Int
    /// The most bytes of a chunk.
    private let chunkByteMax: Int
    private let state = Locked(State())

    /// Room for pages.
    ///
    /// - Parameters:
    ///   - count: pages, of which there are fewer where they do not fit.
    ///   - arithmetic: names the device and what it computes.
    /// - Throws: ``GPUError/outOfMemory(byteCount:)`` where nothing is left for a page.
    static func forPages(
        _ device: any GPUDevice, _ budget: MemoryBudget, pageByteCount: Int, count: Int, arithmetic: String
    ) throws(GPUError) -> StateArena {
        try StateArena(
            device, budget, byteCount: pageByteCount, count: count, share: 1, canGrow: true, arithmetic: arithmetic)
    }

    /// Room for recurrent states, in one chunk: a kernel sees the states of all sequences.
    ///
    /// - Parameter byteCount: what one sequence takes.
    /// - Throws: ``GPUError/outOfMemory(byteCount:)`` where nothing is left for a state.
    static func forStates(
        _ device: any GPUDevice, _ budget: MemoryBudget, byteCount: Int, arithmetic: String
    ) throws(GPUError) -> StateArena {
        try StateArena(
            device, budget, byteCount: byteCount, count: DevicePages.states(byteCount: byteCount), share: 4,
            canGrow: false, arithmetic: arithmetic)
    }

    /// - Parameters:
    ///   - byteCount: of a slot.
    ///   - wanted: slots, of which there are fewer where they do not fit.
    ///   - share: the part that they may take of what the device's memory has left, as a divisor.
    ///   - canGrow: whether kernels can go through several chunks.
    private init(
        _ device: any GPUDevice, _ budget: MemoryBudget, byteCount slotBytes: Int, count wanted: Int, share: Int,
        canGrow: Bool, arithmetic: String
    ) throws(GPUError) {
        let properties = device.properties
        // Copies and bindings like it, and no slot shares a line of a cache with another.
        let slot = (slotBytes + 255) & ~255
        let longest = min(properties.bindingByteCount, properties.bufferByteCount), room = budget.room / share
        let first = canGrow ? max(Self.chunkByteCount, slot) : longest
        let fitting = min(longest, first, room) / slot
        isGrowing = canGrow && wanted > fitting && longest / slot > 1
        slotMax = isGrowing ? wanted : min(wanted, fitting)
        guard slotMax > 0, min(longest, room) / slot >= (isGrowing ? 2 : 1) else {
            throw .outOfMemory(byteCount: slot)
        }
        (self.device, self.budget, self.arithmetic) = (device, budget, arithmetic)
        (slotByteCount, chunkByteMax) = (slot, longest)
    }

    func take(byteCount: Int, pool: MemoryPool) throws(EngineError) -> AlignedMemory? {
        guard byteCount <= slotByteCount, let slot = state.withLock({ takeSlot(&$0) }) else { return nil }
        let (chunk, index) = (slot.chunk, slot.index)
        let memory = try AlignedMemory(base: slot.start, byteCount: byteCount, pool: pool) { [self] in
            give(back: index, of: chunk)
        }
        memset(slot.start, 0, byteCount)
        return memory
    }

    private func takeSlot(_ state: inout State) -> Slot? {
        if state.isRetired { return nil }
        for chunk in state.chunks {
            if let index = chunk.take() {
                return Slot(start: chunk.start(of: index), chunk: chunk.number, index: index)
            }
        }
        guard let chunk = makeChunk(&state), let index = chunk.take() else { return nil }
        return Slot(start: chunk.start(of: index), chunk: chunk.number, index: index)
    }

    /// Adds a chunk, a smaller one where the device refuses it; nil where there is no room.
    private func makeChunk(_ state: inout State) -> StateChunk? {
        guard !state.isRefused, isGrowing || state.chunks.isEmpty else { return nil }
        let missing = slotMax - state.chunks.reduce(0) { $0 + $1.slotCount }
        guard missing > 0 else { return nil }
        let spare = isGrowing ? 1 : 0, size = Self.chunkByteCount << min(state.chunks.count, Self.doublings)
        let wanted = isGrowing ? max(size, 2 * slotByteCount) : chunkByteMax
        let limit = min(wanted, chunkByteMax, budget.room) / slotByteCount
        var count = min(limit, missing + spare)
        while count > spare {
            if let chunk = try? StateChunk(
                device, budget, number: state.madeCount, slotByteCount: slotByteCount, slotCount: count - spare,
                hasSpare: isGrowing)
            {
                state.madeCount += 1
                state.chunks.append(chunk)
                return chunk
            }
            count /= 2
        }
        state.isRefused = true
        return nil
    }

    private func give(back slot: Int, of number: Int) {
        // A buffer goes when the lock is free again.
        let dropped = state.withLock { state -> StateChunk? in
            // The device may still write into what there is.
            guard !state.isRetired, let index = state.chunks.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            state.isRefused = false
            let chunk = state.chunks[index]
            chunk.give(back: slot)
            guard chunk.isEmpty, chunk.buffer.byteCount > Self.smallByteCount else { return nil }
            state.droppedCount += 1
            return state.chunks.remove(at: index)
        }
        withExtendedLifetime(dropped) {}
    }

    /// Gives out no more slots: the device may still write into those that there are.
    func retire() { state.withLock { $0.isRetired = true } }

    /// The place of something in a slot; nil for what lies elsewhere.
    func place(of pointer: UnsafeRawPointer) -> Place? {
        state.withLock { state in
            for chunk in state.chunks {
                if let offset = chunk.offset(of: pointer) { return Place(chunk: chunk, offset: offset) }
            }
            return nil
        }
    }

    /// The chunks that there are now.
    var chunks: [StateChunk] { state.withLock { $0.chunks } }

    /// The number of slots that there is memory for now.
    var slotCount: Int { chunks.reduce(0) { $0 + $1.slotCount } }

    /// The number of chunks that were given back: commands from before may hold the memory of one.
    var generation: Int { state.withLock { $0.droppedCount } }
}
