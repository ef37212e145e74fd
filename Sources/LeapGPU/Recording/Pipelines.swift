/// The kernels of a device, each compiled when it is first used.
final class Pipelines {
    private let device: any GPUDevice
    private var compiled: [GPUKernel: any GPUPipeline] = [:]

    /// The kernels that were compiled.
    var kernels: some Collection<GPUKernel> { compiled.keys }

    init(_ device: any GPUDevice) { self.device = device }

    func pipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline {
        if let known = compiled[kernel] { return known }
        let pipeline = try device.makePipeline(kernel)
        compiled[kernel] = pipeline
        return pipeline
    }
}
