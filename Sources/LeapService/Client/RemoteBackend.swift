import Foundation
import LeapBase
import LeapCore
import LeapEngine
import LeapGGUF
import LeapModel
import LeapTokenizer

/// Has a model of the service compute, in place of an engine of this process.
final class RemoteBackend: InferenceBackend {
    let contextSize: Int
    let textModel: TextModel?
    private let connection: ServiceConnection
    /// The tokenizer reads from it.
    private let file: GGUFFile
    private let unloaded = OneWaySwitch()
    private let figures: Locked<EngineStatistics>

    init(_ model: LoadedModel, connection: ServiceConnection, file: GGUFFile) {
        contextSize = model.contextSize
        textModel = TextModel(
            generatesText: model.generatesText, pooling: model.pooling.flatMap { Pooling(rawValue: $0) },
            ranking: model.ranking, comparesTokens: model.comparesTokens ?? false)
        self.connection = connection
        self.file = file
        figures = Locked(EngineStatistics(model.statistics))
    }

    deinit { connection.close() }

    var isUnloaded: Bool { unloaded.isSet }

    /// The figures as of the last generation that ended here.
    var statistics: EngineStatistics { figures.withLock { $0 } }

    func note(_ statistics: ModelStatistics) { figures.withLock { $0 = EngineStatistics(statistics) } }

    func makeSession() -> RemoteSession { RemoteSession(id: connection.newID(), connection: connection, backend: self) }

    func score(_ requests: [ScoringRequest]) async throws -> [ScoringResult] {
        var readings: [ScoringResult] = []
        readings.reserveCapacity(requests.count)
        var rest = requests[...]
        while !rest.isEmpty {
            guard !isUnloaded else { throw RemoteBackend.unloadedError }
            // As many texts as fit into a message; a single one always does.
            var (count, tokens) = (0, 0)
            for request in rest {
                tokens += request.tokens.count
                if count > 0, tokens > ServiceProtocol.readTokens { break }
                count += 1
            }
            readings += try await readTogether(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return readings
    }

    private func readTogether(_ requests: [ScoringRequest]) async throws -> [ScoringResult] {
        let received = Locked([ScoringResult?](repeating: nil, count: requests.count))
        let wire = ReadRequest(texts: requests.map { ReadRequest.Text($0) })
        try await connection.request { id in
            .read(id: id, request: wire)
        } onCancel: { id in
            .cancelRead(id: id)
        } receive: { message -> Void? in
            switch message {
            case .reading(_, let index, let reading):
                received.withLock { received in
                    if received.indices.contains(index) { received[index] = reading.reading }
                }
                return nil
            case .readingDone: return ()
            default: return nil
            }
        }
        let readings = received.withLock { $0.compactMap { $0 } }
        guard readings.count == requests.count else {
            throw LeapServiceException.violation("\(readings.count) of \(requests.count) texts were read")
        }
        return readings
    }

    static let unloadedError = EngineError(.unloaded, "the model was unloaded: load it again to generate")

    /// Ends the connection; the service keeps the model for others.
    func unload() async {
        unloaded.set()
        connection.close()
    }
}

/// The state of a sequence that the service keeps; freed when this is released.
final class RemoteSession: InferenceSession {
    private let id: UInt32
    private let connection: ServiceConnection
    private let backend: RemoteBackend

    init(id: UInt32, connection: ServiceConnection, backend: RemoteBackend) {
        self.id = id
        self.connection = connection
        self.backend = backend
    }

    deinit { connection.send(.release(session: id)) }

    func generate(
        _ planned: PlannedRequest, onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> RemoteGeneration {
        let generation = RemoteGeneration(id: connection.newID(), connection: connection)
        guard !backend.isUnloaded else {
            onEvent(.finished(GenerationResult(reason: .cancelled)))
            return generation
        }
        let files = planned.recipe.media.map(\.file)
        connection.generate(GenerateRequest(planned, generation: generation.id, session: id)) { [backend] news in
            if case .lacking(let digests) = news { return generation.send(files, digests) }
            for event in generation.events(news) { onEvent(event) }
            if case .finished(let finished) = news { backend.note(finished.statistics) }
        }
        return generation
    }
}

/// A generation that the service runs.
final class RemoteGeneration: RunningGeneration {
    private struct State {
        var progress = GenerationProgress()
        var likelihoods: [TokenLikelihood] = []
    }

    let id: UInt32
    private let connection: ServiceConnection
    private let state = Locked(State())

    init(id: UInt32, connection: ServiceConnection) {
        self.id = id
        self.connection = connection
    }

    var progress: GenerationProgress { state.withLock { $0.progress } }
    var likelihoods: [TokenLikelihood] { state.withLock { $0.likelihoods } }

    /// Sends the files that the service does not have.
    func send(_ files: [MediaFile], _ digests: [Data]) {
        for digest in digests {
            // One that is no longer there would be waited for in vain.
            guard let file = files.first(where: { $0.digest.elementsEqual(digest) }) else { return cancel() }
            connection.send(ImageFrame(generation: id, file: file.data))
        }
    }

    func cancel() { connection.send(.cancel(generation: id)) }

    func endReasoning() { connection.send(.endReasoning(generation: id)) }

    /// Notes what arrived.
    ///
    /// - Returns: what the engine of this process would have reported.
    func events(_ news: ServiceConnection.GenerationNews) -> [GenerationEvent] {
        switch news {
        case .step(let step):
            state.withLock { $0.progress = GenerationProgress(wire: step.progress) }
            switch step.event {
            case .prefill(let done, let total): return [.prefill(done: Int(done), total: Int(total))]
            case .token(let token): return [.token(token)]
            }
        case .speech(let step):
            state.withLock { $0.progress = GenerationProgress(wire: step.progress) }
            return [.speech(step.piece)]
        case .likelihoods(let likelihoods):
            state.withLock { $0.likelihoods += likelihoods.map(\.likelihood) }
            return []
        case .lacking: return []
        case .finished(let finished):
            let likelihoods = state.withLock { state in
                state.progress = GenerationProgress(wire: finished.progress)
                return state.likelihoods
            }
            var result = finished.result
            result.likelihoods = likelihoods
            return [.finished(result)]
        case .lost:
            var result = GenerationResult(reason: .failed(LeapServiceException.connectionLost))
            result.progress = progress
            return [.finished(result)]
        }
    }
}
