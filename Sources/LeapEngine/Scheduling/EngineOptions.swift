package import LeapCompute
package import LeapModel

/// The options of an engine.
package struct EngineOptions: Sendable, Hashable {
    /// Threads that compute; nil takes ``DeviceMaker/recommendedThreads``.
    package var threads: Int?
    /// The maximum number of positions of a sequence; nil takes the length that the model was trained on.
    ///
    /// More than ``Model/contextLimit`` is cut to that; ``Engine/contextSize`` tells what it came to. Memory is used
    /// only for positions that are computed.
    package var contextSize: Int?
    /// Element type of cached keys and values.
    package var keyValueType: KeyValueType = .f16
    /// The form in which products of the processor take their inputs, those of drafters, encoders and speech too.
    package var precision = Precision.fast
    /// Bytes of computed prefixes that are kept for other sessions to begin with; 0 keeps none.
    package var prefixCacheBytes = 0
    /// The maximum number of these that are not prefixes of others.
    package var prefixCacheEntries = 256
    /// A folder that keeps them beyond the life of the process too; nil keeps them in memory only.
    package var prefixCacheFolder: String?
    /// The maximum number of prefixes in the folder that are not prefixes of others.
    package var prefixCacheDiskEntries = 4096
    /// The maximum number of bytes of state, kept prefixes and scratch memory; nil for as many as the system gives.
    ///
    /// Where more is needed, kept prefixes are given up, and then the state of sessions in which nothing is generated.
    /// A generation that needs more than that ends with ``EngineError`` `outOfMemory`; the others go on.
    package var maxMemory: Int?
    /// The maximum number of generations that run at a time; further ones wait, and begin in the order in which they
    /// came.
    package var maxActiveGenerations = 32
    /// The maximum number of generations that wait; a further one ends with ``EngineError`` `queueFull`.
    package var maxQueuedGenerations = 256
    /// The maximum number of prompt tokens that are computed in one pass.
    ///
    /// A pass has fewer of them where it would last so long that other sessions wait noticeably; see ``StepBudget``.
    package var prefillChunk = 512

    /// The policy by which prompts share passes with replies in progress, and with each other.
    package var schedule = SchedulingPolicy.balanced
    /// The maximum number of seconds of a pass that has one prompt and, of other generations, the next tokens; nil for
    /// the ``schedule``'s.
    ///
    /// More lets prompts, and all generations together, take less time, and lets each token wait for longer.
    package var sharedStepSeconds: Double?

    /// The use of the model's layers that predict further tokens, of its own file or of a file apart; see ``DraftLayers``.
    package var draftLayers = DraftLayerUse.off

    /// The cost of a token that a draft model computes alone, in tokens of the model; nil counts it from their weights.
    package var draftCost: Double?

    /// The number of the model's last layers that a GPU computes; as many as it has, or more, mean all of them and the
    /// output head.
    package var gpuLayers = 0
    /// True if a GPU computes the layers of an audio decoder.
    package var decodesAudioOnGPU = false
    /// True if a GPU computes the layers of an encoder of pictures: where it computes anything else that was asked for.
    package var encodesImagesOnGPU: Bool { gpuLayers > 0 || decodesAudioOnGPU }
    /// The GPU: its number, counted from 0, or a part of its name; nil takes the first one that is no renderer in
    /// software.
    package var gpuDevice: String?

    /// The defaults.
    package init() {}

    /// Checks every value against its range.
    ///
    /// - Throws: ``EngineError`` with code `invalidOption` that names the option, the value and the range.
    package func validated() throws(EngineError) -> EngineOptions {
        func check(_ value: Int?, _ name: String, _ range: ClosedRange<Int>) throws(EngineError) {
            guard let value, !range.contains(value) else { return }
            throw EngineError(
                .invalidOption, "\(name) is \(value): it has to be between \(range.lowerBound) and \(range.upperBound)",
                field: name)
        }
        try check(threads, "threads", 1...1024)
        try check(contextSize, "contextSize", 1...Int(Int32.max))
        try check(prefixCacheBytes, "prefixCacheBytes", 0...Int.max)
        try check(prefixCacheEntries, "prefixCacheEntries", 1...Int.max)
        try check(prefixCacheDiskEntries, "prefixCacheDiskEntries", 1...Int.max)
        try check(maxMemory, "maxMemory", 0...Int.max)
        try check(maxActiveGenerations, "maxActiveGenerations", 1...Int.max)
        try check(maxQueuedGenerations, "maxQueuedGenerations", 0...Int.max)
        try check(prefillChunk, "prefillChunk", 1...65536)
        try check(gpuLayers, "gpuLayers", 0...Int.max)
        if case .most(let count) = draftLayers { try check(count, "draftLayers", DraftLayerUse.range) }
        if let sharedStepSeconds, !(sharedStepSeconds > 0) {
            throw EngineError(
                .invalidOption, "sharedStepSeconds is \(sharedStepSeconds): it has to be more than 0",
                field: "sharedStepSeconds")
        }
        if let draftCost, !(0...).contains(draftCost) {
            throw EngineError(
                .invalidOption, "draftCost is \(draftCost): it has to be 0 or more", field: "draftCost")
        }
        return self
    }
}
