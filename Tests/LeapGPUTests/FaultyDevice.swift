import LeapGPU

/// A device that fails at a call, or does not carry out one of the kernels.
final class FaultyDevice: GPUDevice {
    private let real: any GPUDevice
    var properties: GPUProperties
    /// Calls so far, those of commands among them.
    private(set) var callCount = 0
    /// The call that fails, counted from 0, and how.
    var fault: (call: Int, error: GPUError)?
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
    }

    /// Counts a call, and fails if it is its turn.
    fileprivate func count() throws(GPUError) {
        defer { callCount += 1 }
        if let fault, fault.call == callCount { throw fault.error }
    }

    func makeBuffer(byteCount: Int, _ memory: GPUMemory) throws(GPUError) -> any GPUBuffer {
        try count()
        return try real.makeBuffer(byteCount: byteCount, memory)
    }

    func makeBuffer(over memory: UnsafeMutableRawBufferPointer) throws(GPUError) -> any GPUBuffer {
        try count()
        return try real.makeBuffer(over: memory)
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
        return FaultyCommands(self, try real.makeCommands())
    }
}

/// Kernels that were compiled for a device.
final class CompiledKernels {
    var pipelines: [GPUKernel: any GPUPipeline] = [:]
}

private final class FaultyCommands: GPUCommands {
    private let device: FaultyDevice
    private let real: any GPUCommands

    init(_ device: FaultyDevice, _ real: any GPUCommands) {
        self.device = device
        self.real = real
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
    }
}
