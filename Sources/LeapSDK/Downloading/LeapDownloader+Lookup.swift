import Foundation
import LeapBase
import LeapHTTP
import LeapTransfers
import Logging

// MARK: - What is there

extension LeapDownloader {
    /// Returns the state of a model on this device, without a network request.
    public func queryStatus(modelName: String, quantizationType: String) async -> ModelDownloadStatus {
        guard let reference = try? reference(modelName, quantizationType) else { return .notOnLocal }
        return status(reference)
    }

    /// Returns the state of a manifest's model on this device, without a network request.
    public func queryStatus(manifestUrl: URL) async -> ModelDownloadStatus {
        status(reference(manifestUrl))
    }

    package func status(_ reference: ModelReference) -> ModelDownloadStatus {
        switch store.state(reference) {
        case .absent, .stopped: .notOnLocal
        case .running(let fraction): .downloadInProgress(progress: fraction)
        case .installed: .downloaded
        }
    }

    /// Returns the error of the last request for a model in this process.
    ///
    /// It is nil while the model is being downloaded, after success, and after a stop. Use it if you started with
    /// ``requestDownloadModel(modelName:quantizationType:forceDownload:)``, which does not wait.
    public func lastDownloadError(modelName: String, quantizationType: String) -> LeapModelLoadingException? {
        do {
            return failure(try reference(modelName, quantizationType))
        } catch {
            return Self.exception(error)
        }
    }

    /// Returns the error of the last request for the model of a manifest; see
    /// ``lastDownloadError(modelName:quantizationType:)``.
    public func lastDownloadError(manifestUrl: URL) -> LeapModelLoadingException? { failure(reference(manifestUrl)) }

    private func failure(_ reference: ModelReference) -> LeapModelLoadingException? {
        InstallCenter.shared.failure(folder: store.folder(of: reference)).map(Self.exception)
    }

    private static func exception(_ error: any Error) -> LeapModelLoadingException {
        if let error = error as? DownloadError { return LeapModelLoadingException(error) }
        return error as? LeapModelLoadingException
            ?? LeapModelLoadingException(message: String(describing: error), cause: error)
    }

    /// Returns the progress of a model that is being downloaded or loaded, about ten times a second.
    ///
    /// The stream ends when the model can be used or no transfer is running. The bytes never decrease.
    /// ``ProgressData/progress`` is 1 only in the last value, when the model can be used. If the download failed, the
    /// last value has the phase ``DownloadPhase/failed``, and its ``ProgressData/note`` says why.
    public func observeDownloadProgress(modelName: String, quantizationType: String) -> AsyncStream<ProgressData> {
        guard let reference = try? reference(modelName, quantizationType) else { return AsyncStream { $0.finish() } }
        return observe(reference)
    }

    /// Returns the progress of a manifest's model; see ``observeDownloadProgress(modelName:quantizationType:)``.
    public func observeDownloadProgress(manifestUrl: URL) -> AsyncStream<ProgressData> {
        observe(reference(manifestUrl))
    }

    private func observe(_ reference: ModelReference) -> AsyncStream<ProgressData> {
        let store = store
        let folder = store.folder(of: reference)
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var last: ProgressData?
                while !Task.isCancelled, let data = Self.current(folder: folder, store) {
                    if data != last { continuation.yield(data) }
                    last = data
                    try? await Task.sleep(nanoseconds: 100_000_000)
                }
                guard !Task.isCancelled else { return }
                if let error = InstallCenter.shared.failure(folder: folder) {
                    continuation.yield(
                        ProgressData(
                            bytes: last?.bytes ?? 0, total: last?.total ?? 0, phase: .failed,
                            note: Self.exception(error).message))
                } else if let model = try? store.installed(reference) {
                    continuation.yield(ProgressData(bytes: model.size, total: model.size, phase: .finished))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Returns the progress of the model of a folder; nil if no transfer of this process fetches it.
    private static func current(folder: String, _ store: ModelStore) -> ProgressData? {
        if let now = InstallCenter.shared.progress(folder: folder), now.phase != .finished {
            return ProgressData(now)
        }
        guard InstallCenter.shared.isLoading(folder: folder) else { return nil }
        guard let model = try? store.installed(in: folder) else {
            return ProgressData(bytes: 0, total: 0, phase: .resolving)
        }
        return ProgressData(bytes: model.size, total: model.size, phase: .loading)
    }

    /// Removes a model and its partial downloads; logs failures.
    public func removeModel(modelName: String, quantizationType: String) async {
        guard let reference = try? reference(modelName, quantizationType) else { return }
        await remove(reference)
    }

    /// Removes the model of a manifest and its partial downloads; logs failures.
    public func removeModel(manifestUrl: URL) async {
        await remove(reference(manifestUrl))
    }

    private func remove(_ reference: ModelReference) async {
        do {
            try await store.remove(reference)
        } catch {
            ModelStore.logger.error("\(error)")
        }
    }

    /// Returns the folder of a model's files, whether or not they exist.
    public func getModelResourceFolder(modelName: String, quantizationType: String) -> String {
        guard let reference = try? reference(modelName, quantizationType) else {
            return
                "\(store.configuration.folder)/\(SafeFileName.mapped(modelName))/\(SafeFileName.mapped(quantizationType))"
        }
        return store.folder(of: reference)
    }

    /// Returns the manifest of a model that is complete on this device; nil for other models.
    public func getCachedManifest(modelName: String, quantizationType: String) async -> Manifest? {
        guard let reference = try? reference(modelName, quantizationType), let model = try? store.installed(reference)
        else { return nil }
        return ModelManifest(model.manifest)
    }

    /// Returns the manifest of a model that is complete on this device; nil for other models.
    public func getCachedManifest(manifestUrl: URL) async -> Manifest? {
        guard let model = try? store.installed(reference(manifestUrl)) else { return nil }
        return ModelManifest(model.manifest)
    }

    /// Returns the path of the local file that was downloaded from a URL for a model; nil if there is none.
    public func getCachedFilePath(modelUrl: String, modelName: String, quantizationType: String) -> String? {
        guard let url = URL(string: modelUrl) else { return nil }
        let models = ((try? store.list()) ?? []).filter { $0.name == "\(modelName):\(quantizationType)" }
        for model in models {
            if let file = model.files.first(where: { $0.source == url.shown }) { return model.folder + "/" + file.name }
        }
        return nil
    }

    /// Returns the current manifest of a model from its source; uses the network, but downloads no model.
    public func resolve(modelName: String, quantizationType: String) async throws -> ModelManifest {
        try await LeapModelLoadingException.mapping {
            ModelManifest(try await store.resolver.plan(try reference(modelName, quantizationType)).manifest)
        }
    }

    /// Removes one file of a model, given its URL; the model is then incomplete.
    @discardableResult
    public func deleteModelFile(modelUrl: String, modelName: String, quantizationType: String) -> Bool {
        guard let path = getCachedFilePath(modelUrl: modelUrl, modelName: modelName, quantizationType: quantizationType)
        else { return false }
        return unlink(path) == 0
    }

    /// Removes a model and its partial downloads.
    ///
    /// - Throws: ``LeapModelLoadingException`` if something could not be removed.
    public func deleteModelResources(modelName: String, quantizationType: String) async throws {
        try await LeapModelLoadingException.mapping {
            try await store.remove(try reference(modelName, quantizationType))
        }
    }

    /// Returns the size of a model in bytes: on disk if it is there, else from its source, which uses the network.
    public func getModelSize(modelName: String, quantizationType: String) async throws -> Int64 {
        try await LeapModelLoadingException.mapping {
            let reference = try reference(modelName, quantizationType)
            if let model = try store.installed(reference) { return model.size }
            return try await store.downloadSize(reference)
        }
    }

    /// Returns the disk space that a model needs, less what is already downloaded; uses the network.
    ///
    /// A download asks the same before its first byte. If the space does not suffice, it fails with a ``DownloadError``
    /// of the code ``DownloadError/Code/insufficientSpace``, which has both numbers.
    ///
    /// - Parameters:
    ///   - modelName: a model of the LEAP library (`LFM2-1.2B`), or `hf:owner/repository`.
    ///   - quantizationType: the quantization, such as `Q4_K_M`.
    public func diskSpace(modelName: String, quantizationType: String) async throws -> DownloadSpace {
        try await LeapModelLoadingException.mapping {
            let demand = try await store.diskDemand(try reference(modelName, quantizationType))
            return DownloadSpace(needed: demand.needed, available: demand.available)
        }
    }

    /// Returns the number of free bytes where models are stored; nil if the system does not report it.
    public func getAvailableDiskSpace() -> Int64? {
        FileSystem.availableSpace(at: store.configuration.folder)
    }
}

// MARK: - Beyond the LEAP SDK

extension LeapDownloader {
    /// Returns whether a model fits on this machine; reads only the header of the file on the server.
    ///
    /// - Parameters:
    ///   - modelName: a model of the LEAP library (`LFM2-1.2B`), or `hf:owner/repository`.
    ///   - quantizationType: the quantization, such as `Q4_K_M`.
    ///   - contextSize: the tokens of context; nil for the model's training context, at most 8192.
    public func fits(modelName: String, quantizationType: String, contextSize: Int? = nil) async throws -> ModelFit {
        do {
            return try await LeapModelLoadingException.mapping {
                try await store.fit(try reference(modelName, quantizationType), contextSize: contextSize)
            }
        } catch let error as LeapException {
            throw error
        } catch let error where !(error is CancellationError) {
            throw LeapModelLoadingException(message: String(describing: error), cause: error)
        }
    }

    /// Returns every model that is complete on this device, most recently used first.
    public func listModels() throws -> [DownloadedModel] {
        try LeapModelLoadingException.mapping { try store.list().map(Self.entry) }
    }

    /// Removes the least recently used models until the rest has at most `bytes` bytes.
    ///
    /// A model that is in memory in this process, or that is being downloaded, stays.
    ///
    /// - Returns: the removed models.
    @discardableResult
    public func removeLeastRecentlyUsed(downTo bytes: Int64) async throws -> [DownloadedModel] {
        try await LeapModelLoadingException.mapping { try await store.cleanUp(toBytes: bytes).map(Self.entry) }
    }

    /// Removes the models that were not used for a time.
    ///
    /// Every load counts as a use, in any process. A model that is in memory in this process, or that is being
    /// downloaded, stays.
    ///
    /// ```swift
    /// let unused = try await downloader.removeModels(unusedForDays: 30, dryRun: true)
    /// ```
    ///
    /// - Parameters:
    ///   - days: the days since the last use; at least 1.
    ///   - dryRun: whether to return the models and remove nothing.
    /// - Returns: the models that were removed, or would be.
    @discardableResult
    public func removeModels(unusedForDays days: Int, dryRun: Bool = false) async throws -> [DownloadedModel] {
        let date = Date(timeIntervalSinceNow: -Double(max(1, days)) * 24 * 3600)
        return try await LeapModelLoadingException.mapping {
            try await store.removeUnused(since: date, isDryRun: dryRun).map(Self.entry)
        }
    }

    private static func entry(_ model: InstalledModel) -> DownloadedModel {
        DownloadedModel(name: model.name, folder: model.folder, size: model.size, lastUse: model.lastUse)
    }
}
