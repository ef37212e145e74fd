/// A device that runs kernels; it and what it makes are used by one thread at a time.
///
/// Buffers may be made, and released, on any thread.
package protocol GPUDevice: AnyObject {
    var properties: GPUProperties { get }

    /// A buffer of the device, its bytes undefined.
    func makeBuffer(byteCount: Int, _ memory: GPUMemory) throws(GPUError) -> any GPUBuffer

    /// A buffer over memory of the host, without a copy.
    ///
    /// - Parameters:
    ///   - memory: starts at, and is as long as, a multiple of ``GPUProperties/hostMemoryAlignment``; it outlives the
    ///     buffer.
    ///   - owner: keeps the memory alive, as long as the buffer lives; nil where others do.
    func makeBuffer(over memory: UnsafeMutableRawBufferPointer, owner: AnyObject?) throws(GPUError) -> any GPUBuffer

    /// Begins to compile kernels that ``makePipeline(_:)`` will be asked for, where a device compiles several at a
    /// time.
    ///
    /// - Parameter kernels: in the order in which they will be asked for.
    func prepare(_ kernels: [GPUKernel])

    /// Forgets compiled kernels that it kept for later starts, because one computed something else than it should.
    func discardKeptKernels()

    /// Compiles a kernel for the device.
    func makePipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline

    /// An empty list of commands.
    func makeCommands() throws(GPUError) -> any GPUCommands
}

extension GPUDevice {
    package func prepare(_ kernels: [GPUKernel]) {}

    package func discardKeptKernels() {}

    /// A buffer that the host can read and write, its bytes undefined.
    package func makeBuffer(byteCount: Int) throws(GPUError) -> any GPUBuffer {
        try makeBuffer(byteCount: byteCount, .shared)
    }

    /// A buffer over memory of the host that others keep alive.
    package func makeBuffer(over memory: UnsafeMutableRawBufferPointer) throws(GPUError) -> any GPUBuffer {
        try makeBuffer(over: memory, owner: nil)
    }
}

/// The user of a buffer's memory.
package enum GPUMemory {
    /// Host and device read and write it; the host's reads may be slow.
    case shared
    /// The host reads what kernels wrote.
    case results
    /// Kernels; the host may not see it, and writes it by ``GPUBuffer/write(_:at:)``.
    case own
}

/// Memory that kernels read and write.
package protocol GPUBuffer: AnyObject {
    var byteCount: Int { get }
    /// The bytes, as the host sees them; not while commands that use them run. Empty where the host does not see them.
    var contents: UnsafeMutableRawBufferPointer { get }

    /// Copies bytes into the buffer.
    func write(_ source: UnsafeRawBufferPointer, at offset: Int) throws(GPUError)
}

extension GPUBuffer {
    package func write(_ source: UnsafeRawBufferPointer, at offset: Int) throws(GPUError) {
        UnsafeMutableRawBufferPointer(rebasing: contents[offset...]).copyMemory(from: source)
    }
}

/// A kernel, compiled.
package protocol GPUPipeline: AnyObject {
    var kernel: GPUKernel { get }
}

/// A part of a buffer, given to a kernel.
package struct GPUBinding {
    package let buffer: any GPUBuffer
    package let range: Range<Int>

    /// - Parameter range: bytes of the buffer; nil is all of them.
    package init(_ buffer: any GPUBuffer, _ range: Range<Int>? = nil) {
        self.buffer = buffer
        self.range = range ?? 0..<buffer.byteCount
    }
}

extension GPUBinding {
    /// The number of rows of floats that it has.
    func rowCount(length: Int) -> Int { range.count / (4 * length) }

    /// Some of the rows of floats that it has, all of them if these are all.
    ///
    /// - Parameters:
    ///   - rows: their numbers; the first one begins where a binding may.
    ///   - length: the floats of a row.
    func rows(_ rows: Range<Int>, length: Int) -> Self {
        let start = range.lowerBound, bytes = 4 * length
        let end = min(range.upperBound, start + rows.upperBound * bytes)
        return rows.lowerBound == 0 && start + rows.upperBound * bytes >= range.upperBound
            ? self : GPUBinding(buffer, start + rows.lowerBound * bytes..<end)
    }
}

/// Commands that are recorded, then submitted.
package protocol GPUCommands: AnyObject {
    /// Adds a run of a kernel. Runs without a barrier between them may overlap.
    ///
    /// - Parameters:
    ///   - bindings: one for each buffer of the kernel.
    ///   - constants: the kernel's parameters; a float as its bit pattern.
    ///   - groups: workgroups in each dimension.
    func dispatch(
        _ pipeline: any GPUPipeline, _ bindings: [GPUBinding], constants: [UInt32], groups: (x: Int, y: Int, z: Int)
    ) throws(GPUError)

    /// Lets what is added from here on see what was written before.
    func barrier() throws(GPUError)

    /// Gives the commands to the device; again only once ``wait(seconds:)`` has told that they are carried out, where
    /// ``GPUProperties/repeatsCommands``.
    func submit() throws(GPUError)

    /// Waits until the device has carried them out, after which the host sees what they wrote.
    func wait(seconds: Double) throws(GPUError)

    /// The seconds that the device took for them when they were carried out last; nil where that is not known.
    var seconds: Double? { get }
}

extension GPUCommands {
    package var seconds: Double? { nil }
}
