import Foundation
package import LeapHTTP
import LeapTransfers
import Logging

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Downloads models, stores them on disk, and loads them.
///
/// ```swift
/// let downloader = LeapDownloader()
/// let runner = try await downloader.loadModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M") { fraction, bytesPerSecond in
///     print("\(Int(fraction * 100))% at \(bytesPerSecond) B/s")
/// }
/// ```
/// A model that is on disk loads without a network request. Other models are downloaded in parallel parts, checked
/// against the SHA-256 of their source, and visible only when complete. After an interruption, the next call continues
/// where the download stopped. If two downloaders want the same model, in one process or in two, it is downloaded once.
/// You can call all functions from any task.
open class LeapDownloader: @unchecked Sendable {
    // Open for `ModelDownloader`, which lies in a module of its own; no member can be overridden. Sendable although not
    // final: this class and its subclass hold immutable values only.

    /// The folder of the models, and the download settings.
    public let config: LeapDownloaderConfig
    package let store: ModelStore
    /// True if the app has a say in how files are transferred.
    let hasOwnTransport: Bool
    /// The place where the model service is looked for.
    let serviceLookup: ServiceLookup

    /// Creates a downloader, without access to the disk or the network.
    public convenience init(config: LeapDownloaderConfig = LeapDownloaderConfig()) {
        self.init(config: config, transport: StandardTransport.make(network: config.transferConfiguration.network))
    }

    package init(
        config: LeapDownloaderConfig, transport: any Transport, isOwnTransport: Bool = false,
        serviceLookup: ServiceLookup = ServiceLookup(),
        onInstallation: (@Sendable (InstallationEvent) -> Void)? = nil
    ) {
        self.config = config
        self.serviceLookup = serviceLookup
        hasOwnTransport = isOwnTransport
        let configuration = config.transferConfiguration
        store = ModelStore(configuration: configuration, transport: transport, onInstallation: onInstallation)
        if configuration.network != .any, !NetworkRule.isEnforced {
            ModelStore.logger.notice(
                "allowsCellularAccess and allowsLowDataMode have no effect here: this system does not distinguish networks"
            )
        }
    }

    package func reference(_ model: String, _ quantization: String) throws -> ModelReference {
        // A name with its quantization, as commands take it, must not contradict the other one.
        let name = model.hasPrefix("hf:") ? model.dropFirst(3) : model[...]
        if let colon = name.lastIndex(of: ":"), !name.contains("://") {
            let own = name[name.index(after: colon)...]
            guard quantization.isEmpty || own.lowercased() == quantization.lowercased() else {
                throw DownloadError(
                    .invalidName,
                    "“\(model)”: the name says \(own) and the quantization \(quantization); leave one of them out.")
            }
            return try ModelReference.parse(model, endpoint: store.configuration.endpoint)
        }
        if model.hasPrefix("hf:") || model.contains("/") {
            return try ModelReference.parse("\(model):\(quantization)", endpoint: store.configuration.endpoint)
        }
        return try ModelReference.library(model, quantization)
    }

    package func reference(_ manifestUrl: URL) -> ModelReference {
        ModelReference.manifest(manifestUrl, endpoint: store.configuration.endpoint)
    }
}

// MARK: - Fetching

extension LeapDownloader {
    /// Downloads a model without loading it.
    ///
    /// - Parameters:
    ///   - modelName: a model of the LEAP library (`LFM2-1.2B`), or `hf:owner/repository`.
    ///   - quantizationType: the quantization, such as `Q4_K_M`.
    ///   - downloadProgress: the fraction and the bytes per second; called on the main queue. The fraction is 0...1 and
    ///     never decreases. It is 1 only when the model can be used.
    /// - Throws: ``LeapModelLoadingException`` whose cause is a ``DownloadError``; `CancellationError` if the task was
    ///   cancelled.
    @discardableResult
    public func downloadModel(
        modelName: String, quantizationType: String,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> DownloadedModelManifest {
        try await LeapModelLoadingException.mapping {
            DownloadedModelManifest(
                try await install(
                    try reference(modelName, quantizationType), force: false, ProgressDelivery(downloadProgress)))
        }
    }

    /// Downloads the model of a manifest without loading it; see
    /// ``downloadModel(modelName:quantizationType:downloadProgress:)``.
    @discardableResult
    public func downloadModelFromManifest(
        manifestUrl: URL, downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> DownloadedModelManifest {
        try await LeapModelLoadingException.mapping {
            DownloadedModelManifest(
                try await install(reference(manifestUrl), force: false, ProgressDelivery(downloadProgress)))
        }
    }

    package func install(
        _ reference: ModelReference, force: Bool, plan: ModelPlan? = nil, _ progress: ProgressDelivery?
    ) async throws
        -> InstalledModel
    {
        try await store.install(reference, force: force, plan: plan) { progress?($0.fraction, $0.bytesPerSecond) }
    }

    /// Starts downloading a model and returns at once; does nothing if it is complete on this device.
    ///
    /// - Parameters:
    ///   - modelName: a model of the LEAP library (`LFM2-1.2B`), or `hf:owner/repository`.
    ///   - quantizationType: the quantization, such as `Q4_K_M`.
    ///   - forceDownload: downloads a complete model again; the old files stay until the new ones are complete.
    public func requestDownloadModel(modelName: String, quantizationType: String, forceDownload: Bool = false) {
        request(forceDownload) { try self.reference(modelName, quantizationType) }
    }

    /// Starts downloading the model of a manifest; see
    /// ``requestDownloadModel(modelName:quantizationType:forceDownload:)``.
    public func requestDownloadModel(manifestUrl: URL, forceDownload: Bool = false) {
        request(forceDownload) { self.reference(manifestUrl) }
    }

    private func request(_ force: Bool, _ make: () throws -> ModelReference) {
        do {
            let reference = try make()
            if !force, try store.installed(reference) != nil { return }
            InstallCenter.shared.start(reference, force: force, in: store)
        } catch {
            ModelStore.logger.error("\(error)")
        }
    }

    /// Stops downloading a model; the next download continues from the files on disk.
    public func requestStopDownload(modelName: String, quantizationType: String) {
        guard let reference = try? reference(modelName, quantizationType) else { return }
        InstallCenter.shared.stop(folder: store.folder(of: reference))
    }

    /// Stops downloading the model of a manifest; the next download continues from the files on disk.
    public func requestStopDownload(manifestUrl: URL) {
        InstallCenter.shared.stop(folder: store.folder(of: reference(manifestUrl)))
    }
}
