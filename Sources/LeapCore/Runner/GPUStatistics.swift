package import LeapCompute

/// What a GPU does for a model that was loaded with `nGpuLayers`.
public struct GPUStatistics: Sendable, Hashable, Codable {
    /// The GPU's name; nil where none computes.
    public var device: String?
    /// How many of the model's last layers it computes; 0 where none does, and once it failed.
    public var layers = 0
    /// The layers of the model.
    public var modelLayers = 0
    /// Whether it computes the output head too.
    public var computesHead = false
    /// Passes that it computed.
    public var passes = 0
    /// Passes whose layers the processor computed in its place: where its pages are used up, and after a failure.
    public var processorPasses = 0
    /// Why it computes less than was asked for; nil where it computes all of it.
    public var note: String?
    /// Why it computes no more; nil where it did not fail.
    public var failure: String?

    /// Nothing yet.
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

    /// The same as the engine has it.
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
