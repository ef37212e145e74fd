import Dispatch
import LeapBase
import LeapChat
import LeapDevices
import LeapEngine
import LeapGGUF
import LeapModel
import LeapTokenizer

/// A model's files and the options for them, from which a runner is made.
struct RunnerAssembly {
    private let files: ModelFiles
    private let options: LoadOptions
    private let extras: LoadExtras
    /// The app's values, over the manifest's.
    private let parameters: GenerationTimeParameters
    /// True if the app or the manifest names the projector.
    ///
    /// A companion that was only found beside the model, and cannot be used, is left alone.
    private let isProjectorNamed: Bool
    /// True if the app or the manifest names the audio decoder.
    private let isDecoderNamed: Bool

    private var useMmap: Bool { options.useMmap ?? true }

    /// Finds the companion files, reads the extras, and logs what has no effect.
    init(
        _ files: ModelFiles, options: LoadOptions, generationTimeParameters: GenerationTimeParameters?,
        autoDetectCompanionFiles: Bool
    ) throws {
        isProjectorNamed = options.mmProjPath != nil || files.multimodalProjectorPath != nil
        isDecoderNamed = options.audioDecoderPath != nil || files.audioDecoderPath != nil
        let files = try CompanionFiles.complete(files, options: options, autoDetect: autoDetectCompanionFiles)
        extras = try options.readExtras()
        for note in LoadNotes.notes(files, options) { LeapLog.logger.notice("\(files.modelId): \(note)") }
        parameters = (generationTimeParameters ?? GenerationTimeParameters()).filled(
            from: files.generationTimeParameters)
        (self.files, self.options) = (files, options)
    }

    /// Opens the files and makes the engine and the runner.
    func runner() throws -> LiquidInferenceEngineRunner {
        let file = try GGUFFile.open(path: files.modelPath, useMmap: useMmap)
        let model = try loadModel(file)
        var builder = try promptBuilder(file, model)
        let adapters = try LoadedAdapters(extras.adapters, for: model, useMmap: useMmap)
        let parts = try parts(for: model)
        let (encoders, speech) = (parts.encoders, parts.speech)
        if let note = LoadNotes.gpuNote(options, speaks: speech != nil, readsImages: encoders?[.image] != nil) {
            LeapLog.logger.notice("\(files.modelId): \(note)")
        }
        let engine = try engine(model, parts)
        builder.speech = speech.map {
            SpeechReader(
                $0.identity, form: $0.form, tokenizer: model.tokenizer, readsImages: encoders?[.image] != nil)
        }
        builder.media = try (encoders?.all ?? []).flatMap { try mediaReaders($0, model.tokenizer, engine) }
        if let note = ModelLoader.contextNote(
            asked: options.contextSize, engine: engine, trained: model.contextLength)
        {
            LeapLog.logger.warning("\(files.modelId): \(note)")
        }
        // Adapters point into the model that they were loaded for.
        var remake: (@Sendable () throws -> Engine)?
        if extras.adapters.isEmpty { remake = { try self.remakeEngine() } }
        let backend = SuspendableBackend(engine, modelId: files.modelId, remake: remake)
        return LiquidInferenceEngineRunner(
            files: files, backend: backend, builder: builder,
            sampling: (parameters.samplingParameters?.values ?? [:]).filled(from: model.samplingDefaults),
            speculation: extras.speculation.mode(usesDraftLayers: engine.usesDraftLayers),
            adapters: adapters, unreadMedia: encoders?.unread ?? [],
            addressedImages: AddressedImages(maxBytes: extras.maxRemoteImageBytes),
            hasCache: options.cacheOptions?.enabled == true)
    }

    /// Makes the engine again, of a model that was released.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names the file.
    private func remakeEngine() throws -> Engine {
        do {
            let file = try GGUFFile.open(path: files.modelPath, useMmap: useMmap)
            let model = try Model.load(
                file: file, ropeScaling: extras.ropeScaling, preTokenizer: extras.preTokenizer)
            return try engine(model, parts(for: model))
        } catch let error as LeapException {
            throw error
        } catch {
            throw LeapModelLoadingException(
                message: ModelLoader.message(for: error, path: files.modelPath), path: files.modelPath, cause: error)
        }
    }

    /// The parts that an engine has beside the model.
    private struct Parts {
        var draft: (any DraftSource)?
        var encoders: MediaEncoders?
        var speech: SpeechDecoder?
    }

    private func parts(for model: Model) throws -> Parts {
        var parts = Parts(draft: try draftModel())
        let readsMedia = model.generatesText || model.decision?.type.readsMedia == true
        let projector = readsMedia ? projectorFile() : nil
        if readsMedia { parts.encoders = try mediaEncoders(for: model, projector) }
        if model.generatesText { parts.speech = try speechDecoder(for: model, projector) }
        return parts
    }

    // MARK: The model and its prompts

    private func loadModel(_ file: GGUFFile) throws -> Model {
        let model = try Model.load(file: file, ropeScaling: extras.ropeScaling, preTokenizer: extras.preTokenizer)
        // Beside the rest of loading, rather than when the first prompt waits for it.
        WorkQueue.loading.async { [tokenizer = model.tokenizer] in tokenizer.prepareToEncode() }
        for note in model.tokenizer.notes { LeapLog.logger.warning("\(files.modelPath): \(note)") }
        return model
    }

    private func promptBuilder(_ file: GGUFFile, _ model: Model) throws -> PromptBuilder {
        guard model.generatesText else { return PromptFormats.unusedBuilder(tokenizer: model.tokenizer) }
        return try PromptFormats.builder(
            metadata: file.metadata, tokenizer: model.tokenizer, option: options.chatTemplate,
            manifest: files.chatTemplate, path: files.modelPath)
    }

    private func mediaReaders(
        _ encoder: any MediaEncoder, _ tokenizer: Tokenizer, _ engine: Engine
    ) throws -> [any MediaReader] {
        guard let tiling = encoder.imageTiling else {
            return [
                AudioReader(
                    encoder: encoder.identity, form: encoder.spectrumForm ?? .normalised,
                    contextSize: engine.contextSize, tokenizer: tokenizer)
            ]
        }
        // Pictures that something else computes count as other ones: what is kept on disk behind them is not taken.
        var identity = encoder.identity
        if let arithmetic = engine.encoderArithmetic { identity.combine(arithmetic) }
        return ImageReader.readers(
            encoder: identity, tokenizer: tokenizer, tiling: try extras.pictures.tiling(tiling),
            contextSize: engine.contextSize)
    }

    // MARK: Companions

    /// The projector's file; nil where there is none, or where opening it fails, which the encoders report.
    private func projectorFile() -> GGUFFile? {
        files.multimodalProjectorPath.flatMap { try? GGUFFile.open(path: $0, useMmap: useMmap) }
    }

    /// Opens the projector, which has encoders of pictures or of sound; nil where there is none.
    ///
    /// One that was found beside the model and cannot be used is left alone; one that is named has to be right.
    /// - Throws: ``LeapModelLoadingException`` that names its file.
    private func mediaEncoders(for model: Model, _ file: GGUFFile?) throws -> MediaEncoders? {
        try companion(
            files.multimodalProjectorPath, "projector", isProjectorNamed, "\(files.modelId) reads text only"
        ) { path in
            let encoders = try MediaEncoders.open(try file ?? GGUFFile.open(path: path, useMmap: useMmap))
            for encoder in encoders.all { try encoder.validate(for: model) }
            return encoders
        }
    }

    /// Opens the audio decoder; nil where there is none, in the same way.
    ///
    /// A projector's generator of sound that cannot be used leaves the encoders beside it usable.
    /// - Throws: ``LeapModelLoadingException`` that names its file.
    private func speechDecoder(for model: Model, _ projector: GGUFFile?) throws -> SpeechDecoder? {
        guard files.audioDecoderPath != nil || projector == nil else {
            let generator = try companion(
                files.multimodalProjectorPath, "generator of sound", false, "\(files.modelId) does not speak"
            ) { _ in
                let decoder = try projector.flatMap { try SpeechDecoder.generator(of: $0) }
                try decoder?.validate(for: model)
                return decoder
            }
            return generator ?? nil
        }
        return try companion(
            files.audioDecoderPath, "audio decoder", isDecoderNamed, "\(files.modelId) does not speak"
        ) { path in
            let decoder = try SpeechDecoder.load(path: path, useMmap: useMmap)
            try decoder.validate(for: model)
            return decoder
        }
    }

    /// Opens a file that belongs to a model; nil where there is none, or where one that is not named cannot be used.
    private func companion<T>(
        _ path: String?, _ kind: String, _ isNamed: Bool, _ otherwise: String, open: (String) throws -> T
    ) throws -> T? {
        guard let path else { return nil }
        do {
            return try open(path)
        } catch {
            let message = "the \(kind) cannot be used: \(ModelLoader.message(for: error, path: path))"
            guard isNamed else {
                LeapLog.logger.warning("\(otherwise): \(message)")
                return nil
            }
            throw LeapModelLoadingException(message: message, path: path, cause: error)
        }
    }

    /// Loads the model that proposes tokens; nil where none is named.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names its file.
    private func draftModel() throws -> (any DraftSource)? {
        guard let path = extras.speculation.draftModel else { return nil }
        do {
            let source = try DraftSources.load(path: path, useMmap: useMmap, preTokenizer: extras.preTokenizer)
            if let assistant = source as? AssistantDrafter {
                for note in assistant.notes { LeapLog.logger.notice("\(path): \(note)") }
            }
            return source
        } catch {
            throw LeapModelLoadingException(
                message: "the draft model cannot be loaded: \(ModelLoader.message(for: error, path: path))",
                path: path, cause: error)
        }
    }

    // MARK: The engine

    private func engine(_ model: Model, _ parts: Parts) throws -> Engine {
        let engineOptions = engineOptions
        let engine = try Engine(
            model: model, draft: parts.draft, encoders: parts.encoders?.all ?? [], speech: parts.speech,
            options: engineOptions,
            devices: SystemDevices(), onNotice: notices(engineOptions),
            onDeviceNotice: { [modelId = files.modelId] in LeapLog.logger.notice("\(modelId): \($0)") })
        engine.setPace(PolicyPace(StandardPacePolicy()))
        return engine
    }

    private var engineOptions: EngineOptions {
        var engineOptions = EngineOptions()
        engineOptions.threads = options.cpuThreads.map { Int($0) } ?? parameters.numberOfDecodingThreads
        engineOptions.contextSize = options.contextSize.map { Int($0) }
        engineOptions.gpuLayers = Int(options.nGpuLayers ?? 0)
        engineOptions.decodesAudioOnGPU = options.audioDecoderUseGpu
        extras.apply(to: &engineOptions)
        options.cacheOptions?.apply(to: &engineOptions)
        return engineOptions
    }

    /// Returns a closure that logs the engine's notices, except about a directory of which the log was told already.
    private func notices(_ options: EngineOptions) -> @Sendable (String) -> Void {
        guard options.prefixCacheFolder.flatMap({ PrefixFolder($0).problem }) == nil else { return { _ in } }
        return { [modelId = files.modelId] in LeapLog.logger.warning("\(modelId): \($0)") }
    }
}
