import Foundation
import LeapGGUF
import LeapTransfers

// MARK: - Fetching and loading

extension LeapDownloader {
    /// Loads a model, fetching what is not there.
    ///
    /// If the engine rejects files that were there as damaged, they are fetched once more, without a word to `downloadProgress`.
    ///
    /// - Parameters:
    ///   - modelName: a model of the LEAP library (`LFM2-1.2B`), or `hf:owner/repository`.
    ///   - quantizationType: such as `Q4_K_M`.
    ///   - options: how to run it; nil for what the manifest and the machine recommend.
    ///   - generationTimeParameters: values over the manifest's.
    ///   - forceDownload: fetches even what is there; the old files stay until the new ones are whole.
    ///   - forceLocal: loads in this process even where a model service runs.
    ///   - downloadProgress: the fraction (0...1, never falling, 1 only when the model can be used) and bytes per second; called on the main queue.
    /// - Throws: ``LeapModelLoadingException``; `CancellationError` if the task was cancelled.
    public func loadModel(
        modelName: String, quantizationType: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        forceLocal: Bool = false,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await LeapModelLoadingException.mapping {
            try await load(
                try reference(modelName, quantizationType), name: modelName, options, generationTimeParameters,
                forceDownload, ProgressDelivery(downloadProgress))
        }
    }

    /// Loads the model of a manifest, fetching what is not there.
    ///
    /// See ``loadModel(modelName:quantizationType:options:generationTimeParameters:forceDownload:forceLocal:downloadProgress:)``.
    /// A manifest on this device (`file://`) whose files lie beside it is loaded from there.
    public func loadModel(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        forceLocal: Bool = false,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await LeapModelLoadingException.mapping {
            if manifestUrl.isFileURL {
                let files = try LocalManifest.files(manifestUrl)
                let runner = try await load(files, options, generationTimeParameters)
                ProgressDelivery(downloadProgress)?(1, 0)
                return runner
            }
            return try await load(
                reference(manifestUrl), name: nil, options, generationTimeParameters, forceDownload,
                ProgressDelivery(downloadProgress))
        }
    }

    /// Loads a model whose files the app brings, or knows the addresses of; those on the network are fetched once and kept.
    public func loadSimpleModel(
        model: ModelSource, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceLocal: Bool = false,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await LeapModelLoadingException.mapping {
            let files = try SourceFiles(model)
            if let plan = try files.plan() {
                let runner = try await load(
                    files.reference, name: model.modelName, options, generationTimeParameters, false,
                    ProgressDelivery(downloadProgress),
                    plan: plan,
                    local: files.local)
                return runner
            }
            let modelFiles = files.modelFiles(nil)
            let runner = try await load(modelFiles, options, generationTimeParameters)
            ProgressDelivery(downloadProgress)?(1, 0)
            return runner
        }
    }

    /// Fetches, loads, and fetches once more if what was there is damaged.
    private func load(
        _ reference: ModelReference, name: String?, _ options: LiquidInferenceEngineManifestOptions?,
        _ parameters: GenerationTimeParameters?, _ force: Bool, _ progress: ProgressDelivery?, plan: ModelPlan? = nil,
        local: [ManifestDocument.Role: String] = [:]
    ) async throws -> any ModelRunner {
        try await InstallCenter.shared.loading(folder: store.folder(of: reference)) {
            let wasThere = !force && ((try? store.installed(reference)) ?? nil) != nil
            // 1 is reported when the model is loaded, not when it is fetched.
            let model = try await store.install(reference, force: force, plan: plan) { now in
                progress?(min(now.fraction, 0.999), now.bytesPerSecond)
            }
            let runner: any ModelRunner
            do {
                runner = try await load(try files(model, name: name, local: local), options, parameters)
            } catch let error as LeapModelLoadingException where wasThere && error.cause is GGUFError {
                guard try await mayBeDamaged(model) else { throw error }
                ModelStore.logger.notice("\(reference.shown): the files are damaged and are fetched once more")
                let again = try await store.install(reference, force: true, plan: plan)
                runner = try await load(try files(again, name: name, local: local), options, parameters)
            }
            progress?(1, 0)
            return runner
        }
    }

    /// Whether fetching again could help: not if every file is what its source says it is.
    private func mayBeDamaged(_ model: InstalledModel) async throws -> Bool {
        guard model.files.allSatisfy(\.isVerified) else { return true }
        return try await !store.verify(model).isEmpty
    }

    private func load(
        _ files: ModelFiles, _ options: LiquidInferenceEngineManifestOptions?, _ parameters: GenerationTimeParameters?
    ) async throws -> any ModelRunner {
        // A manifest names every file that belongs to the model, so that none is looked for.
        try await ModelLoader.load(
            files: files, options: (options ?? LiquidInferenceEngineManifestOptions()).options,
            generationTimeParameters: parameters, autoDetectCompanionFiles: false)
    }

    /// Loads a model that is there, as its manifest says.
    package func load(_ model: InstalledModel, options: LiquidInferenceEngineManifestOptions?) async throws
        -> any ModelRunner
    {
        try await LeapModelLoadingException.mapping {
            try await load(try files(model, name: model.name, local: [:]), options, nil)
        }
    }

    private func files(_ model: InstalledModel, name: String?, local: [ManifestDocument.Role: String]) throws
        -> ModelFiles
    {
        let manifest = ModelManifest(model.manifest)
        try InferenceTypes.check(manifest.inferenceType, place: model.name)
        func path(_ role: ManifestDocument.Role) -> String? { local[role] ?? model.path(role) }
        guard let modelPath = path(.model) else {
            throw DownloadError(.invalidManifest, "\(model.folder): the manifest names no model.", path: model.folder)
        }
        var files = ModelFiles(modelPath: modelPath, modelId: name)
        files.multimodalProjectorPath = path(.multimodalProjector)
        files.audioDecoderPath = path(.audioDecoder)
        files.audioTokenizerPath = path(.audioTokenizer)
        files.chatTemplate = manifest.loadTimeParameters.chatTemplate
        files.generationTimeParameters = manifest.generationTimeParameters
        files.inferenceType = manifest.inferenceType
        return files
    }
}
