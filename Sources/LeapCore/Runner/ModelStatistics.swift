import LeapEngine

/// Figures of what a model has computed since it was loaded, and of what it is computing.
public struct ModelStatistics: Sendable, Hashable, Codable {
    /// The number of tokens of prompts that were computed, and of texts that were scored or embedded.
    public var computedPromptTokens = 0
    /// The number of tokens of prompts whose state was there already: in the conversation, in memory or on disk.
    public var cachedPromptTokens = 0
    /// The number of tokens that were generated.
    public var generatedTokens = 0
    /// The number of tokens that were proposed and checked; see `speculation` in the extras.
    public var draftedTokens = 0
    /// The number of proposed tokens that became part of a reply.
    public var acceptedTokens = 0
    /// The number of generations that began.
    public var generations = 0
    /// The number of generations that have not ended.
    public var activeGenerations = 0
    /// The number of generations that wait: for others to end, or for their prompt's beginning from disk.
    public var queuedGenerations = 0
    /// The number of generations that were refused as too many waited; see `maxQueuedGenerations` in the extras of
    /// loading.
    public var refusedGenerations = 0
    /// The number of generations that began with a kept prompt from memory; see ``LiquidCacheOptions``.
    public var cacheHits = 0
    /// The number of generations that began with a kept prompt from disk.
    public var diskCacheHits = 0
    /// The number of generations for which nothing was known, neither by their conversation nor by the cache.
    public var cacheMisses = 0
    /// The number of pages of 64 tokens that were dropped from memory, for newer ones or as memory was short.
    public var cacheEvictions = 0
    /// The number of pages that this process has deleted on disk, for newer ones.
    public var diskCacheEvictions = 0
    /// The number of bytes of kept prompts in memory; part of ``memoryBytes``, and shared with conversations in part.
    public var cacheBytes = 0
    /// The number of bytes of the pages in the cache's directory, of all models, as of the last time something was
    /// kept.
    public var diskCacheBytes = 0
    /// The number of bytes of the state of all conversations, of the cache, and of what is being computed; the weights
    /// are not among them.
    public var memoryBytes = 0
    /// The figures of the GPU; nil where no layers were to run on one.
    public var gpu: GPUStatistics?
    /// The figures of the GPU as the audio decoder's; nil where it was not to run on one, or there is no audio decoder.
    ///
    /// A pass is a step of the layers that write codes, of which a frame takes eight, or of those that make sound of
    /// them.
    public var audioDecoderGPU: GPUStatistics?
    /// The figures of the GPU as the encoder's of pictures; nil where neither `nGpuLayers` nor `audioDecoderUseGpu`
    /// asks for one, or there is no such encoder.
    ///
    /// A pass is one picture, or one tile of it.
    public var imageEncoderGPU: GPUStatistics?

    /// Makes statistics in which nothing has been computed.
    public init() {}

    /// The figures by names in the style of Prometheus: totals end in `_total` and only grow, the others are of the
    /// moment.
    public var metrics: [String: Int] {
        [
            "leap_prompt_tokens_computed_total": computedPromptTokens,
            "leap_prompt_tokens_cached_total": cachedPromptTokens,
            "leap_tokens_generated_total": generatedTokens,
            "leap_tokens_drafted_total": draftedTokens,
            "leap_tokens_accepted_total": acceptedTokens,
            "leap_generations_total": generations,
            "leap_generations_active": activeGenerations,
            "leap_generations_queued": queuedGenerations,
            "leap_generations_refused_total": refusedGenerations,
            "leap_cache_hits_total": cacheHits,
            "leap_cache_disk_hits_total": diskCacheHits,
            "leap_cache_misses_total": cacheMisses,
            "leap_cache_evictions_total": cacheEvictions,
            "leap_cache_disk_evictions_total": diskCacheEvictions,
            "leap_cache_bytes": cacheBytes,
            "leap_cache_disk_bytes": diskCacheBytes,
            "leap_state_bytes": memoryBytes,
            "leap_gpu_layers": gpu?.layers ?? 0,
            "leap_gpu_passes_total": gpu?.passes ?? 0,
            "leap_gpu_processor_passes_total": gpu?.processorPasses ?? 0,
            "leap_gpu_failures_total": gpu?.failure == nil ? 0 : 1,
            "leap_audio_decoder_gpu_layers": audioDecoderGPU?.layers ?? 0,
            "leap_audio_decoder_gpu_passes_total": audioDecoderGPU?.passes ?? 0,
            "leap_audio_decoder_gpu_processor_passes_total": audioDecoderGPU?.processorPasses ?? 0,
            "leap_audio_decoder_gpu_failures_total": audioDecoderGPU?.failure == nil ? 0 : 1,
            "leap_image_encoder_gpu_layers": imageEncoderGPU?.layers ?? 0,
            "leap_image_encoder_gpu_passes_total": imageEncoderGPU?.passes ?? 0,
            "leap_image_encoder_gpu_processor_passes_total": imageEncoderGPU?.processorPasses ?? 0,
            "leap_image_encoder_gpu_failures_total": imageEncoderGPU?.failure == nil ? 0 : 1,
        ]
    }
}

extension ModelStatistics {
    init(_ statistics: EngineStatistics) {
        computedPromptTokens = statistics.tokens.promptTokens
        cachedPromptTokens = statistics.tokens.cachedPromptTokens
        generatedTokens = statistics.tokens.completionTokens
        draftedTokens = statistics.tokens.draftedTokens
        acceptedTokens = statistics.tokens.acceptedTokens
        generations = statistics.generations
        activeGenerations = statistics.activeGenerations
        queuedGenerations = statistics.queuedGenerations
        refusedGenerations = statistics.refusedGenerations
        cacheHits = statistics.cacheHits
        diskCacheHits = statistics.diskCacheHits
        cacheMisses = statistics.cacheMisses
        cacheEvictions = statistics.cacheEvictions
        diskCacheEvictions = statistics.diskCacheEvictions
        cacheBytes = statistics.cacheBytes
        diskCacheBytes = statistics.diskCacheBytes
        memoryBytes = statistics.memoryBytes
        gpu = statistics.gpu.map { GPUStatistics($0) }
        audioDecoderGPU = statistics.audioDecoderGPU.map { GPUStatistics($0) }
        imageEncoderGPU = statistics.imageEncoderGPU.map { GPUStatistics($0) }
    }
}
