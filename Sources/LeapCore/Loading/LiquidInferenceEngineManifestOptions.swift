/// Options of how a model that a manifest describes is loaded and run: ``LiquidInferenceEngineOptions`` without a path.
///
/// ```swift
/// let options = LiquidInferenceEngineManifestOptions(contextSize: 8192, cpuThreads: 4)
/// ```
public struct LiquidInferenceEngineManifestOptions: Sendable, Hashable {
    package private(set) var options: LoadOptions

    /// Makes options; every argument may be left out.
    ///
    /// - Parameters:
    ///   - cacheOptions: reuse of what was computed for other prompts; nil for none.
    ///   - cpuThreads: threads that compute; nil for as many as suit the machine.
    ///   - contextSize: tokens that prompt and reply may have together; nil for the model's own.
    ///   - nGpuLayers: how many of the last layers run on a GPU; -1 is all of them and the output head. The log says
    ///     which layers do; where there is no GPU, or one cannot compute a layer, the CPU does. Unless it is 0, the
    ///     layers of an encoder of pictures run there too. `gpuDevice` in the extras chooses the GPU.
    ///   - mmProjPath: the vision or audio encoder's file; nil looks beside the model.
    ///   - audioDecoderPath: the audio decoder's file; nil looks beside the model.
    ///   - audioTokenizerPath: the audio tokenizer's file; nil looks beside the model.
    ///   - audioDecoderUseGpu: whether a GPU runs the layers of the audio decoder and of an encoder of pictures,
    ///     whatever `nGpuLayers` is. The log says whether it does; where there is no GPU, or it cannot or fails, the
    ///     CPU does, with the same sound.
    ///   - chatTemplate: a chat template (Jinja) over the model's own.
    ///   - useMmap: whether the file is mapped into memory (nil, true) or read into it (false).
    ///   - extras: a JSON object with options that have no argument here; the page “Loading models” of `LeapSDK` lists
    ///     them.
    public init(
        cacheOptions: LiquidCacheOptions? = nil,
        cpuThreads: UInt32? = nil,
        contextSize: UInt32? = nil,
        nGpuLayers: UInt32? = nil,
        mmProjPath: String? = nil,
        audioDecoderPath: String? = nil,
        audioTokenizerPath: String? = nil,
        audioDecoderUseGpu: Bool = false,
        chatTemplate: String? = nil,
        useMmap: Bool? = nil,
        extras: String? = nil
    ) {
        options = LoadOptions(
            cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize, nGpuLayers: nGpuLayers,
            mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath, audioTokenizerPath: audioTokenizerPath,
            audioDecoderUseGpu: audioDecoderUseGpu, chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Makes options with the number of layers as an `Int`; -1 for all of them.
    public init(
        cacheOptions: LiquidCacheOptions? = nil,
        cpuThreads: UInt32? = nil,
        contextSize: UInt32? = nil,
        nGpuLayers: Int,
        mmProjPath: String? = nil,
        audioDecoderPath: String? = nil,
        audioTokenizerPath: String? = nil,
        audioDecoderUseGpu: Bool = false,
        chatTemplate: String? = nil,
        useMmap: Bool? = nil,
        extras: String? = nil
    ) {
        self.init(
            cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: LoadOptions.layers(nGpuLayers), mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath,
            audioTokenizerPath: audioTokenizerPath, audioDecoderUseGpu: audioDecoderUseGpu,
            chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Makes options with the context size before the threads.
    public init(
        contextSize: UInt32?,
        cpuThreads: UInt32?,
        cacheOptions: LiquidCacheOptions? = nil,
        nGpuLayers: UInt32? = nil,
        mmProjPath: String? = nil,
        audioDecoderPath: String? = nil,
        audioTokenizerPath: String? = nil,
        audioDecoderUseGpu: Bool = false,
        chatTemplate: String? = nil,
        useMmap: Bool? = nil,
        extras: String? = nil
    ) {
        self.init(
            cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize, nGpuLayers: nGpuLayers,
            mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath, audioTokenizerPath: audioTokenizerPath,
            audioDecoderUseGpu: audioDecoderUseGpu, chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Makes options with the context size before the cache.
    public init(
        contextSize: UInt32?,
        cacheOptions: LiquidCacheOptions?,
        cpuThreads: UInt32? = nil,
        nGpuLayers: UInt32? = nil,
        mmProjPath: String? = nil,
        audioDecoderPath: String? = nil,
        audioTokenizerPath: String? = nil,
        audioDecoderUseGpu: Bool = false,
        chatTemplate: String? = nil,
        useMmap: Bool? = nil,
        extras: String? = nil
    ) {
        self.init(
            cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize, nGpuLayers: nGpuLayers,
            mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath, audioTokenizerPath: audioTokenizerPath,
            audioDecoderUseGpu: audioDecoderUseGpu, chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Makes options with the threads before the cache.
    public init(
        cpuThreads: UInt32?,
        cacheOptions: LiquidCacheOptions?,
        contextSize: UInt32? = nil,
        nGpuLayers: UInt32? = nil,
        mmProjPath: String? = nil,
        audioDecoderPath: String? = nil,
        audioTokenizerPath: String? = nil,
        audioDecoderUseGpu: Bool = false,
        chatTemplate: String? = nil,
        useMmap: Bool? = nil,
        extras: String? = nil
    ) {
        self.init(
            cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize, nGpuLayers: nGpuLayers,
            mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath, audioTokenizerPath: audioTokenizerPath,
            audioDecoderUseGpu: audioDecoderUseGpu, chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Makes options in the order of version 0.7 of the LEAP SDK, the template before the audio tokenizer.
    public init(
        cacheOptions: LiquidCacheOptions? = nil,
        cpuThreads: UInt32? = nil,
        contextSize: UInt32? = nil,
        nGpuLayers: UInt32? = nil,
        mmProjPath: String? = nil,
        audioDecoderPath: String? = nil,
        chatTemplate: String?,
        audioTokenizerPath: String?,
        useMmap: Bool? = nil,
        extras: String? = nil,
        audioDecoderUseGpu: Bool = false
    ) {
        self.init(
            cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize, nGpuLayers: nGpuLayers,
            mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath, audioTokenizerPath: audioTokenizerPath,
            audioDecoderUseGpu: audioDecoderUseGpu, chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }
}

extension LiquidInferenceEngineManifestOptions {
    /// Reuse of what was computed for other prompts; nil for none.
    public var cacheOptions: LiquidCacheOptions? { options.cacheOptions }

    /// The number of threads that compute; nil for as many as suit the machine.
    public var cpuThreads: UInt32? { options.cpuThreads }

    /// The number of tokens that prompt and reply may have together; nil for the model's own.
    public var contextSize: UInt32? { options.contextSize }

    /// The number of the last layers that run on a GPU, `UInt32.max` for all of them and the output head; the log says
    /// which do.
    public var nGpuLayers: UInt32? { options.nGpuLayers }

    /// The vision or audio encoder's file; nil looks beside the model.
    public var mmProjPath: String? { options.mmProjPath }

    /// The audio decoder's file, with which the model speaks; nil looks beside the model.
    public var audioDecoderPath: String? { options.audioDecoderPath }

    /// The audio tokenizer's file; nil looks beside the model.
    ///
    /// Without effect, and logged: the audio decoder's file has the same layers.
    public var audioTokenizerPath: String? { options.audioTokenizerPath }

    /// A Boolean value that tells whether the layers of the audio decoder, and those of an encoder of pictures, are to
    /// run on a GPU; the log says whether they do.
    public var audioDecoderUseGpu: Bool { options.audioDecoderUseGpu }

    /// A chat template over the model's own.
    public var chatTemplate: String? { options.chatTemplate }

    /// A Boolean value that tells whether the file is mapped into memory; nil for yes.
    public var useMmap: Bool? { options.useMmap }

    /// A JSON object with options that have no property here.
    public var extras: String? { options.extras }

    private func with(_ change: (inout LoadOptions) -> Void) -> Self {
        var copy = self
        change(&copy.options)
        return copy
    }

    /// Returns the same options with another cache.
    public func with(cacheOptions: LiquidCacheOptions?) -> Self { with { $0.cacheOptions = cacheOptions } }

    /// Returns the same options with another number of threads.
    public func with(cpuThreads: UInt32?) -> Self { with { $0.cpuThreads = cpuThreads } }

    /// Returns the same options with another context size.
    public func with(contextSize: UInt32?) -> Self { with { $0.contextSize = contextSize } }

    /// Returns the same options with another number of layers on the GPU.
    public func with(nGpuLayers: UInt32?) -> Self { with { $0.nGpuLayers = nGpuLayers } }

    /// Returns the same options with another number of layers on the GPU; -1 for all of them.
    public func with(nGpuLayers: Int) -> Self { with { $0.nGpuLayers = LoadOptions.layers(nGpuLayers) } }

    /// Returns the same options with another encoder file.
    public func with(mmProjPath: String?) -> Self { with { $0.mmProjPath = mmProjPath } }

    /// Returns the same options with another audio decoder file.
    public func with(audioDecoderPath: String?) -> Self { with { $0.audioDecoderPath = audioDecoderPath } }

    /// Returns the same options with another audio tokenizer file.
    public func with(audioTokenizerPath: String?) -> Self { with { $0.audioTokenizerPath = audioTokenizerPath } }

    /// Returns the same options with the audio decoder on a GPU or not.
    public func with(audioDecoderUseGpu: Bool) -> Self { with { $0.audioDecoderUseGpu = audioDecoderUseGpu } }

    /// Returns the same options with another chat template.
    public func with(chatTemplate: String?) -> Self { with { $0.chatTemplate = chatTemplate } }

    /// Returns the same options with the file mapped into memory or read.
    public func with(useMmap: Bool?) -> Self { with { $0.useMmap = useMmap } }

    /// Returns the same options with other extras.
    public func with(extras: String?) -> Self {
        with {
            $0.extras = extras
            $0.further = nil
        }
    }

    /// Returns the same options with further ones as values.
    package func with(further: LoadExtras) -> Self { with { $0.further = further } }
}
