/// A device that the parts of one engine share: opened once, each kernel compiled once, and opened again after a reset.
package final class SharedGPU {
    package private(set) var device: any GPUDevice
    private(set) var pipelines: Pipelines
    /// A count of what the parts take of the device's memory.
    let budget: MemoryBudget
    /// Decides how much work the device gets at a time.
    let pacer: Pacer
    /// The number of times that the device was opened again: what was made of an earlier one is of no use.
    private(set) var generation = 0
    private let reopen: (() throws(GPUError) -> any GPUDevice)?
    /// The reason why the device is of use to no part any more; nil while it is.
    private(set) var loss: GPUError?

    /// - Parameters:
    ///   - device: the device.
    ///   - reopen: opens it again after a reset; nil where that is not tried.
    package init(_ device: any GPUDevice, reopen: (() throws(GPUError) -> any GPUDevice)? = nil) {
        self.device = device
        self.reopen = reopen
        pipelines = Pipelines(device)
        budget = MemoryBudget(device.properties)
        pacer = Pacer(device.properties)
    }

    /// Opens the device again.
    ///
    /// - Throws: ``GPUError/reset`` if another one would be opened, or none was to be.
    func renew() throws(GPUError) {
        guard let reopen else { throw .reset }
        let opened = try reopen()
        // Kernels, limits and results are those of the device that was compared with the processor.
        guard opened.properties == device.properties else { throw .reset }
        device = opened
        pipelines = pipelines.reopened(on: opened)
        generation += 1
    }

    /// Takes note that a part failed: of some failures no other part need try what comes of them.
    func note(_ fault: GPUError) {
        switch fault.code {
        case .lost, .reset, .timedOut: loss = fault
        case .noLoader, .noDriver, .noKernels, .noDevice, .onlySoftware, .wrongResult, .unusable, .outOfMemory,
            .stopped, .compilation, .inBackground, .invalid, .driver:
            break
        }
    }
}
