import LeapBase
import LeapCPU
import LeapCompute
import LeapModel

/// Memory for what recurrent layers keep of sequences, which a device and the processor read and write: a buffer for each sequence.
///
/// Where the device reads the host's memory, a buffer lies in that. Slots are taken by the thread that uses the device, and given back by any.
final class GPUStateSlots: @unchecked Sendable {  // what other threads change is behind a lock
    private struct Slot {
        let buffer: any GPUBuffer
        let base: UnsafeMutableRawPointer
        /// What the buffer lies in, where that is memory of the host.
        let memory: AlignedMemory?
    }

    private let device: any GPUDevice
    /// Bytes of a slot: two places for a state.
    private let byteCount: Int
    /// The most slots.
    let limit: Int
    private var slots: [Int: Slot] = [:]
    private var next = 0
    /// Slots that sequences have given back.
    private let free = Locked<[Int]>([])
    private var isRetired = false

    /// The share of a device's memory that states may take.
    private static let memoryShare = 4
    /// Slots that are kept for sequences to come.
    private static let keptCount = 2

    /// - Parameter byteCount: what a sequence takes.
    init(_ device: any GPUDevice, byteCount: Int) {
        self.device = device
        // Copies like it.
        self.byteCount = (byteCount + 255) & ~255
        let properties = device.properties
        let fits = self.byteCount <= min(properties.bindingByteCount, properties.bufferByteCount)
        limit = fits ? properties.memoryByteCount / Self.memoryShare / self.byteCount : 0
    }

    /// Memory for a sequence; nil where the device has no more.
    ///
    /// - Parameter pool: counts it.
    func take(_ pool: MemoryPool) throws(GPUError) -> AlignedMemory? {
        guard !isRetired, let index = try freeSlot(), let slot = slots[index] else { return nil }
        return try? AlignedMemory(base: slot.base, byteCount: byteCount, pool: pool) { [self] in
            free.withLock { $0.append(index) }
        }
    }

    private func freeSlot() throws(GPUError) -> Int? {
        var unused = free.withLock { free in
            defer { free = [] }
            return free
        }
        // The first that were given back go, beyond those that are kept.
        while unused.count > Self.keptCount { slots[unused.removeFirst()] = nil }
        let found = unused.popLast()
        free.withLock { $0 += unused }
        if let found { return found }
        guard slots.count < limit else { return nil }
        do {
            slots[next] = try makeSlot()
        } catch {
            if case .outOfMemory = error { return nil }
            throw error
        }
        next += 1
        return next - 1
    }

    private func makeSlot() throws(GPUError) -> Slot {
        if device.properties.isUnified, let alignment = device.properties.hostMemoryAlignment {
            let whole = (byteCount + alignment - 1) / alignment * alignment
            if let memory = try? AlignedMemory(byteCount: whole, pool: MemoryPool()),
                let buffer = try? device.makeBuffer(
                    over: UnsafeMutableRawBufferPointer(start: memory.base, count: whole))
            {
                return Slot(buffer: buffer, base: memory.base, memory: memory)
            }
        }
        let buffer = try device.makeBuffer(byteCount: byteCount)
        guard let base = buffer.contents.baseAddress else { throw .lost }
        return Slot(buffer: buffer, base: base, memory: nil)
    }

    /// Gives out no more slots: the device may still write into those that there are.
    func retire() { isRetired = true }

    /// The slot that something lies in, as a kernel sees it, and where it is there, in bytes; nil for what lies elsewhere.
    func find(_ place: UnsafeRawPointer) -> (binding: GPUBinding, offset: Int)? {
        for slot in slots.values {
            let offset = place - UnsafeRawPointer(slot.base)
            if offset >= 0, offset < byteCount { return (GPUBinding(slot.buffer, 0..<byteCount), offset) }
        }
        return nil
    }
}
