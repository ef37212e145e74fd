package import LeapCompute

/// The use of a GPU by a model that was loaded with `nGpuLayers`, by its audio decoder with `audioDecoderUseGpu`, or by
/// its encoder of pictures with either.
public struct GPUStatistics: Sendable, Hashable, Codable {
    /// The GPU's name; nil where none computes.
    public var device: String?
    /// The number of the last layers that it computes, of the model, the audio decoder or the encoder; 0 where none
    /// does, and once it failed.
    public var layers = 0
    /// The number of all layers of the model, the audio decoder or the encoder.
    public var modelLayers = 0
    /// A Boolean value that tells whether it computes the output head too.
    public var computesHead = false
    /// The number of passes that it computed.
    public var passes = 0
    /// The number of passes whose layers the processor computed in its place: where its pages are used up, and after a
    /// failure.
    public var processorPasses = 0
    /// The reason why it computes less than was asked for; nil where it computes all of it.
    public var note: String?
    /// The reason why it computes no more; nil where it did not fail.
    public var failure: String?

    /// Makes statistics of a model without a GPU.
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
