import LeapBase
import LeapCompute
import LeapModel

/// Pages of sequences, or what recurrent layers keep of them, where a device and the processor read and write them.
///
/// Their memory is taken as sequences grow: a chunk gets longer, or there is another one. What was added and is in use
/// no more is given back.
/// Where the device reads the host's memory, it lies in that: what sequences hold outlives the device.
final class StateArena: PageMemory, @unchecked Sendable {  // what changes is behind a lock
    /// The place of something in a chunk.
    struct Place {
        let chunk: StateChunk
        /// The chunk's buffer, which is replaced when the chunk changes its length.
        let buffer: any GPUBuffer
        /// The offset from the start of the buffer, in bytes.
        let offset: Int
    }

    private struct State {
        /// The device, in its present opening.
        var device: any GPUDevice
        var chunks: [StateChunk] = []
        /// The number of chunks that there ever were.
        var madeCount = 0
        /// The number of times that a buffer was given back or replaced.
        var changeCount = 0
        /// The number of slots that are refused before the device, which refused memory, is asked again.
        var refusalsLeft = 0
        var isRetired = false
    }

    /// A slot that was taken.
    private struct Slot {
        let start: UnsafeMutableRawPointer
        let chunk: Int
        let index: Int
    }

    /// Bytes that are taken first; the next time it is twice as many, and four times as many from then on.
    static let chunkByteCount = 64 << 20
    private static let doublings = 2
    /// Bytes of a chunk that stays where no slot of it is in use: it is less than what buffers of batches take, and
    /// pictures and sounds come and go often.
    static let smallByteCount = 8 << 20
    /// The number of slots that are refused after the device refused memory, if none is given back meanwhile.
    static let refusalCount = 64

    let arithmetic: String
    /// True if there can be several chunks.
    let isGrowing: Bool
    private let budget: MemoryBudget
    private let slotByteCount: Int
    /// The most slots.
    private let slotMax: Int
    /// The most bytes of a chunk.
    private let chunkByteMax: Int
    private let state: Locked<State>

    /// Room for pages.
    ///
    /// - Parameters:
    ///   - count: pages, of which there are fewer where they do not fit.
    ///   - canGrow: whether kernels can go through pages in several buffers; otherwise there is one.
    ///   - arithmetic: names the device and what it computes.
    /// - Throws: ``GPUError/outOfMemory(byteCount:)`` where nothing is left for a page.
    static func forPages(
        _ device: any GPUDevice, _ budget: MemoryBudget, pageByteCount: Int, count: Int, canGrow: Bool = true,
        arithmetic: String
    ) throws(GPUError) -> StateArena {
        try StateArena(
            device, budget, byteCount: pageByteCount, count: count, share: 1, canGrow: canGrow,
            arithmetic: arithmetic)
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
        // Buffers over the host's memory end where its pages do.
        let alignment = properties.hostMemoryAlignment ?? 1, room = budget.room / share
        let longest = min(properties.bindingByteCount, properties.bufferByteCount) / alignment * alignment
        let first = canGrow ? max(Self.chunkByteCount, slot) : longest
        let fitting = min(longest, first, room) / slot
        isGrowing = canGrow && wanted > fitting && longest / slot > 1
        slotMax = isGrowing ? wanted : min(wanted, fitting)
        guard slotMax > 0, min(longest, room) / slot >= (isGrowing ? 2 : 1) else {
            throw .outOfMemory(byteCount: slot)
        }
        state = Locked(State(device: device))
        (self.budget, self.arithmetic) = (budget, arithmetic)
        (slotByteCount, chunkByteMax) = (slot, longest)
    }

    /// Makes buffers over the same memory on another opening of the device.
    ///
    /// - Throws: ``GPUError/reset`` if memory in use is the device's, and so was lost with it.
    func move(to device: any GPUDevice) throws(GPUError) {
        // Buffers, and what they are the last to use, go when the lock is free again.
        let outcome = state.withLock { state -> (replaced: [AnyObject], failure: GPUError?) in
            var replaced: [AnyObject] = [state.device]
            state.device = device
            state.refusalsLeft = 0
            state.changeCount += 1
            // What is the device's and empty holds nothing that is worth keeping.
            replaced += state.chunks.filter { !$0.isOfHost && $0.isEmpty }
            state.chunks.removeAll { !$0.isOfHost && $0.isEmpty }
            for chunk in state.chunks {
                do throws(GPUError) { replaced.append(try chunk.move(to: device)) } catch {
                    return (replaced, error)
                }
            }
            return (replaced, nil)
        }
        if let failure = outcome.failure { throw failure }
        withExtendedLifetime(outcome) {}
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
            if let slot = Self.slot(of: chunk) { return slot }
        }
        return grow(&state).flatMap(Self.slot(of:))
    }

    private static func slot(of chunk: StateChunk) -> Slot? {
        chunk.take().map { Slot(start: chunk.start(of: $0), chunk: chunk.number, index: $0) }
    }

    /// Makes the last chunk longer or adds one, by less where the device refuses; nil where there is no room.
    private func grow(_ state: inout State) -> StateChunk? {
        guard state.refusalsLeft == 0 else {
            state.refusalsLeft -= 1
            return nil
        }
        guard isGrowing || state.chunks.isEmpty else { return nil }
        let missing = slotMax - state.chunks.reduce(0) { $0 + $1.slotCount }
        guard missing > 0 else { return nil }
        let spare = isGrowing ? 1 : 0, parts = state.chunks.reduce(0) { $0 + $1.partCount }
        let growth = isGrowing ? Self.chunkByteCount << min(parts, Self.doublings) : chunkByteMax
        let limit = min(max(growth, 2 * slotByteCount), chunkByteMax, budget.room) / slotByteCount
        if let last = state.chunks.last {
            var count = min(limit, missing, last.extensionMax)
            while count > 0 {
                if last.extend(by: count, state.device, budget) {
                    state.changeCount += 1
                    return last
                }
                count /= 2
            }
        }
        var count = min(limit, missing + spare)
        let most = min(missing + spare, chunkByteMax / slotByteCount)
        while count > spare {
            let size = StateChunk.Size(
                slotByteCount: slotByteCount, slots: count, slotMax: isGrowing ? most : count, hasSpare: isGrowing)
            if let chunk = try? StateChunk(state.device, budget, number: state.madeCount, size) {
                state.madeCount += 1
                state.chunks.append(chunk)
                return chunk
            }
            count /= 2
        }
        state.refusalsLeft = Self.refusalCount
        return nil
    }

    private func give(back slot: Int, of number: Int) {
        // Buffers go when the lock is free again.
        let dropped = state.withLock { state -> (chunk: StateChunk?, buffer: (any GPUBuffer)?) in
            // The device may still write into what there is.
            guard !state.isRetired, let index = state.chunks.firstIndex(where: { $0.number == number }) else {
                return (nil, nil)
            }
            state.refusalsLeft = 0
            let chunk = state.chunks[index]
            chunk.give(back: slot)
            guard chunk.isEmpty, chunk.buffer.byteCount > Self.smallByteCount else {
                let replaced = chunk.shrink(state.device, budget)
                if replaced != nil { state.changeCount += 1 }
                return (nil, replaced)
            }
            state.changeCount += 1
            return (state.chunks.remove(at: index), nil)
        }
        withExtendedLifetime(dropped) {}
    }

    /// Gives out no more slots: the device may still write into those that there are.
    func retire() { state.withLock { $0.isRetired = true } }

    /// The place of something in a slot; nil for what lies elsewhere.
    func place(of pointer: UnsafeRawPointer) -> Place? {
        state.withLock { state in
            for chunk in state.chunks {
                guard let offset = chunk.offset(of: pointer) else { continue }
                return Place(chunk: chunk, buffer: chunk.buffer, offset: offset)
            }
            return nil
        }
    }

    /// The chunks that there are now.
    var chunks: [StateChunk] { state.withLock { $0.chunks } }

    /// The number of slots that there is memory for now.
    var slotCount: Int { chunks.reduce(0) { $0 + $1.slotCount } }

    /// A number that changes when commands from before may hold a buffer that was given back or replaced.
    var generation: Int { state.withLock { $0.changeCount } }
}
