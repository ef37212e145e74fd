// Orders of arguments that apps for other versions of the LEAP SDK have. Arguments that tell an order from the others
// have no default.

extension LiquidInferenceEngineOptions {
    /// Creates options in the argument order of version 0.10.9 of the LEAP SDK.
    ///
    /// The template comes before all arguments of the audio decoder except its path.
    @_disfavoredOverload
    public init(
        bundlePath: String = "",
        cacheOptions: LiquidCacheOptions? = nil,
        cpuThreads: UInt32? = nil,
        contextSize: UInt32? = nil,
        nGpuLayers: UInt32? = nil,
        mmProjPath: String? = nil,
        audioDecoderPath: String? = nil,
        chatTemplate: String?,
        audioTokenizerPath: String?,
        audioDecoderUseGpu: Bool,
        useMmap: Bool? = nil,
        extras: String? = nil
    ) {
        self.init(
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: nGpuLayers, mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath,
            audioTokenizerPath: audioTokenizerPath, audioDecoderUseGpu: audioDecoderUseGpu,
            chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Creates options in the argument order of version 0.10.9 of the LEAP SDK, with the number of layers as an `Int`.
    ///
    /// For all layers, use -1.
    @_disfavoredOverload
    public init(
        bundlePath: String = "",
        cacheOptions: LiquidCacheOptions? = nil,
        cpuThreads: UInt32? = nil,
        contextSize: UInt32? = nil,
        nGpuLayers: Int,
        mmProjPath: String? = nil,
        audioDecoderPath: String? = nil,
        chatTemplate: String?,
        audioTokenizerPath: String?,
        audioDecoderUseGpu: Bool,
        useMmap: Bool? = nil,
        extras: String? = nil
    ) {
        self.init(
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: LoadOptions.layers(nGpuLayers), mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath,
            audioTokenizerPath: audioTokenizerPath, audioDecoderUseGpu: audioDecoderUseGpu,
            chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Creates options in the argument order of versions 0.7 to 0.9 of the LEAP SDK.
    ///
    /// The audio decoder comes before the audio tokenizer.
    public init(
        bundlePath: String = "",
        cacheOptions: LiquidCacheOptions? = nil,
        cpuThreads: UInt32? = nil,
        contextSize: UInt32? = nil,
        nGpuLayers: UInt32? = nil,
        mmProjPath: String? = nil,
        audioDecoderPath: String? = nil,
        audioDecoderUseGpu: Bool,
        audioTokenizerPath: String?,
        chatTemplate: String? = nil,
        useMmap: Bool? = nil,
        extras: String? = nil
    ) {
        self.init(
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: nGpuLayers, mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath,
            audioTokenizerPath: audioTokenizerPath, audioDecoderUseGpu: audioDecoderUseGpu,
            chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }
}
