import Foundation
import LeapTransfers

#if ModelService
    import LeapService
#endif

/// The place where the model service is looked for, and the time that it has to answer.
package struct ServiceLookup: Sendable {
    /// The path of its socket; nil for the usual one.
    package var socket: String?
    /// The time that the service may take to answer.
    package var patience: DispatchTimeInterval

    package init(socket: String? = nil, patience: DispatchTimeInterval = .milliseconds(200)) {
        self.socket = socket
        self.patience = patience
    }
}

/// A model as it is asked for from the model service.
struct ServiceDemand {
    /// `LFM2-1.2B:Q4_K_M`, `hf:owner/repository:Q4_K_M`.
    var name: String?
    var manifest: URL?
    /// The name that the runner has for the model; nil for its file's name.
    var modelId: String?
    /// The files, where they are known.
    var files: ModelFiles?
    /// The model, where its files may be installed here.
    var reference: ModelReference?
    var force = false
}

extension LeapDownloader {
    /// A model that the service has loaded, or loads now; nil where there is no service, or it is not built into this
    /// program.
    ///
    /// A model that this downloader has installed is loaded from there; the service fetches all others into its own
    /// folder.
    func service(
        _ demand: ServiceDemand, _ options: LiquidInferenceEngineManifestOptions?,
        _ parameters: GenerationTimeParameters?, _ progress: ProgressDelivery?
    ) async throws -> (any ModelRunner)? {
        #if ModelService
            guard let place = serviceLookup.socket.map({ ServicePlace(path: $0) }) ?? ServicePlace.standard(),
                (try? place.check()) != nil
            else { return nil }
            var files = demand.files
            if files == nil, let reference = demand.reference {
                if !demand.force, let installed = try? store.installed(reference) {
                    files = try? self.files(installed, name: demand.modelId, local: [:])
                } else if hasOwnTransport {
                    // The app has a say in how its transfers are made, which the service cannot do in its place.
                    let installed = try await store.install(reference, force: demand.force) {
                        progress?(min($0.fraction, 0.999), $0.bytesPerSecond)
                    }
                    files = try self.files(installed, name: demand.modelId, local: [:])
                }
            }
            let options = (options ?? LiquidInferenceEngineManifestOptions()).options
            var request = LoadRequest(
                name: demand.name, manifest: demand.manifest, files: files,
                options: try options.withAbsolutePaths())
            request.endpoint = store.configuration.endpoint
            request.token = store.configuration.token
            request.forceDownload = demand.force
            request.decodingThreads = parameters?.numberOfDecodingThreads
            let runner = try await LeapServiceClient.load(
                request, chatTemplate: options.chatTemplate, parameters: parameters, modelId: demand.modelId, at: place,
                patience: serviceLookup.patience
            ) { progress?(min($0, 0.999), $1) }
            if runner != nil { progress?(1, 0) }
            return runner
        #else
            return nil
        #endif
    }
}
