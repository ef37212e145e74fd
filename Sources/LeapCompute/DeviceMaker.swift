package import LeapModel

/// Makes the devices that engines compute on, so that what schedules knows no device.
package protocol DeviceMaker: Sendable {
    /// The number of threads that an engine computes with where its options name none.
    var recommendedThreads: Int { get }

    /// Makes a device.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func makeDevice(for request: DeviceRequest) throws(EngineError) -> any Device
}

/// A device that an engine asks for: the processor, and a GPU beside it where one of the reports is there.
package struct DeviceRequest {
    /// The model whose layers a GPU computes.
    package let model: Model
    /// Threads of the processor.
    package let threads: Int
    package let precision: Precision
    /// The number of the model's last layers that a GPU computes; as many as it has, or more, mean all of them and the
    /// output head.
    package var gpuLayers = 0
    /// The number of the model's first layers that stay with the processor, because a draft model reads what lies
    /// behind them.
    package var readLayerCount = 0
    /// The GPU: its number, counted from 0, or a part of its name; nil takes the first one that is no renderer in
    /// software.
    package var gpuDevice: String?
    /// Generations that run at a time, at most.
    package var generationCount = 1
    /// Told which of the model's layers a GPU computes, and whether it failed; nil where none was asked for.
    package var gpuReport: DeviceReport?
    /// The same of the layers of an audio decoder.
    package var audioDecoderReport: DeviceReport?
    /// The same of the layers of an encoder of pictures.
    package var imageEncoderReport: DeviceReport?
    /// Takes what a log should say: which layers a GPU computes, or why it computes none, and later that it failed.
    package var onNotice: @Sendable (String) -> Void = { _ in }

    /// The processor alone.
    package init(model: Model, threads: Int, precision: Precision) {
        self.model = model
        self.threads = threads
        self.precision = precision
    }
}
