/// Options for loading and running a model file.
///
/// ```swift
/// let options = LiquidInferenceEngineOptions(bundlePath: url.path, cpuThreads: 4, contextSize: 8192)
///     .with(useMmap: false)
/// ```
public struct LiquidInferenceEngineOptions: Sendable, Hashable {
    /// The path of the model's file.
    public var bundlePath: String
    package private(set) var options: LoadOptions

    /// Creates options; you can omit every argument.
    ///
    /// - Parameters:
    ///   - bundlePath: the model's file; `Leap.load(url:options:)` sets it.
    ///   - cacheOptions: the prefix cache; nil for none.
    ///   - cpuThreads: the number of threads; nil for the number that suits the machine.
    ///   - contextSize: the maximum number of tokens of prompt and reply together; nil for the model's own.
    ///   - nGpuLayers: the number of layers, counted from the last one, that run on a GPU. With -1, all layers and the
    ///     output head run there. The log says which layers do. The CPU computes them if there is no GPU, or if the GPU
    ///     cannot compute a layer. Unless it is 0, the layers of an image encoder run on the GPU too. `gpuDevice` in
    ///     the extras selects the GPU.
    ///   - mmProjPath: the vision or audio encoder's file; with nil, it is looked for next to the model.
    ///   - audioDecoderPath: the audio decoder's file; with nil, it is looked for next to the model.
    ///   - audioTokenizerPath: the audio tokenizer's file; with nil, it is looked for next to the model.
    ///   - audioDecoderUseGpu: whether a GPU runs the layers of the audio decoder and of an image encoder, regardless
    ///     of `nGpuLayers`. The log says whether it does. If there is no GPU, or the GPU cannot run them or fails, the
    ///     CPU computes the same audio.
    ///   - chatTemplate: a chat template (Jinja) that replaces the model's own.
    ///   - useMmap: whether to map the file into memory (nil, true) or read it (false).
    ///   - extras: a JSON object with options that have no argument here; the page “Loading models” of `LeapSDK` lists
    ///     them.
    public init(
        bundlePath: String = "",
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
        self.bundlePath = bundlePath
        options = LoadOptions(
            cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize, nGpuLayers: nGpuLayers,
            mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath, audioTokenizerPath: audioTokenizerPath,
            audioDecoderUseGpu: audioDecoderUseGpu, chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Creates options with the number of layers as an `Int`; -1 for all layers.
    public init(
        bundlePath: String = "",
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
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: LoadOptions.layers(nGpuLayers), mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath,
            audioTokenizerPath: audioTokenizerPath, audioDecoderUseGpu: audioDecoderUseGpu,
            chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Creates options with the context size before the threads.
    public init(
        bundlePath: String = "",
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
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: nGpuLayers, mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath,
            audioTokenizerPath: audioTokenizerPath, audioDecoderUseGpu: audioDecoderUseGpu,
            chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Creates options with the context size before the cache.
    public init(
        bundlePath: String = "",
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
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: nGpuLayers, mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath,
            audioTokenizerPath: audioTokenizerPath, audioDecoderUseGpu: audioDecoderUseGpu,
            chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Creates options with the threads before the cache.
    public init(
        bundlePath: String = "",
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
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: nGpuLayers, mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath,
            audioTokenizerPath: audioTokenizerPath, audioDecoderUseGpu: audioDecoderUseGpu,
            chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }

    /// Creates options in the argument order of version 0.7 of the LEAP SDK, with the template before the audio
    /// tokenizer.
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
        useMmap: Bool? = nil,
        extras: String? = nil,
        audioDecoderUseGpu: Bool = false
    ) {
        self.init(
            bundlePath: bundlePath, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
            nGpuLayers: nGpuLayers, mmProjPath: mmProjPath, audioDecoderPath: audioDecoderPath,
            audioTokenizerPath: audioTokenizerPath, audioDecoderUseGpu: audioDecoderUseGpu,
            chatTemplate: chatTemplate, useMmap: useMmap, extras: extras)
    }
}

extension LiquidInferenceEngineOptions {
    /// The prefix cache; nil for none.
    public var cacheOptions: LiquidCacheOptions? { options.cacheOptions }

    /// The number of threads; nil for the number that suits the machine.
    public var cpuThreads: UInt32? { options.cpuThreads }

    /// The maximum number of tokens of prompt and reply together; nil for the model's own.
    public var contextSize: UInt32? { options.contextSize }

    /// The number of layers, counted from the last one, that run on a GPU; the log says which do.
    ///
    /// With `UInt32.max`, all layers and the output head run there.
    public var nGpuLayers: UInt32? { options.nGpuLayers }

    /// The vision or audio encoder's file; with nil, it is looked for next to the model.
    public var mmProjPath: String? { options.mmProjPath }

    /// The audio decoder's file, which produces speech; with nil, it is looked for next to the model.
    public var audioDecoderPath: String? { options.audioDecoderPath }

    /// The audio tokenizer's file; with nil, it is looked for next to the model.
    ///
    /// It has no effect, and the log says so: the audio decoder's file has the same layers.
    public var audioTokenizerPath: String? { options.audioTokenizerPath }

    /// A Boolean value that indicates whether the layers of the audio decoder and of an image encoder run on a GPU.
    ///
    /// The log says whether they do.
    public var audioDecoderUseGpu: Bool { options.audioDecoderUseGpu }

    /// A chat template that replaces the model's own.
    public var chatTemplate: String? { options.chatTemplate }

    /// A Boolean value that indicates whether the file is mapped into memory; nil for yes.
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
