import LeapBase
import LeapJSON
import LeapSDK
import LeapTransfers

/// `POST /api/pull`: fetches a model by its name.
///
/// A client that goes away stops the transfer, unless somebody else waits for it; what was fetched stays for the next
/// time.
struct PullRequests: Sendable {
    /// The maximum number of requests that fetch at a time.
    static let maxPulls = 4

    private let catalog: ModelCatalog
    private let running = Locked(0)

    init(catalog: ModelCatalog) { self.catalog = catalog }

    func pull(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        guard let name = try fields.modelName(), !name.isEmpty else {
            throw APIError.invalid("'model' is missing", "model")
        }
        let isStream = try fields.bool("stream") ?? true
        let reply = try await reply(to: name, isStream)
        return reply.warning(of: fields.ignored)
    }

    private func reply(to name: String, _ isStream: Bool) async throws -> ServerReply {
        let success = JSONValue.object(["status": "success"])
        // Programs pull a model before they use it, wherever it comes from.
        if catalog.given.contains(where: { $0.id == name }) { return .json(success) }
        guard let downloader = catalog.downloader else {
            throw APIError.notFound("this server serves the models that it was started with, and fetches none")
        }
        let store = downloader.store
        let reference = try Self.reference(name, store)
        guard isStream else {
            let place = try place()
            _ = try await store.install(reference)
            withExtendedLifetime(place) {}
            return .json(success)
        }
        let place = try place()
        return ServerReply(
            headers: ServerReply.streamHeaders(type: "application/x-ndjson"),
            body: .stream { send in
                func write(_ value: JSONValue) async throws { try await send(JSONWriter.bytes(value) + [0x0a]) }
                let (reports, source) = AsyncStream<TransferProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
                let task = Task {
                    defer { source.finish() }
                    return try await store.install(reference) { source.yield($0) }
                }
                defer { task.cancel() }
                do {
                    try await withTaskCancellationHandler {
                        var lines = PullLines()
                        for await report in reports {
                            for line in lines.next(report) { try await write(line) }
                        }
                        _ = try await task.value
                    } onCancel: {
                        task.cancel()
                    }
                    try await write(success)
                } catch let error as DownloadError {
                    try await write(.object(["error": .string(error.message)]))
                }
                withExtendedLifetime(place) {}
            })
    }

    /// The model of a name as `leap pull` takes it, or as Ollama writes repositories of Hugging Face.
    ///
    /// Addresses are refused: whoever may use the models of this server may not use its network.
    static func reference(_ name: String, _ store: ModelStore) throws -> ModelReference {
        guard !name.contains("://") else {
            throw APIError.invalid(
                "an address is fetched with “leap pull” only; here a model is written LFM2-1.2B:Q4_K_M or hf:OWNER/REPOSITORY:Q4_K_M",
                "model")
        }
        let name = name.hasSuffix(":latest") ? String(name.dropLast(7)) : name
        do {
            return try ModelReference.parse(name, endpoint: store.configuration.endpoint)
        } catch let error as DownloadError {
            throw APIError.invalid(error.message, "model")
        }
    }

    /// A place among those who fetch, free again when the value is gone.
    private func place() throws -> any AnyObject & Sendable {
        let isFree = running.withLock { count in
            guard count < Self.maxPulls else { return false }
            count += 1
            return true
        }
        guard isFree else {
            throw APIError.busy("\(Self.maxPulls) models are already being fetched; try again when one has arrived")
        }
        return PullPlace { [running] in running.withLock { $0 -= 1 } }
    }
}

/// Calls back when it is gone.
private final class PullPlace: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
