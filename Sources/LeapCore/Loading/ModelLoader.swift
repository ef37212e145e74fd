import Dispatch
import LeapEngine
import LeapGGUF
import LeapTokenizer

/// Loads models.
package enum ModelLoader {
    private static let queue = DispatchQueue(label: "open-leap.loading", qos: .userInitiated, attributes: .concurrent)

    /// Loads what a path means: a GGUF file, or a bundle.
    package static func load(path: String, options: LoadOptions, autoDetectCompanionFiles: Bool) async throws
        -> LiquidInferenceEngineRunner
    {
        try await offPool {
            try load(
                try ModelFiles.resolve(path: path), options: options, generationTimeParameters: nil,
                autoDetectCompanionFiles: autoDetectCompanionFiles)
        }
    }

    /// Loads a model whose files are known.
    ///
    /// - Parameters:
    ///   - files: the files, and what a manifest says of them.
    ///   - generationTimeParameters: values over the manifest's.
    ///   - autoDetectCompanionFiles: whether companions that are not given are looked for beside the model.
    package static func load(
        files: ModelFiles, options: LoadOptions, generationTimeParameters: GenerationTimeParameters?,
        autoDetectCompanionFiles: Bool
    ) async throws -> LiquidInferenceEngineRunner {
        try await offPool {
            try load(
                files, options: options, generationTimeParameters: generationTimeParameters,
                autoDetectCompanionFiles: autoDetectCompanionFiles)
        }
    }

    /// Runs what waits for the disk on a thread of its own, as tasks must not.
    private static func offPool<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }

    private static func load(
        _ files: ModelFiles, options: LoadOptions, generationTimeParameters: GenerationTimeParameters?,
        autoDetectCompanionFiles: Bool
    ) throws -> LiquidInferenceEngineRunner {
        let files = try CompanionFiles.complete(files, options: options, autoDetect: autoDetectCompanionFiles)
        let extras = try LoadExtras(options.extras)
        logWhatHasNoEffect(files, options)
        let parameters = (generationTimeParameters ?? GenerationTimeParameters()).filled(
            from: files.generationTimeParameters)

        do {
            let file = try GGUFFile.open(path: files.modelPath, useMmap: options.useMmap ?? true)
            let model = try Model.load(file: file)
            // Beside the rest of loading, rather than when the first prompt waits for it.
            queue.async { [tokenizer = model.tokenizer] in tokenizer.prepareToEncode() }
            for note in model.tokenizer.notes { LeapLog.logger.warning("\(files.modelPath): \(note)") }
            var engineOptions = EngineOptions()
            engineOptions.threads = options.cpuThreads.map { Int($0) } ?? parameters.numberOfDecodingThreads
            engineOptions.contextSize = options.contextSize.map { Int($0) }
            engineOptions.keyValueType = extras.keyValueType
            if let cache = options.cacheOptions, cache.enabled {
                engineOptions.prefixCacheBytes = Int(clamping: max(0, cache.maxBytesMemory))
            }
            let builder = try PromptFormats.builder(
                metadata: file.metadata, tokenizer: model.tokenizer,
                option: options.chatTemplate, manifest: files.chatTemplate,
                path: files.modelPath)
            let engine = try Engine(model: model, options: engineOptions)
            return LiquidInferenceEngineRunner(
                files: files, backend: EngineBackend(engine: engine), builder: builder,
                sampling: sampling(parameters.samplingParameters, over: model.samplingDefaults))
        } catch let error as LeapException {
            throw error
        } catch let error as EngineError where error.code == .invalidOption {
            throw LeapModelLoadingException(message: error.message, path: files.modelPath, cause: error)
        } catch {
            throw LeapModelLoadingException(
                message: message(for: error, path: files.modelPath), path: files.modelPath, cause: error)
        }
    }

    /// The error's own words, with the file's name in front where they do not have it.
    private static func message(for error: any Error, path: String) -> String {
        let text = String(describing: error)
        return text.contains(path) ? text : "\(path): \(text)"
    }

    private static func sampling(_ parameters: SamplingParameters?, over file: SamplerOverrides) -> SamplerOptions {
        let manifest = SamplerOverrides(
            temperature: parameters?.temperature.map { Float($0) }, topK: parameters?.topK,
            topP: parameters?.topP.map { Float($0) }, minP: parameters?.minP.map { Float($0) },
            repetitionPenalty: parameters?.repetitionPenalty.map { Float($0) })
        return manifest.applied(to: file.applied(to: SamplerOptions()))
    }

    private static func logWhatHasNoEffect(_ files: ModelFiles, _ options: LoadOptions) {
        if let layers = options.nGpuLayers, layers > 0 {
            LeapLog.logger.notice(
                "nGpuLayers is \(layers == .max ? "all" : "\(layers)"), but there is no GPU backend: the CPU runs every layer"
            )
        }
        if options.audioDecoderUseGpu {
            LeapLog.logger.notice(
                "audioDecoderUseGpu is on, but there is no GPU backend: the CPU runs the audio decoder")
        }
        for (kind, path) in [
            ("encoder", files.multimodalProjectorPath), ("audio decoder", files.audioDecoderPath),
            ("audio tokenizer", files.audioTokenizerPath),
        ] {
            if let path { LeapLog.logger.info("\(files.modelId): found the \(kind) \(path)") }
        }
    }
}
