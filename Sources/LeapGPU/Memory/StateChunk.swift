import LeapBase
import LeapCompute
import LeapModel

/// Slots of an arena, one behind the other in one buffer of a device.
///
/// Where the device reads the host's memory, the chunk can get longer: addresses are set aside for that, and another
/// buffer begins at the same one. The arena's lock protects what changes.
final class StateChunk {
    /// The number that tells it from all other chunks that its arena ever had.
    let number: Int
    private(set) var buffer: any GPUBuffer
    /// The start of a slot that is never given out; nil without one.
    ///
    /// Kernels write there what belongs to other chunks.
    let spareStart: Int?
    private let base: UnsafeMutableRawPointer
    private let slotByteCount: Int
    /// The memory of the host that the buffer lies in, as long as the chunk can get; nil where it lies in none.
    private let region: AlignedMemory?
    private var claim: MemoryBudget.Claim
    /// The number of slots after each extension, the spare one among them; the first is that of the beginning.
    private var lengths: [Int]
    /// Slots that were used and are free, the first one last.
    private var free: [Int] = []
    /// The number of slots up to the last one in use.
    private var usedCount = 0

    /// The slots of a new chunk.
    struct Size {
        let slotByteCount: Int
        /// The slots that there are at first, the spare one among them.
        let slots: Int
        /// The most slots that there can be.
        let slotMax: Int
        let hasSpare: Bool
    }

    /// Allocates slots of a device's memory.
    init(_ device: any GPUDevice, _ budget: MemoryBudget, number: Int, _ size: Size) throws(GPUError) {
        let byteCount = size.slots * size.slotByteCount
        (buffer, region) = try Self.makeBuffer(device, size)
        guard let base = buffer.contents.baseAddress else { throw .outOfMemory(byteCount: byteCount) }
        self.base = base
        (self.number, slotByteCount, lengths) = (number, size.slotByteCount, [size.slots])
        spareStart = size.hasSpare ? 0 : nil
        claim = budget.claim(byteCount, for: .states)
    }

    /// A buffer that host and device read and write, in the host's own memory if the device takes that.
    private static func makeBuffer(
        _ device: any GPUDevice, _ size: Size
    ) throws(GPUError) -> (any GPUBuffer, AlignedMemory?) {
        let properties = device.properties, byteCount = size.slots * size.slotByteCount
        if properties.isUnified, let alignment = properties.hostMemoryAlignment {
            // Parts that nothing was written to cost nothing.
            let whole = aligned(size.slotMax * size.slotByteCount, alignment)
            if let region = try? AlignedMemory(byteCount: whole, pool: MemoryPool()),
                let buffer = try? device.makeBuffer(
                    over: UnsafeMutableRawBufferPointer(start: region.base, count: aligned(byteCount, alignment)),
                    owner: region)
            {
                return (buffer, region)
            }
        }
        // Where all memory is the host's too, its caches cost the device nothing.
        return (try device.makeBuffer(byteCount: byteCount, properties.isUnified ? .results : .shared), nil)
    }

    private static func aligned(_ byteCount: Int, _ alignment: Int) -> Int {
        (byteCount + alignment - 1) / alignment * alignment
    }

    /// The number of slots, the spare one among them.
    private var length: Int { lengths.last ?? 0 }
    private var spareCount: Int { spareStart == nil ? 0 : 1 }

    /// The number of slots that can be given out.
    var slotCount: Int { length - spareCount }

    /// The number of times that memory was allocated for it, as far as it is there still.
    var partCount: Int { lengths.count }

    /// The most slots that it can be extended by.
    var extensionMax: Int { region.map { $0.byteCount / slotByteCount - length } ?? 0 }

    /// Adds slots behind the last one.
    ///
    /// - Returns: whether the device took the memory.
    func extend(by count: Int, _ device: any GPUDevice, _ budget: MemoryBudget) -> Bool {
        guard count > 0, count <= extensionMax, replace(length: length + count, device, budget) else { return false }
        lengths.append(length + count)
        return true
    }

    /// Gives back the memory behind the last slot in use, as far as it was added.
    ///
    /// - Returns: the buffer that was replaced, to be let go of when no lock is held; nil for none.
    func shrink(_ device: any GPUDevice, _ budget: MemoryBudget) -> (any GPUBuffer)? {
        var kept = lengths
        while kept.count > 1, usedCount + spareCount <= kept[kept.count - 2] { kept.removeLast() }
        let old = buffer
        guard let region, let shorter = kept.last, shorter < length, replace(length: shorter, device, budget) else {
            return nil
        }
        lengths = kept
        let end = buffer.byteCount
        #if canImport(Darwin)
            madvise(region.base + end, region.byteCount - end, Int32(MADV_FREE))
        #else
            madvise(region.base + end, region.byteCount - end, Int32(MADV_DONTNEED))
        #endif
        return old
    }

    /// Puts a buffer of another length in the place of this one, at the same address.
    private func replace(length: Int, _ device: any GPUDevice, _ budget: MemoryBudget) -> Bool {
        guard let region, let alignment = device.properties.hostMemoryAlignment else { return false }
        let byteCount = Self.aligned(length * slotByteCount, alignment)
        let memory = UnsafeMutableRawBufferPointer(start: region.base, count: byteCount)
        guard let made = try? device.makeBuffer(over: memory, owner: region) else { return false }
        buffer = made
        claim = budget.claim(byteCount, for: .states)
        return true
    }

    /// True if the buffer lies in the host's memory.
    var isOfHost: Bool { region != nil }

    /// Puts a buffer of another opening of the device in the place of this one, over the same memory.
    ///
    /// - Returns: the buffer that was replaced, to be let go of when no lock is held.
    /// - Throws: ``GPUError/reset`` if the memory is the device's.
    func move(to device: any GPUDevice) throws(GPUError) -> any GPUBuffer {
        guard let region else { throw .reset }
        let old = buffer
        let memory = UnsafeMutableRawBufferPointer(start: region.base, count: old.byteCount)
        buffer = try device.makeBuffer(over: memory, owner: region)
        return old
    }

    /// True if no slot is in use.
    var isEmpty: Bool { usedCount == 0 }

    /// Takes the first slot that is free; nil if all are in use.
    func take() -> Int? {
        if let slot = free.popLast() { return slot }
        guard usedCount < slotCount else { return nil }
        usedCount += 1
        return usedCount - 1
    }

    func give(back slot: Int) {
        let index = free.firstIndex { $0 < slot } ?? free.endIndex
        free.insert(slot, at: index)
        // The last ones count as never used again.
        var first = 0
        while first < free.count, free[first] == usedCount - 1 {
            usedCount -= 1
            first += 1
        }
        free.removeFirst(first)
    }

    /// The first byte of a slot.
    func start(of slot: Int) -> UnsafeMutableRawPointer { base + (slot + spareCount) * slotByteCount }

    /// The offset of something in a slot from the start of the buffer, in bytes; nil for what lies elsewhere.
    func offset(of place: UnsafeRawPointer) -> Int? {
        let offset = place - UnsafeRawPointer(base)
        return offset >= spareCount * slotByteCount && offset < length * slotByteCount ? offset : nil
    }
}
