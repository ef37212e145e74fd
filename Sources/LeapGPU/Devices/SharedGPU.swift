/// A device that the parts of one engine share: opened once, each kernel compiled once.
package final class SharedGPU {
    package let device: any GPUDevice
    let pipelines: Pipelines
    /// A count of what the parts take of the device's memory.
    let budget: MemoryBudget
    /// The reason why the device is of use to no part any more; nil while it is.
    private(set) var loss: GPUError?

    package init(_ device: any GPUDevice) {
        self.device = device
        pipelines = Pipelines(device)
        budget = MemoryBudget(device.properties)
    }

    /// Takes note that a part failed: of some failures no other part need try what comes of them.
    func note(_ fault: GPUError) {
        if fault == .lost || fault.code == .timedOut { loss = fault }
    }
}
