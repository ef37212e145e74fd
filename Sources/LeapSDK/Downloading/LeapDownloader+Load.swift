import Foundation
import LeapGGUF
import LeapTransfers
import Logging

// MARK: - Fetching and loading

extension LeapDownloader {
    /// Loads a model, downloading missing files first.
    ///
    /// If the engine rejects existing files as damaged, they are downloaded once more, without calls to
    /// `downloadProgress`.
    ///
    /// - Parameters:
    ///   - modelName: a model of the LEAP library (`LFM2-1.2B`), or `hf:owner/repository`.
    ///   - quantizationType: the quantization, such as `Q4_K_M`.
    ///   - options: how to run the model; nil for the defaults of the manifest and the machine.
    ///   - generationTimeParameters: values that take precedence over the manifest's.
    ///   - forceDownload: downloads existing files again; the old files stay until the new ones are complete.
    ///   - forceLocal: loads the model in this process even if a model service is running.
    ///   - downloadProgress: the fraction and the bytes per second; called on the main queue. The fraction is 0...1 and
    ///     never decreases. It is 1 when all files are on disk, before the model is loaded.
    /// - Throws: ``LeapModelLoadingException``; `CancellationError` if the task was cancelled.
    public func loadModel(
        modelName: String, quantizationType: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        forceLocal: Bool = false,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await LeapModelLoadingException.mapping {
            let reference = try reference(modelName, quantizationType)
            let progress = ProgressDelivery(downloadProgress)
            let demand = ServiceDemand(
                name: "\(modelName):\(quantizationType)", modelId: modelName, reference: reference, force: forceDownload
            )
            if !forceLocal, let runner = try await service(demand, options, generationTimeParameters, progress) {
                return runner
            }
            return try await load(
                reference, name: modelName, options, generationTimeParameters, forceDownload, progress)
        }
    }

    /// Loads the model of a manifest, downloading missing files first.
    ///
    /// See
    /// ``loadModel(modelName:quantizationType:options:generationTimeParameters:forceDownload:forceLocal:downloadProgress:)``.
    /// If the manifest is on this device (`file://`) with its files next to it, they are loaded from there.
    public func loadModel(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        forceLocal: Bool = false,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await LeapModelLoadingException.mapping {
            let progress = ProgressDelivery(downloadProgress)
            if manifestUrl.isFileURL {
                return try await load(
                    try LocalManifest.files(manifestUrl), options, generationTimeParameters, forceLocal, progress)
            }
            let reference = reference(manifestUrl)
            let demand = ServiceDemand(manifest: manifestUrl, reference: reference, force: forceDownload)
            if !forceLocal, let runner = try await service(demand, options, generationTimeParameters, progress) {
                return runner
            }
            return try await load(reference, name: nil, options, generationTimeParameters, forceDownload, progress)
        }
    }

    /// Loads a model from files or URLs that the app provides; remote files are downloaded once and kept.
    ///
    /// For a model on this device, companion files that the source does not name are found by their names, as ``Leap``
    /// does for a path.
    public func loadSimpleModel(
        model: ModelSource, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceLocal: Bool = false,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await LeapModelLoadingException.mapping {
            let files = try SourceFiles(model)
            let progress = ProgressDelivery(downloadProgress)
            guard let plan = try files.plan() else {
                return try await load(
                    files.modelFiles(nil).withCompanions(), options, generationTimeParameters, forceLocal, progress)
            }
            return try await load(
                files.reference, name: model.modelName, options, generationTimeParameters, false, progress,
                plan: plan, local: files.local, usesService: !forceLocal)
        }
    }

    /// Loads files that are on this device: in the service where it may be used and there is one, else here.
    private func load(
        _ files: ModelFiles, _ options: LiquidInferenceEngineManifestOptions?, _ parameters: GenerationTimeParameters?,
        _ forceLocal: Bool, _ progress: ProgressDelivery?
    ) async throws -> any ModelRunner {
        let demand = ServiceDemand(modelId: files.modelId, files: files)
        if !forceLocal, let runner = try await service(demand, options, parameters, progress) { return runner }
        progress?(1, 0)
        return try await load(files, options, parameters)
    }

    /// Fetches and loads.
    private func load(
        _ reference: ModelReference, name: String?, _ options: LiquidInferenceEngineManifestOptions?,
        _ parameters: GenerationTimeParameters?, _ force: Bool, _ progress: ProgressDelivery?, plan: ModelPlan? = nil,
        local: [ManifestDocument.Role: String] = [:], usesService: Bool = false
    ) async throws -> any ModelRunner {
        try await fetching(
            reference, name: name, force: force, plan: plan, local: local,
            progress: { progress?(min($0.fraction, 0.999), $0.bytesPerSecond) },
            load: { files in
                // Before it is loaded: apps hand progress on in tasks of their own, which would come behind what they
                // do with the model.
                progress?(1, 0)
                let demand = ServiceDemand(modelId: files.modelId, files: files)
                if usesService, let runner = try await service(demand, options, parameters, nil) { return runner }
                return try await load(files, options, parameters)
            })
    }

    /// Fetches, loads, and fetches once more if what was there is damaged.
    ///
    /// - Parameters:
    ///   - progress: of fetching; 1 is when all of it is there, and not loaded yet.
    ///   - load: loads the files; a ``LeapModelLoadingException`` that a damaged file caused has them fetched again.
    package func fetching<R: Sendable>(
        _ reference: ModelReference, name: String?, force: Bool, plan: ModelPlan? = nil,
        local: [ManifestDocument.Role: String] = [:], progress: (@Sendable (TransferProgress) -> Void)?,
        load: @Sendable (ModelFiles) async throws -> R
    ) async throws -> R {
        try await InstallCenter.shared.loading(folder: store.folder(of: reference)) {
            let wasThere = !force && ((try? store.installed(reference)) ?? nil) != nil
            let model = try await store.install(reference, force: force, plan: plan, progress: progress)
            do {
                return try await noted(model, load(try files(model, name: name, local: local)))
            } catch let error as LeapModelLoadingException where wasThere && error.cause is GGUFError {
                guard try await mayBeDamaged(model) else { throw error }
                ModelStore.logger.notice("\(reference.shown): the files are damaged and are fetched again")
                let again = try await store.install(reference, force: true, plan: plan)
                return try await noted(again, load(try files(again, name: name, local: local)))
            }
        }
    }

    /// Returns what was loaded, after noting that it uses the model: while a runner exists, its files are not removed.
    private func noted<R>(_ model: InstalledModel, _ loaded: R) -> R {
        if let runner = loaded as? any ModelRunner {
            InstallCenter.shared.noteUse(of: model.folder, by: runner)
        }
        return loaded
    }

    /// Returns whether fetching again could help: not if every file is what its source says it is.
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
            noted(model, try await load(try files(model, name: model.name, local: [:]), options, nil))
        }
    }

    /// The files of a model that is there, as its manifest says.
    package func files(of model: InstalledModel) throws -> ModelFiles {
        try LeapModelLoadingException.mapping { try files(model, name: model.name, local: [:]) }
    }

    func files(_ model: InstalledModel, name: String?, local: [ManifestDocument.Role: String]) throws
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
