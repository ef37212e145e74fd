/// A device that the parts of one engine share: opened once, each kernel compiled once.
package final class SharedGPU {
    package let device: any GPUDevice
    let pipelines: Pipelines
    /// The reason why the device is of use to no part any more; nil while it is.
    private(set) var loss: GPUError?

    package init(_ device: any GPUDevice) {
        self.device = device
        pipelines = Pipelines(device)
    }

    /// Takes note that a part failed: of some failures no other part need try what comes of them.
    func note(_ fault: GPUError) {
        if fault == .lost || fault.code == .timedOut { loss = fault }
    }
}
