import LeapBase
import LeapCore
import LeapOpenAIFormat
import LeapSDK
import LeapTransfers

/// `POST /api/copy` and `DELETE /api/delete`: what changes the models that are installed.
struct ModelChanges: Sendable {
    let pool: ModelPool
    /// True if requests may change models.
    let isAllowed: Bool

    /// Throws where requests may change nothing, or the key of this one is for some models only.
    ///
    /// - Parameter advice: how the owner of the machine does it.
    func check(_ request: ServerRequest, _ advice: String) throws(APIError) {
        try request.checkAllModels()
        guard isAllowed else {
            throw APIError(
                status: 403, type: .permission, message: "this server was started with --no-pull: \(advice)")
        }
    }

    private var store: ModelStore {
        get throws(APIError) {
            guard let downloader = pool.catalog.downloader else {
                throw APIError.notFound("this server serves the models that it was started with, and keeps none")
            }
            return downloader.store
        }
    }

    /// Removes a model from the disk, and from memory as soon as it is not in use.
    func delete(_ request: ServerRequest) async throws -> ServerReply {
        try check(request, "remove models with “leap rm”")
        var fields = try await RequestFields.read(request)
        guard let name = try fields.modelName(), !name.isEmpty else {
            throw APIError.invalid("'model' is missing", "model")
        }
        let model = try pool.catalog.find(name)
        guard case .installed(let installed) = model.source else { throw Self.isGiven(model) }
        let store = try store
        await pool.giveUp(model.id)
        do {
            try await store.remove(folder: installed.folder)
        } catch let error as DownloadError where error.code == .inUse {
            throw APIError.busy(error.message, code: "model_in_use")
        }
        return ServerReply(headers: [], body: .bytes([])).warning(of: fields.ignored)
    }

    private static func isGiven(_ model: ServedModel) -> APIError {
        .invalid(
            "'\(model.id)' is a model that the server was started with: only installed ones are removed", "model")
    }

    /// Gives a model another name too.
    func copy(_ request: ServerRequest) async throws -> ServerReply {
        try check(request, "copy models in the folder of “leap list”")
        var fields = try await RequestFields.read(request)
        guard let source = try fields.string("source"), !source.isEmpty else {
            throw APIError.invalid("'source' is missing", "source")
        }
        guard let name = try fields.string("destination"), !name.isEmpty else {
            throw APIError.invalid("'destination' is missing", "destination")
        }
        let model = try pool.catalog.find(source)
        let store = try store
        let plain = name.hasSuffix(":latest") ? String(name.dropLast(7)) : name
        let reference: ModelReference
        do {
            reference = try PullRequests.reference(plain, store)
        } catch {
            var error = APIError(error)
            error.parameter = "destination"
            throw error
        }
        guard !pool.catalog.given.contains(where: { $0.id == plain || $0.id == reference.shown }) else {
            throw APIError.invalid(
                "'destination' is the name of a model that the server was started with: choose another one",
                "destination")
        }
        // As it was written, where it can be read again so.
        let shown = plain.contains("/") ? reference.shown : plain
        // What has the name until now is not what it stands for from now on.
        await pool.giveUp(shown)
        try await Self.copy(model, to: reference, named: shown, in: store)
        return ServerReply(headers: [], body: .bytes([])).warning(of: fields.ignored)
    }

    private static func copy(
        _ model: ServedModel, to reference: ModelReference, named name: String, in store: ModelStore
    ) async throws {
        let files: ModelFiles
        switch model.source {
        case .installed(let installed): return try await store.copy(installed, to: reference, named: name)
        case .path(let path):
            files = try await WorkQueue.prompts.run { try ModelFiles.resolve(path: path).withCompanions() }
        case .files(let given): files = given
        }
        let roles: [(ManifestDocument.Role, String?)] = [
            (.model, files.modelPath), (.multimodalProjector, files.multimodalProjectorPath),
            (.audioDecoder, files.audioDecoderPath), (.audioTokenizer, files.audioTokenizerPath),
        ]
        let found = roles.compactMap { role, path in path.map { (role: role, path: $0) } }
        let type =
            files.inferenceType
            ?? (files.audioDecoderPath != nil
                ? "llama.cpp/lfm2-audio-v1"
                : files.multimodalProjectorPath != nil ? "llama.cpp/image-to-text" : "llama.cpp/text-to-text")
        try await store.add(found, inferenceType: type, as: reference, named: name)
    }
}
