import LeapGPU

/// A device without kernels that counts the memory of its buffers, and refuses buffers above a size.
final class CountingDevice: GPUDevice {
    var properties: GPUProperties
    /// The most bytes of a buffer that it does not refuse.
    var largestByteCount = Int.max
    /// The number of buffers that it refused.
    private(set) var refusalCount = 0
    private let count = Count()

    /// Bytes of all buffers that there are.
    var byteCount: Int { count.byteCount }

    init(memoryByteCount: Int, bindingByteCount: Int = 1 << 32, hostMemoryAlignment: Int? = nil) {
        properties = GPUProperties(
            name: "Counting", driver: "1", kind: .integrated, memoryByteCount: memoryByteCount, isUnified: true,
            bindingByteCount: bindingByteCount, bufferByteCount: 1 << 32, bindingAlignment: 256,
            hostMemoryAlignment: hostMemoryAlignment, groupCounts: [1, 1, 1], subgroupSize: 1, obstacle: nil)
    }

    func makeBuffer(byteCount: Int, _ memory: GPUMemory) throws(GPUError) -> any GPUBuffer {
        try checkSize(byteCount)
        let contents = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4096)
        return CountedBuffer(contents, count, isOwn: true, owner: nil)
    }

    func makeBuffer(
        over memory: UnsafeMutableRawBufferPointer, owner: AnyObject?
    ) throws(GPUError) -> any GPUBuffer {
        try checkSize(memory.count)
        return CountedBuffer(memory, count, isOwn: false, owner: owner)
    }

    private func checkSize(_ byteCount: Int) throws(GPUError) {
        guard byteCount > largestByteCount else { return }
        refusalCount += 1
        throw .outOfMemory(byteCount: byteCount)
    }

    func makePipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline {
        throw .compilation(kernel: kernel.entry, result: 0)
    }

    func makeCommands() throws(GPUError) -> any GPUCommands { throw .lost }
}

/// Bytes of buffers.
private final class Count {
    var byteCount = 0
}

private final class CountedBuffer: GPUBuffer {
    let contents: UnsafeMutableRawBufferPointer
    private let count: Count
    private let isOwn: Bool
    private let owner: AnyObject?
    var byteCount: Int { contents.count }

    init(_ contents: UnsafeMutableRawBufferPointer, _ count: Count, isOwn: Bool, owner: AnyObject?) {
        (self.contents, self.count, self.isOwn, self.owner) = (contents, count, isOwn, owner)
        count.byteCount += contents.count
    }

    deinit {
        count.byteCount -= contents.count
        if isOwn { contents.deallocate() }
    }
}
