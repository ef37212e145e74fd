import LeapEngine

/// Statistics of a model's work since it was loaded, and of its current work.
public struct ModelStatistics: Sendable, Hashable, Codable {
    /// The number of computed tokens of prompts, and of scored or embedded texts.
    public var computedPromptTokens = 0
    /// The number of prompt tokens whose state was reused: from the conversation, from memory or from disk.
    public var cachedPromptTokens = 0
    /// The number of generated tokens.
    public var generatedTokens = 0
    /// The number of tokens that were drafted and verified; see `speculation` in the extras.
    public var draftedTokens = 0
    /// The number of drafted tokens that became part of a reply.
    public var acceptedTokens = 0
    /// The number of tokens that were drafted and verified, by their position behind a reply: the first of each draft, the
    /// second, and so on.
    public var draftedTokensByPosition: [Int] = []
    /// The number of them that became part of a reply.
    public var acceptedTokensByPosition: [Int] = []
    /// The number of generations that started.
    public var generations = 0
    /// The number of generations that have not ended.
    public var activeGenerations = 0
    /// The number of generations that wait for others to end, or for a cached prefix from disk.
    public var queuedGenerations = 0
    /// The number of generations refused because the queue was full.
    ///
    /// See `maxQueuedGenerations` in the extras of loading.
    public var refusedGenerations = 0
    /// The number of generations that started from a cached prefix in memory; see ``LiquidCacheOptions``.
    public var cacheHits = 0
    /// The number of generations that started from a cached prefix on disk.
    public var diskCacheHits = 0
    /// The number of generations without reusable state, neither in their conversation nor in the cache.
    public var cacheMisses = 0
    /// The number of pages of 64 tokens evicted from memory, to make space for newer ones or because memory was short.
    public var cacheEvictions = 0
    /// The number of pages that this process deleted on disk to make space for newer ones.
    public var diskCacheEvictions = 0
    /// The number of bytes of cached prompts in memory; part of ``memoryBytes``, and partly shared with conversations.
    public var cacheBytes = 0
    /// The number of bytes of the pages in the cache's directory, for all models.
    ///
    /// It is measured each time something is cached.
    public var diskCacheBytes = 0
    /// The number of bytes of the state of all conversations, the cache and current computations, without the weights.
    public var memoryBytes = 0
    /// The number of bytes that were given back at memory events, by part; nil if there were none.
    ///
    /// See ``MemoryPolicy``.
    public var givenBackBytes: [String: Int]?
    /// The GPU statistics; nil if no layers were requested on a GPU.
    public var gpu: GPUStatistics?
    /// The GPU statistics of the audio decoder; nil if there is no audio decoder, or it was not requested on a GPU.
    ///
    /// A pass is one step of the layers that write codes (eight for each frame), or of the layers that turn codes into
    /// audio.
    public var audioDecoderGPU: GPUStatistics?
    /// The GPU statistics of the image encoder; nil if there is no image encoder, or it was not requested on a GPU.
    ///
    /// `nGpuLayers` or `audioDecoderUseGpu` requests it. A pass is one image, or one tile of it.
    public var imageEncoderGPU: GPUStatistics?
    /// The pace by the ``PacePolicy``; nil before the first pass, and for runners without a policy.
    public var pace: PaceStatistics?

    /// Creates statistics in which all values are 0.
    public init() {}

    /// The statistics by names in the style of Prometheus.
    ///
    /// Totals end in `_total` and never decrease; the others are current values.
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
            "leap_memory_given_back_bytes_total": givenBackBytes?.values.reduce(0, +) ?? 0,
            "leap_pace_threads": pace?.pace.threads ?? 0,
            "leap_pace_duty_cycle_percent": Self.count(pace?.pace.dutyCycle ?? 0, times: 100),
            "leap_pace_pause_milliseconds_total": Self.count(pace?.pausedSeconds ?? 0, times: 1000),
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
    /// A figure in smaller units, as a whole number; another process may tell any value.
    private static func count(_ value: Double, times factor: Double) -> Int {
        Int(max(0, min((value * factor).rounded(), 1e15)))
    }

    init(_ statistics: EngineStatistics) {
        computedPromptTokens = statistics.tokens.promptTokens
        cachedPromptTokens = statistics.tokens.cachedPromptTokens
        generatedTokens = statistics.tokens.completionTokens
        draftedTokens = statistics.tokens.draftedTokens
        acceptedTokens = statistics.tokens.acceptedTokens
        draftedTokensByPosition = statistics.tokens.draftedByPosition
        acceptedTokensByPosition = statistics.tokens.acceptedByPosition
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
        for (kind, byteCount) in statistics.givenBackBytes {
            givenBackBytes = givenBackBytes ?? [:]
            givenBackBytes?[MemoryPart(kind).rawValue, default: 0] += byteCount
        }
        gpu = statistics.gpu.map { GPUStatistics($0) }
        audioDecoderGPU = statistics.audioDecoderGPU.map { GPUStatistics($0) }
        imageEncoderGPU = statistics.imageEncoderGPU.map { GPUStatistics($0) }
        pace = statistics.pace.map { PaceStatistics($0) }
    }
}
