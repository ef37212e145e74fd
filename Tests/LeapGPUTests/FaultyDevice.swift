import LeapGPU

/// A device that fails at a call, or does not carry out one of the kernels.
final class FaultyDevice: GPUDevice {
    private let real: any GPUDevice
    var properties: GPUProperties
    /// Calls so far, those of commands among them.
    private(set) var callCount = 0
    /// The call that fails, counted from 0, and how.
    var fault: (call: Int, error: GPUError)?
    /// True if it has no memory for buffers.
    var isFull = false
    /// True if the call that failed asked for memory.
    private(set) var refusedMemory = false
    /// The number of times that a watchdog ends what runs, and how.
    var kills: (count: Int, error: GPUError)?
    /// The number of lists of commands that were made, and that of those which the watchdog ended so far.
    private(set) var listCount = 0
    private var endedCount = 0
    /// The entry point of a kernel that is left out.
    var ignored: String?
    /// Kernels that were compiled, which several devices over the same one can share.
    private let compiled: CompiledKernels

    init(_ real: any GPUDevice, compiled: CompiledKernels = CompiledKernels()) {
        self.real = real
        self.compiled = compiled
        properties = real.properties
        // An emulation computes on the processor, beside all other tests.
        if TestGPU.isEmulated { properties.patience = 600 }
        // How work is split must not depend on the time that tests take.
        properties.submissionSeconds = nil
    }

    /// Counts a call, and fails if it is its turn.
    fileprivate func count() throws(GPUError) {
        defer { callCount += 1 }
        if let fault, fault.call == callCount { throw fault.error }
    }

    /// The same for a call that asks for memory.
    private func countMemory() throws(GPUError) {
        if isFull { throw .outOfMemory(byteCount: 1) }
        do {
            try count()
        } catch {
            refusedMemory = true
            throw error
        }
    }

    /// Returns how a watchdog ends the commands that are waited for; nil if none does.
    ///
    /// It ends all lists that there are at that time.
    fileprivate func takeKill(of list: Int) -> GPUError? {
        guard let (count, error) = kills else { return nil }
        if list < endedCount { return error }
        guard count > 0 else { return nil }
        kills = (count - 1, error)
        endedCount = listCount
        return error
    }

    func makeBuffer(byteCount: Int, _ memory: GPUMemory) throws(GPUError) -> any GPUBuffer {
        try countMemory()
        return try real.makeBuffer(byteCount: byteCount, memory)
    }

    func makeBuffer(
        over memory: UnsafeMutableRawBufferPointer, owner: AnyObject?
    ) throws(GPUError) -> any GPUBuffer {
        try countMemory()
        return try real.makeBuffer(over: memory, owner: owner)
    }

    func prepare(_ kernels: [GPUKernel]) { real.prepare(kernels) }

    func makePipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline {
        try count()
        if let known = compiled.pipelines[kernel] { return known }
        let pipeline = try real.makePipeline(kernel)
        compiled.pipelines[kernel] = pipeline
        return pipeline
    }

    func makeCommands() throws(GPUError) -> any GPUCommands {
        try count()
        listCount += 1
        return FaultyCommands(self, try real.makeCommands(), listCount - 1)
    }
}

/// Kernels that were compiled for a device.
final class CompiledKernels {
    var pipelines: [GPUKernel: any GPUPipeline] = [:]
}

private final class FaultyCommands: GPUCommands {
    private let device: FaultyDevice
    private let real: any GPUCommands
    /// Their place among all lists of the device.
    private let number: Int
    /// The error by which a watchdog ended them.
    private var kill: GPUError?

    init(_ device: FaultyDevice, _ real: any GPUCommands, _ number: Int) {
        self.device = device
        self.real = real
        self.number = number
    }

    func dispatch(
        _ pipeline: any GPUPipeline, _ bindings: [GPUBinding], constants: [UInt32], groups: (x: Int, y: Int, z: Int)
    ) throws(GPUError) {
        try device.count()
        if pipeline.kernel.entry == device.ignored { return }
        try real.dispatch(pipeline, bindings, constants: constants, groups: groups)
    }

    func barrier() throws(GPUError) {
        try device.count()
        try real.barrier()
    }

    func submit() throws(GPUError) {
        try device.count()
        try real.submit()
    }

    func wait(seconds: Double) throws(GPUError) {
        try device.count()
        try real.wait(seconds: seconds)
        kill = kill ?? device.takeKill(of: number)
        if let kill { throw kill }
    }
}
