package import LeapCompute

/// The GPU use of a model, an audio decoder or an image encoder.
///
/// `nGpuLayers` requests it for the model, `audioDecoderUseGpu` for the audio decoder, and either of them for the image
/// encoder.
public struct GPUStatistics: Sendable, Hashable, Codable {
    /// The GPU's name; nil if no GPU is in use.
    public var device: String?
    /// The number of layers, counted from the last one, that the GPU computes; 0 if there are none, and after a
    /// failure.
    ///
    /// They are layers of the model, the audio decoder or the encoder.
    public var layers = 0
    /// The number of all layers of the model, the audio decoder or the encoder.
    public var modelLayers = 0
    /// A Boolean value that indicates whether the GPU also computes the output head.
    public var computesHead = false
    /// The number of passes that the GPU computed.
    public var passes = 0
    /// The number of passes that the CPU computed instead: when the GPU has no free pages, and after a failure.
    public var processorPasses = 0
    /// The reason why the GPU computes less than requested; nil if it computes everything.
    public var note: String?
    /// The reason why the GPU stopped computing; nil if it did not fail.
    public var failure: String?

    /// Creates statistics for a model without a GPU.
    public init() {}
}

extension GPUStatistics {
    init(_ use: DeviceUse) {
        device = use.device
        layers = use.layers
        modelLayers = use.modelLayers
        computesHead = use.computesHead
        passes = use.passes
        processorPasses = use.processorPasses
        note = use.note
        failure = use.failure
    }

    /// The same figures in the engine's type.
    package var use: DeviceUse {
        var use = DeviceUse()
        use.device = device
        use.layers = layers
        use.modelLayers = modelLayers
        use.computesHead = computesHead
        use.passes = passes
        use.processorPasses = processorPasses
        use.note = note
        use.failure = failure
        return use
    }
}
