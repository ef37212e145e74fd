import LeapBase
import LeapCPU
import LeapCompute
import LeapModel

/// Pages of sequences in one buffer of a device, which the processor reads and writes too.
///
/// Where the device reads the host's memory, the pages lie in that: what sequences hold outlives the device.
final class GPUPageArena: PageMemory, @unchecked Sendable {  // what changes is behind a lock
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
    /// What the buffer lies in, where that is memory of the host.
    private let memory: AlignedMemory?
    private let slotByteCount: Int
    private let slotCount: Int
    private let state = Locked(State())

    /// The share of a device's memory that pages may take.
    private static let memoryShare = 2

    /// - Parameters:
    ///   - contextSize: the maximum number of positions of any sequence.
    ///   - arithmetic: names the device and what it computes.
    init(_ device: any GPUDevice, pageByteCount: Int, contextSize: Int, arithmetic: String) throws(GPUError) {
        let properties = device.properties
        // Copies and bindings like it, and no page shares a line of a cache with another.
        let slot = (pageByteCount + 255) & ~255
        let pages = (contextSize + StatePage.length - 1) / StatePage.length
        let limit = min(
            properties.bindingByteCount, properties.bufferByteCount, properties.memoryByteCount / Self.memoryShare)
        let count = min(pages.multipliedReportingOverflow(by: DevicePages.sequences).partialValue, limit / slot)
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

    /// Positions that all pages hold together.
    var positionCount: Int { slotCount * StatePage.length }

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

    /// Gives out no more pages: the device may still write into those that there are.
    func retire() { state.withLock { $0.isRetired = true } }

    /// Where a page starts in the buffer, in bytes; nil for one that lies elsewhere.
    func offset(of page: UnsafeMutableRawPointer) -> Int? {
        let offset = page - base
        return offset >= 0 && offset < slotCount * slotByteCount ? offset : nil
    }
}
