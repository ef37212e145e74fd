import LeapCompute
import LeapModel

/// Slots of an arena, one behind the other in one buffer of a device.
///
/// The arena's lock protects what changes.
final class StateChunk {
    /// Tells it from all other chunks that its arena ever had.
    let number: Int
    let buffer: any GPUBuffer
    /// The number of slots that are given out.
    let slotCount: Int
    /// The start of a slot that is never given out; nil without one.
    ///
    /// Kernels write there what belongs to other chunks.
    let spareStart: Int?
    private let base: UnsafeMutableRawPointer
    private let slotByteCount: Int
    private let claim: MemoryBudget.Claim
    /// Slots that were used and are free.
    private var free: [Int] = []
    /// The number of slots that were used so far.
    private var usedCount = 0

    /// Allocates slots of a device's memory.
    ///
    /// - Parameters:
    ///   - slotCount: slots to give out.
    ///   - hasSpare: whether one more is there that is never given out.
    init(
        _ device: any GPUDevice, _ budget: MemoryBudget, number: Int, slotByteCount: Int, slotCount: Int,
        hasSpare: Bool
    ) throws(GPUError) {
        let byteCount = (slotCount + (hasSpare ? 1 : 0)) * slotByteCount
        buffer = try Self.makeBuffer(device, byteCount: byteCount)
        guard let base = buffer.contents.baseAddress else { throw .outOfMemory(byteCount: byteCount) }
        self.base = base
        (self.number, self.slotByteCount, self.slotCount) = (number, slotByteCount, slotCount)
        spareStart = hasSpare ? slotCount * slotByteCount : nil
        claim = budget.claim(byteCount, for: .states)
    }

    /// A buffer that host and device read and write, in the host's own memory if the device takes that.
    private static func makeBuffer(_ device: any GPUDevice, byteCount: Int) throws(GPUError) -> any GPUBuffer {
        let properties = device.properties
        if properties.isUnified, let alignment = properties.hostMemoryAlignment {
            let length = (byteCount + alignment - 1) / alignment * alignment
            if let memory = try? AlignedMemory(byteCount: length, pool: MemoryPool()),
                let buffer = try? device.makeBuffer(
                    over: UnsafeMutableRawBufferPointer(start: memory.base, count: length), owner: memory)
            {
                return buffer
            }
        }
        // Where all memory is the host's too, its caches cost the device nothing.
        return try device.makeBuffer(byteCount: byteCount, properties.isUnified ? .results : .shared)
    }

    /// True if no slot is in use.
    var isEmpty: Bool { free.count == usedCount }

    /// Takes a slot; nil if all are in use.
    func take() -> Int? {
        if let slot = free.popLast() { return slot }
        guard usedCount < slotCount else { return nil }
        usedCount += 1
        return usedCount - 1
    }

    func give(back slot: Int) { free.append(slot) }

    /// The first byte of a slot.
    func start(of slot: Int) -> UnsafeMutableRawPointer { base + slot * slotByteCount }

    /// The offset of something in a slot from the start of the buffer, in bytes; nil for what lies elsewhere.
    func offset(of place: UnsafeRawPointer) -> Int? {
        let offset = place - UnsafeRawPointer(base)
        return offset >= 0 && offset < slotCount * slotByteCount ? offset : nil
    }
}
