import LeapBase
import LeapCompute
import LeapModel

/// Pages of sequences, or what recurrent layers keep of them, in one buffer of a device, which the processor reads and
/// writes too.
///
/// Where the device reads the host's memory, it lies in that: what sequences hold outlives the device.
final class StateArena: PageMemory, @unchecked Sendable {  // what changes is behind a lock
    private struct State {
        /// Slots that were used and are free.
        var free: [Int] = []
        /// Slots that were used so far.
        var used = 0
        var isRetired = false
    }

    let buffer: any GPUBuffer
    let arithmetic: String
    private let base: UnsafeMutableRawPointer
    /// The memory of the host that the buffer lies in; nil where it lies in none.
    private let memory: AlignedMemory?
    private let slotByteCount: Int
    let slotCount: Int
    private let state = Locked(State())

    /// Room for pages.
    ///
    /// - Parameters:
    ///   - count: pages, of which there are fewer where they do not fit.
    ///   - arithmetic: names the device and what it computes.
    static func forPages(
        _ device: any GPUDevice, pageByteCount: Int, count: Int, arithmetic: String
    ) throws(GPUError) -> StateArena {
        try StateArena(
            device, byteCount: pageByteCount, count: count, memoryShare: 2, arithmetic: arithmetic)
    }

    /// Room for recurrent states.
    ///
    /// - Parameter byteCount: what one sequence takes.
    static func forStates(
        _ device: any GPUDevice, byteCount: Int, arithmetic: String
    ) throws(GPUError) -> StateArena {
        try StateArena(
            device, byteCount: byteCount, count: DevicePages.states(byteCount: byteCount), memoryShare: 4,
            arithmetic: arithmetic)
    }

    /// - Parameters:
    ///   - byteCount: of a slot.
    ///   - wanted: slots, of which there are fewer where they do not fit.
    ///   - memoryShare: the part of the device's memory that they may take, as a divisor.
    private init(
        _ device: any GPUDevice, byteCount slotBytes: Int, count wanted: Int, memoryShare: Int, arithmetic: String
    ) throws(GPUError) {
        let properties = device.properties
        // Copies and bindings like it, and no slot shares a line of a cache with another.
        let slot = (slotBytes + 255) & ~255
        let limit = min(
            properties.bindingByteCount, properties.bufferByteCount, properties.memoryByteCount / memoryShare)
        let count = min(wanted, limit / slot)
        guard count > 0 else { throw .outOfMemory(byteCount: slot) }
        slotByteCount = slot
        slotCount = count
        self.arithmetic = arithmetic
        let alignment = properties.hostMemoryAlignment ?? 1
        let byteCount = (count * slot + alignment - 1) / alignment * alignment
        var (shared, imported): (AlignedMemory?, (any GPUBuffer)?)
        if properties.isUnified, properties.hostMemoryAlignment != nil,
            let memory = try? AlignedMemory(byteCount: byteCount, pool: MemoryPool())
        {
            shared = memory
            imported = try? device.makeBuffer(
                over: UnsafeMutableRawBufferPointer(start: memory.base, count: byteCount))
        }
        if let imported {
            (buffer, memory) = (imported, shared)
        } else {
            (buffer, memory) = (try device.makeBuffer(byteCount: count * slot), nil)
        }
        guard let base = buffer.contents.baseAddress else { throw .lost }
        self.base = base
    }

    /// The same memory for another opening of the device.
    ///
    /// - Throws: ``GPUError/reset`` if it is the device's, and so was lost with it.
    func buffer(on device: any GPUDevice) throws(GPUError) -> any GPUBuffer {
        guard memory != nil else { throw .reset }
        return try device.makeBuffer(over: buffer.contents)
    }

    func take(byteCount: Int, pool: MemoryPool) throws(EngineError) -> AlignedMemory? {
        guard byteCount <= slotByteCount else { return nil }
        let slot = state.withLock { state -> Int? in
            if state.isRetired { return nil }
            if let slot = state.free.popLast() { return slot }
            guard state.used < slotCount else { return nil }
            state.used += 1
            return state.used - 1
        }
        guard let slot else { return nil }
        let page = base + slot * slotByteCount
        let memory = try AlignedMemory(base: page, byteCount: byteCount, pool: pool) { [self] in give(back: slot) }
        memset(page, 0, byteCount)
        return memory
    }

    private func give(back slot: Int) {
        state.withLock { state in
            if !state.isRetired { state.free.append(slot) }
        }
    }

    /// Gives out no more slots: the device may still write into those that there are.
    func retire() { state.withLock { $0.isRetired = true } }

    /// The offset of something in a slot from the start of the buffer, in bytes; nil for what lies elsewhere.
    func offset(of place: UnsafeRawPointer) -> Int? {
        let offset = place - UnsafeRawPointer(base)
        return offset >= 0 && offset < slotCount * slotByteCount ? offset : nil
    }
}
