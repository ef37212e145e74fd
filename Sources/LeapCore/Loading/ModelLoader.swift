import Dispatch
import LeapBase
import LeapChat
import LeapDevices
import LeapEngine
import LeapGGUF
import LeapModel
import LeapTokenizer

/// Loads models.
package enum ModelLoader {
    /// Loads what a path means: a GGUF file, or a bundle.
    package static func load(
        path: String, options: LoadOptions, generationTimeParameters: GenerationTimeParameters? = nil,
        autoDetectCompanionFiles: Bool
    ) async throws -> LiquidInferenceEngineRunner {
        try await WorkQueue.loading.run {
            try load(
                try ModelFiles.resolve(path: path), options: options,
                generationTimeParameters: generationTimeParameters,
                autoDetectCompanionFiles: autoDetectCompanionFiles)
        }
    }

    /// The same on the thread of the caller, for functions that are not asynchronous.
    package static func loadHere(
        path: String, options: LoadOptions, autoDetectCompanionFiles: Bool
    ) throws -> LiquidInferenceEngineRunner {
        try load(
            try ModelFiles.resolve(path: path), options: options, generationTimeParameters: nil,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
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
        try await WorkQueue.loading.run {
            try load(
                files, options: options, generationTimeParameters: generationTimeParameters,
                autoDetectCompanionFiles: autoDetectCompanionFiles)
        }
    }

    private static func load(
        _ files: ModelFiles, options: LoadOptions, generationTimeParameters: GenerationTimeParameters?,
        autoDetectCompanionFiles: Bool
    ) throws -> LiquidInferenceEngineRunner {
        let isProjectorNamed = options.mmProjPath != nil || files.multimodalProjectorPath != nil
        let isDecoderNamed = options.audioDecoderPath != nil || files.audioDecoderPath != nil
        let files = try CompanionFiles.complete(files, options: options, autoDetect: autoDetectCompanionFiles)
        let extras = try options.readExtras()
        for note in LoadNotes.notes(files, options) { LeapLog.logger.notice("\(files.modelId): \(note)") }
        let parameters = (generationTimeParameters ?? GenerationTimeParameters()).filled(
            from: files.generationTimeParameters)

        do {
            let file = try GGUFFile.open(path: files.modelPath, useMmap: options.useMmap ?? true)
            let model = try Model.load(
                file: file, ropeScaling: extras.ropeScaling, preTokenizer: extras.preTokenizer)
            // Beside the rest of loading, rather than when the first prompt waits for it.
            WorkQueue.loading.async { [tokenizer = model.tokenizer] in tokenizer.prepareToEncode() }
            for note in model.tokenizer.notes { LeapLog.logger.warning("\(files.modelPath): \(note)") }
            var engineOptions = EngineOptions()
            engineOptions.threads = options.cpuThreads.map { Int($0) } ?? parameters.numberOfDecodingThreads
            engineOptions.contextSize = options.contextSize.map { Int($0) }
            engineOptions.gpuLayers = Int(options.nGpuLayers ?? 0)
            engineOptions.decodesAudioOnGPU = options.audioDecoderUseGpu
            extras.apply(to: &engineOptions)
            options.cacheOptions?.apply(to: &engineOptions)
            var builder =
                model.generatesText
                ? try PromptFormats.builder(
                    metadata: file.metadata, tokenizer: model.tokenizer,
                    option: options.chatTemplate, manifest: files.chatTemplate,
                    path: files.modelPath)
                : PromptFormats.unusedBuilder(tokenizer: model.tokenizer)
            let adapters = try LoadedAdapters(extras.adapters, for: model, useMmap: options.useMmap ?? true)
            let draft = try extras.speculation.draftModel.map {
                try draftModel($0, useMmap: options.useMmap ?? true, preTokenizer: extras.preTokenizer)
            }
            let encoder =
                try model.generatesText ? mediaEncoder(files, options, isNamed: isProjectorNamed, for: model) : nil
            if let note = LoadNotes.gpuNote(files, options, readsImages: encoder?.medium == .image) {
                LeapLog.logger.notice("\(files.modelId): \(note)")
            }
            let speech =
                try model.generatesText ? speechDecoder(files, options, isNamed: isDecoderNamed, for: model) : nil
            let engine = try Engine(
                model: model, draft: draft, encoder: encoder, speech: speech, options: engineOptions,
                devices: SystemDevices(),
                onNotice: notices(files, engineOptions),
                onDeviceNotice: { [modelId = files.modelId] in LeapLog.logger.notice("\(modelId): \($0)") })
            builder.speech = speech.map { SpeechReader($0.identity, tokenizer: model.tokenizer) }
            if let encoder, let tiling = encoder.imageTiling {
                // Pictures that something else computes count as other ones: what is kept on disk behind them is not
                // taken.
                var identity = encoder.identity
                if let arithmetic = engine.encoderArithmetic { identity.combine(arithmetic) }
                builder.media = ImageReader(
                    encoder: identity, tokenizer: model.tokenizer, tiling: try extras.pictures.tiling(tiling))
            } else if let encoder {
                builder.media = AudioReader(encoder: encoder.identity, contextSize: engine.contextSize)
            }
            if let note = contextNote(asked: options.contextSize, engine: engine, trained: model.contextLength) {
                LeapLog.logger.warning("\(files.modelId): \(note)")
            }
            return LiquidInferenceEngineRunner(
                files: files, backend: engine, builder: builder,
                sampling: (parameters.samplingParameters?.values ?? [:]).filled(from: model.samplingDefaults),
                speculation: extras.speculation.mode, adapters: adapters,
                addressedImages: AddressedImages(maxBytes: extras.maxRemoteImageBytes),
                hasCache: options.cacheOptions?.enabled == true)
        } catch let error as LeapException {
            throw error
        } catch let error as EngineError where error.code == .invalidOption {
            throw LeapModelLoadingException(error, path: files.modelPath)
        } catch {
            throw LeapModelLoadingException(
                message: message(for: error, path: files.modelPath), path: files.modelPath, cause: error)
        }
    }

    /// Opens the projector, which is an encoder of pictures or of sound; nil where there is none.
    ///
    /// One that was found beside the model and cannot be used is left alone; one that is named has to be right.
    /// - Throws: ``LeapModelLoadingException`` that names its file.
    private static func mediaEncoder(
        _ files: ModelFiles, _ options: LoadOptions, isNamed: Bool, for model: Model
    ) throws -> (any MediaEncoder)? {
        try companion(files.multimodalProjectorPath, "projector", isNamed, "\(files.modelId) reads text only") { path in
            let encoder = try MediaEncoders.open(try GGUFFile.open(path: path, useMmap: options.useMmap ?? true))
            try encoder.validate(for: model)
            return encoder
        }
    }

    /// Opens the audio decoder; nil where there is none, in the same way.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names its file.
    private static func speechDecoder(
        _ files: ModelFiles, _ options: LoadOptions, isNamed: Bool, for model: Model
    ) throws -> SpeechDecoder? {
        try companion(files.audioDecoderPath, "audio decoder", isNamed, "\(files.modelId) does not speak") { path in
            let decoder = try SpeechDecoder.load(path: path, useMmap: options.useMmap ?? true)
            try decoder.validate(for: model)
            return decoder
        }
    }

    /// Opens a file that belongs to a model; nil where there is none, or where one that is not named cannot be used.
    private static func companion<T>(
        _ path: String?, _ kind: String, _ isNamed: Bool, _ otherwise: String, open: (String) throws -> T
    ) throws -> T? {
        guard let path else { return nil }
        do {
            return try open(path)
        } catch {
            let message = "the \(kind) cannot be used: \(message(for: error, path: path))"
            guard isNamed else {
                LeapLog.logger.warning("\(otherwise): \(message)")
                return nil
            }
            throw LeapModelLoadingException(message: message, path: path, cause: error)
        }
    }

    /// Loads the model that proposes tokens.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names its file.
    private static func draftModel(_ path: String, useMmap: Bool, preTokenizer: String?) throws -> any DraftSource {
        do {
            return try DraftSources.load(path: path, useMmap: useMmap, preTokenizer: preTokenizer)
        } catch {
            throw LeapModelLoadingException(
                message: "the draft model cannot be loaded: \(message(for: error, path: path))", path: path,
                cause: error)
        }
    }

    /// Returns a closure that logs the engine's notices, except about a directory of which the log was told already.
    private static func notices(_ files: ModelFiles, _ options: EngineOptions) -> @Sendable (String) -> Void {
        guard options.prefixCacheFolder.flatMap({ PrefixFolder($0).problem }) == nil else { return { _ in } }
        return { [modelId = files.modelId] in LeapLog.logger.warning("\(modelId): \($0)") }
    }

    /// The error's own words, with the file's name in front where they do not have it.
    static func message(for error: any Error, path: String) -> String {
        let text = String(describing: error)
        return text.contains(path) ? text : "\(path): \(text)"
    }

    /// Returns a note on a context that is not as large as asked for; nil where it is.
    static func contextNote(asked: UInt32?, engine: Engine, trained: Int) -> String? {
        guard let asked, Int(asked) > engine.contextSize else { return nil }
        return "contextSize is \(asked), but the model was trained for \(trained) tokens: the context holds"
            + " \(engine.contextSize); 'ropeScaling' in the extras allows more"
    }
}
