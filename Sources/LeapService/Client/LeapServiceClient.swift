package import Foundation
import LeapBase
package import LeapCore
import LeapEngine
import LeapModel

/// A view of the model service: what it does, and what it has loaded.
///
/// Apps need it only to look: loading with a downloader uses the service by itself where one runs.
public final class LeapServiceClient: Sendable {
    private let connection: ServiceConnection

    private init(_ connection: ServiceConnection) { self.connection = connection }

    /// Connects to the service of this user; nil where none answers within 200 milliseconds.
    public static func connect() async -> LeapServiceClient? {
        guard let place = ServicePlace.standard() else { return nil }
        return await connect(to: place)
    }

    package static func connect(
        to place: ServicePlace, patience: DispatchTimeInterval = ServiceProtocol.patience
    ) async -> LeapServiceClient? {
        await ServiceConnection.open(place, patience: patience).map { LeapServiceClient($0) }
    }

    /// Connects to the service at a place, and says why where it cannot.
    ///
    /// - Parameter patience: how long it may take to answer: longer than an app waits, as a person who asks wants to
    ///   know.
    package static func reach(
        _ place: ServicePlace, patience: DispatchTimeInterval = .seconds(5)
    ) async throws(ServiceAbsence) -> LeapServiceClient {
        LeapServiceClient(try await ServiceConnection.reach(place, patience: patience))
    }

    /// Returns the state of the service: its models and its work.
    ///
    /// - Throws: ``LeapServiceException`` where the service ended.
    public func status() async throws -> LeapServiceStatus {
        try await connection.request { id in
            .status(id: id)
        } receive: { message in
            if case .status(_, let status) = message { status } else { nil }
        }
    }

    /// Returns the options with which a model was loaded by the first app that asked for it; nil where it is not
    /// loaded.
    ///
    /// - Parameters:
    ///   - modelName: a model of the LEAP library (`LFM2-1.2B`), or `hf:owner/repository`.
    ///   - quantizationType: such as `Q4_K_M`.
    /// - Throws: ``LeapServiceException`` where the service ended.
    public func getLoadedModelConfig(
        modelName: String, quantizationType: String
    ) async throws -> LoadedModelConfiguration? {
        try await getLoadedModelConfig(model: "\(modelName):\(quantizationType)")
    }

    /// Returns the options with which a model was loaded, by its name in ``LeapServiceStatus/models`` or the path of
    /// its file; nil where it is not loaded.
    ///
    /// - Throws: ``LeapServiceException`` where the service ended.
    public func getLoadedModelConfig(model: String) async throws -> LoadedModelConfiguration? {
        let answer: LoadedModelConfiguration?? = try await connection.request { id in
            .configuration(id: id, model: model)
        } receive: { message -> LoadedModelConfiguration?? in
            if case .configuration(_, let configuration) = message { .some(configuration) } else { nil }
        }
        return answer ?? nil
    }

    /// Does nothing: models stay until the service ends, as giving one up would race with generations that are about to
    /// begin.
    public func evictUnusedModel() {}

    // MARK: Loading

    /// Loads a model in the service, or takes it up where it is loaded; nil where no service answers, or the connection
    /// to it is lost.
    ///
    /// - Throws: what loading throws in the service: ``LeapModelLoadingException``.
    package static func load(
        _ request: LoadRequest, chatTemplate: String?, parameters: GenerationTimeParameters?, modelId: String? = nil,
        at place: ServicePlace, patience: DispatchTimeInterval = ServiceProtocol.patience,
        progress: (@Sendable (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> (any ModelRunner)? {
        guard
            let connection = await ServiceConnection.open(
                place, patience: patience, consequence: ": the model is loaded in this process")
        else { return nil }
        guard let model = try await loaded(request, by: connection, progress: progress) else { return nil }
        if let reason = difference(between: request, and: model) ?? unreadable(model) {
            sayLoadedHere(reason)
            return nil
        }
        var files = model.files
        files.modelId = modelId ?? ModelFiles(modelPath: files.modelPath).modelId
        let speechForm = model.speechForm
        let remote = RemoteModel(
            files: files, sampling: model.sampling, adapters: model.adapters,
            media: [model.pictures, model.sounds].compactMap { $0 },
            speech: speechForm == nil ? nil : model.speech.flatMap { StableHash(text: $0) },
            speechForm: speechForm ?? .lfm2Audio)
        return try await remote.runner(
            chatTemplate: chatTemplate, extras: try request.options.readExtras(), parameters: parameters,
            generatesText: model.generatesText, hasCache: request.options.cacheOptions?.enabled == true
        ) { RemoteBackend(model, connection: connection, file: $0) }
    }

    /// Has the service load a model; nil where the connection to it is lost.
    private static func loaded(
        _ request: LoadRequest, by connection: ServiceConnection,
        progress: (@Sendable (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?
    ) async throws -> LoadedModel? {
        do {
            let model: LoadedModel = try await connection.request { id in
                .load(id: id, request: request)
            } receive: { message in
                switch message {
                case .progress(_, let fraction, let bytesPerSecond):
                    progress?(fraction, bytesPerSecond)
                    return nil
                case .loaded(_, let model): return model
                default: return nil
                }
            }
            return model
        } catch let error as LeapServiceException {
            sayLoadedHere(error.message)
            return nil
        }
    }

    /// Returns the first companion of a loaded model that is not the one that was asked for; nil where there is none.
    ///
    /// Where the model was loaded before, it has the companions that were named then, or that were found.
    private static func difference(between request: LoadRequest, and model: LoadedModel) -> String? {
        let companions = [
            (
                kind: "projector", asked: request.options.mmProjPath ?? request.files?.multimodalProjectorPath,
                loaded: model.files.multimodalProjectorPath
            ),
            (
                kind: "audio decoder", asked: request.options.audioDecoderPath ?? request.files?.audioDecoderPath,
                loaded: model.files.audioDecoderPath
            ),
        ]
        for (kind, asked, loaded) in companions {
            guard let asked, FileSystem.resolved(asked) != loaded.flatMap(FileSystem.resolved) else { continue }
            return "the service has it \(loaded.map { "with the \(kind) \($0)" } ?? "without \(kind)")"
        }
        return nil
    }

    /// Returns a sentence on a loaded model whose file this process does not see as the service does; nil where it
    /// does.
    private static func unreadable(_ model: LoadedModel) -> String? {
        let status = FileSystem.status(of: model.files.modelPath)
        guard status?.byteCount == model.byteCount, status?.modified == model.modified else {
            return "\(model.files.modelPath) cannot be read here, or is not the file that the service has loaded"
        }
        return nil
    }

    private static func sayLoadedHere(_ reason: String) {
        ServiceLog.logger.notice("the model is loaded in this process: \(reason)")
    }
}
