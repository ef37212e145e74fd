package import LeapChat
package import LeapCompute
package import LeapEngine
package import LeapModel
import LeapVision

/// The loading options without a property of their own, as values: what the `extras` of loading options ask for.
///
/// Apps write them as text, which is read once, when a model is loaded; modules above this one set them as they are.
package struct LoadExtras: Sendable, Hashable, Codable {
    /// `kv_cache_type`: how keys and values are kept, "f16", "f32" or "q8_0".
    package var keyValueType = KeyValueType.f16
    /// `precision`: how products of the processor take their inputs, "fast" or "exact"; nil for the former.
    package var precision: Precision?
    /// `ropeScaling`: how positions are stretched beyond the trained context; nil as the model's file says.
    package var ropeScaling: RopeScaling?
    /// `preTokenizer`: the name of the rule that texts are cut by in place of the one that the model's file names.
    package var preTokenizer: String?
    /// `speculation`: how generations propose tokens, where their own extras do not say, and the draft model.
    package var speculation = SpeculationLoading()
    /// `draftLayers`: the use of the model's layers that predict further tokens, "auto", "off" or the maximum number of
    /// tokens that they propose at a time; nil for the first.
    package var draftLayers: DraftLayerUse?
    /// `adapters`: LoRA adapters to load beside the model.
    package var adapters: [AdapterRequest] = []
    /// `minImageTokens`, `maxImageTokens` and `doImageSplitting`: how pictures are sized and cut.
    package var pictures = ImageOptions()
    /// `maxRemoteImageBytes`: bytes that a picture at an address may have; 0 for none that are fetched.
    package var maxRemoteImageBytes = AddressedImages.standardMaxBytes
    /// `maxMemory`: bytes that the state of all conversations, kept prompts and what is being computed may take; nil
    /// for no limit.
    package var maxMemory: Int?
    /// `maxActiveGenerations`: how many generations run at a time.
    package var maxActiveGenerations: Int?
    /// `maxQueuedGenerations`: how many wait beside them.
    package var maxQueuedGenerations: Int?
    /// `schedule`: how prompts share passes with replies in progress, "latency", "balanced" or "throughput"; nil for the
    /// second.
    package var schedule: SchedulingPolicy?
    /// `sharedStepMilliseconds`: how long a step may last that computes a prompt while other generations wait for their
    /// next token; nil for the schedule's.
    package var sharedStepMilliseconds: Int?

    /// `gpuDevice`: the GPU that computes layers, by its number or a part of its name; nil takes the first one.
    package var gpuDevice: String?

    /// Makes the options of a model that is loaded without extras.
    package init() {}

    /// Sets what the engine has options for.
    func apply(to options: inout EngineOptions) {
        options.keyValueType = keyValueType
        if let precision { options.precision = precision }
        options.draftLayers = draftLayers ?? .automatic
        options.maxMemory = maxMemory
        options.gpuDevice = gpuDevice
        if let maxActiveGenerations { options.maxActiveGenerations = maxActiveGenerations }
        if let maxQueuedGenerations { options.maxQueuedGenerations = maxQueuedGenerations }
        if let schedule { options.schedule = schedule }
        if let sharedStepMilliseconds { options.sharedStepSeconds = Double(sharedStepMilliseconds) / 1000 }
    }

    /// The same extras, with the layers that predict further tokens, the precision, limits of generations and the GPU from
    /// others where these have none.
    package func filled(from others: LoadExtras) -> LoadExtras {
        var copy = self
        copy.draftLayers = draftLayers ?? others.draftLayers
        copy.precision = precision ?? others.precision
        copy.maxMemory = maxMemory ?? others.maxMemory
        copy.gpuDevice = gpuDevice ?? others.gpuDevice
        copy.maxActiveGenerations = maxActiveGenerations ?? others.maxActiveGenerations
        copy.maxQueuedGenerations = maxQueuedGenerations ?? others.maxQueuedGenerations
        copy.schedule = schedule ?? others.schedule
        copy.sharedStepMilliseconds = sharedStepMilliseconds ?? others.sharedStepMilliseconds
        return copy
    }
}
