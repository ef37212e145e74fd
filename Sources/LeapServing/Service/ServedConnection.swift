import Foundation
import LeapBase
import LeapCore
import LeapEngine
import LeapModel
import LeapService
import LeapTransfers

/// One app's connection: the model it has loaded, and its conversations' state.
///
/// When the connection ends, by whichever side or signal, its generations are cancelled and its sessions freed.
final class ServedConnection: Sendable {
    private struct State {
        var hasGreeted = false
        var isClosed = false
        var hasAskedForModel = false
        var lease: ModelLease?
        var sessions: [UInt32: any InferenceSession] = [:]
        var generations: [UInt32: Generation] = [:]
        /// Loading and reading.
        var tasks: [UInt32: Task<Void, Never>] = [:]
    }

    /// A generation of the app: being prepared, or running.
    private final class Generation: Sendable {
        struct State {
            var isCancelled = false
            /// True if its thoughts are to end as soon as it runs.
            var endsReasoning = false
            var running: (any RunningGeneration)?
            /// Its pictures, from before it runs until its end.
            var pictures: ImageGathering?
            /// Likelihoods that were sent.
            var sentLikelihoods = 0
        }

        let state = Locked(State())

        func cancel() {
            let (running, pictures) = state.withLock { state in
                state.isCancelled = true
                return (state.running, state.pictures)
            }
            pictures?.end(CancellationError())
            running?.cancel()
        }

        func endReasoning() {
            let running = state.withLock { state in
                state.endsReasoning = true
                return state.running
            }
            running?.endReasoning()
        }

        /// Records the pictures that the generation waits for.
        func gather(_ pictures: ImageGathering) {
            let isCancelled = state.withLock { state in
                state.pictures = pictures
                return state.isCancelled
            }
            if isCancelled { pictures.end(CancellationError()) }
        }

        func begin(_ running: any RunningGeneration) {
            let (isCancelled, endsReasoning) = state.withLock { state in
                state.running = running
                return (state.isCancelled, state.endsReasoning)
            }
            if isCancelled { running.cancel() } else if endsReasoning { running.endReasoning() }
        }

        var progress: GenerationProgress { state.withLock { $0.running }?.progress ?? GenerationProgress() }

        /// Returns the elements of `all` that were not sent yet.
        func newLikelihoods(_ all: [TokenLikelihood]) -> [TokenLikelihood] {
            state.withLock { state in
                defer { state.sentLikelihoods = max(state.sentLikelihoods, all.count) }
                return Array(all.dropFirst(state.sentLikelihoods))
            }
        }
    }

    /// Requests of one connection at a time that load or read.
    private static let maxTasks = 64
    /// Generations of one connection at a time; each session has one.
    private static let maxGenerations = 64

    let peer: PeerIdentity
    private let host: ServiceHost
    private let channel: FrameChannel
    private let state = Locked(State())

    init(_ descriptor: Int32, peer: PeerIdentity, host: ServiceHost) {
        UnixSocket.prepare(descriptor)
        self.peer = peer
        self.host = host
        channel = FrameChannel(descriptor, limit: ServiceProtocol.helloLimit)
    }

    /// Starts to answer requests.
    ///
    /// - Parameter refusal: why nothing is answered.
    func start(refusal: LeapServiceException?) {
        // A greeting that arrives before the refusal is sent would be answered, and the app would count as connected.
        let isRefused = refusal != nil
        channel.start(
            FrameChannel.Handlers(
                onFrame: { if !isRefused { self.take($0) } },
                onClose: { error in
                    if let error { ServiceHost.logger.notice("a connection was closed: \(error)") }
                    self.end()
                }))
        if let refusal {
            send(.failure(id: nil, error: WireError(refusal)))
            return channel.close()
        }
        let greeting = host.limits.greeting
        Task { [weak self] in
            try? await Task.sleep(for: greeting)
            guard let self, !self.state.withLock({ $0.hasGreeted }) else { return }
            self.close()
        }
    }

    func close() { channel.close() }

    /// True if the app has asked for a model, rather than for the state.
    var hasModel: Bool { state.withLock { $0.hasAskedForModel } }

    private func end() {
        let ended = state.withLock { state in
            defer {
                state.isClosed = true
                (state.lease, state.sessions, state.generations, state.tasks) = (nil, [:], [:], [:])
            }
            return state
        }
        for generation in ended.generations.values { generation.cancel() }
        for task in ended.tasks.values { task.cancel() }
        host.endSessions(ended.sessions.count, of: peer)
        host.remove(self)
        tellState()
    }

    private func send(_ message: ServiceMessage) {
        do {
            channel.send(try WireFrame(message))
        } catch {
            ServiceHost.logger.error("a message cannot be written: \(error)")
            channel.close()
        }
    }

    private func tellState() {
        Task { [host] in await host.tellState() }
    }

    // MARK: Messages

    private func take(_ frame: WireFrame) {
        if frame.kind == .image { return takeImage(frame.payload) }
        let message: ClientMessage
        do {
            guard frame.kind == .message else { throw LeapServiceException.violation("an app sent output") }
            message = try frame.message(ClientMessage.self)
        } catch {
            return violate("a message cannot be read: \(error)")
        }
        if !state.withLock({ $0.hasGreeted }) { return greet(message) }
        switch message {
        case .hello: violate("it greets twice")
        case .load(let id, let request): load(id, request)
        case .generate(let request): generate(request)
        case .cancel(let id): state.withLock { $0.generations[id] }?.cancel()
        case .endReasoning(let id): state.withLock { $0.generations[id] }?.endReasoning()
        case .release(let id): release(id)
        case .read(let id, let request): read(id, request)
        case .cancelRead(let id): state.withLock { $0.tasks[id] }?.cancel()
        case .status(let id):
            run(id) { connection in
                connection.send(.status(id: id, status: await connection.host.status()))
            }
        case .configuration(let id, let model):
            run(id) { connection in
                connection.send(
                    .configuration(id: id, configuration: await connection.host.configuration(of: model)))
            }
        }
    }

    /// Ends the connection with a peer that does not keep to the protocol.
    private func violate(_ what: String) {
        ServiceHost.logger.notice("a connection of process \(peer.process) is closed: \(what)")
        send(.failure(id: nil, error: WireError(LeapServiceException.violation(what))))
        channel.close()
    }

    private func greet(_ message: ClientMessage) {
        guard case .hello(let version, _) = message else { return violate("it does not greet first") }
        guard version == ServiceProtocol.version else {
            return violate("the app speaks version \(version) of the protocol, and this is \(ServiceProtocol.version)")
        }
        state.withLock { $0.hasGreeted = true }
        channel.setLimit(
            ServiceProtocol.requestLimit, pictures: ServiceProtocol.imageLimit + ImageFrame.headerByteCount)
        // Without waiting for anything: an app waits for this.
        send(.hello(version: ServiceProtocol.version))
    }

    /// Runs the work of a request, which ends with the connection.
    private func run(_ id: UInt32, _ body: @escaping @Sendable (ServedConnection) async throws -> Void) {
        let isRunning = state.withLock { state in
            guard !state.isClosed, state.tasks.count < Self.maxTasks, state.tasks[id] == nil else { return false }
            state.tasks[id] = Task {
                do {
                    try await body(self)
                } catch {
                    self.send(.failure(id: id, error: WireError(error)))
                }
                self.state.withLock { $0.tasks[id] = nil }
            }
            return true
        }
        if !isRunning {
            send(.failure(id: id, error: WireError(LeapServiceException.violation("too many requests at a time"))))
        }
    }

    // MARK: Loading

    private func load(_ id: UInt32, _ request: LoadRequest) {
        let isFirst = state.withLock { state in
            defer { state.hasAskedForModel = true }
            return !state.hasAskedForModel
        }
        guard isFirst else { return violate("it loads a second model on one connection") }
        run(id) { connection in
            connection.tellState()
            defer { connection.tellState() }
            let lease = try await connection.host.load(request) { progress in
                connection.send(
                    .progress(id: id, fraction: progress.fraction, bytesPerSecond: progress.bytesPerSecond))
            }
            let runner = lease.runner
            let text = runner.backend.textModel
            connection.state.withLock { state in
                if !state.isClosed { state.lease = lease }
            }
            connection.send(
                .loaded(
                    id: id,
                    model: LoadedModel(
                        files: runner.files, byteCount: lease.file?.byteCount ?? -1,
                        modified: lease.file?.modified ?? -1,
                        contextSize: runner.contextSize, generatesText: text?.generatesText ?? false,
                        pooling: text?.pooling?.rawValue, ranking: text?.ranking, comparesTokens: text?.comparesTokens,
                        sampling: runner.sampling, adapters: runner.adapters,
                        pictures: runner.mediaFormats.first, sounds: runner.mediaFormats.dropFirst().first,
                        speech: runner.speechDecoder?.text, speechCodebooks: runner.speechForm?.codebookCount,
                        statistics: runner.statistics)))
        }
    }

    // MARK: Generating

    private enum Beginning {
        case ready(Generation, any InferenceSession, LiquidInferenceEngineRunner)
        case refused(LeapServiceException)
    }

    private func generate(_ request: GenerateRequest) {
        let beginning: Beginning = state.withLock { state in
            guard let runner = state.lease?.runner else { return .refused(.violation("it generates before it loads")) }
            guard state.generations.count < Self.maxGenerations, state.generations[request.generation] == nil else {
                return .refused(.violation("it has too many generations"))
            }
            let session: any InferenceSession
            if let known = state.sessions[request.session] {
                session = known
            } else {
                guard host.beginSession(of: peer) else { return .refused(.sessionLimit(host.limits.sessionsPerClient)) }
                session = runner.backend.makeSession()
                state.sessions[request.session] = session
            }
            let generation = Generation()
            state.generations[request.generation] = generation
            return .ready(generation, session, runner)
        }
        switch beginning {
        case .refused(let error):
            finish(request.generation, GenerationResult(reason: .failed(error)), ModelStatistics())
        case .ready(let generation, let session, let runner):
            Task { await run(generation, request, in: session, of: runner) }
        }
    }

    private func run(
        _ generation: Generation, _ request: GenerateRequest, in session: any InferenceSession,
        of runner: LiquidInferenceEngineRunner
    ) async {
        let complete: PlannedRequest
        let use: BackendUse?
        do {
            guard let plain = request.request else { throw LeapServiceException.violation("a prompt is no tokens") }
            var recipe = request.recipe.recipe(maxTokens: request.maxTokens)
            recipe.media = try await media(of: request, generation, runner)
            complete = try await runner.complete(plain, by: recipe)
            use = try await runner.backend.use()
            await session.prepare()
        } catch is CancellationError {
            return finish(request.generation, GenerationResult(reason: .cancelled), runner.statistics)
        } catch {
            return finish(request.generation, GenerationResult(reason: .failed(error)), runner.statistics)
        }
        guard !generation.state.withLock({ $0.isCancelled }) else {
            return finish(request.generation, GenerationResult(reason: .cancelled), runner.statistics)
        }
        let (id, wantsLikelihoods) = (request.generation, request.likelihoodAlternatives != nil)
        // Held while it runs, so that its end arrives.
        let running = session.generate(complete) { [self] event in
            let step: GenerationStep.Event
            switch event {
            case .prefill(let done, let total):
                step = .prefill(done: Int32(clamping: done), total: Int32(clamping: total))
            case .token(let token): step = .token(token)
            case .speech(let piece):
                let speech = SpeechStep(generation: id, piece: piece, progress: generation.progress.wire)
                return channel.send(speech.frame)
            case .finished(let result):
                withExtendedLifetime(use) {}
                if wantsLikelihoods { send(generation.newLikelihoods(result.likelihoods), of: id) }
                return finish(id, result, runner.statistics)
            }
            if wantsLikelihoods, let running = generation.state.withLock({ $0.running }) {
                send(generation.newLikelihoods(running.likelihoods), of: id)
            }
            channel.send(GenerationStep(generation: id, event: step, progress: generation.progress.wire).frame)
        }
        generation.begin(running)
        tellState()
    }

    /// The pictures, sounds and spoken replies of a prompt: those that are kept here, and the others from the app.
    private func media(
        of request: GenerateRequest, _ generation: Generation, _ runner: LiquidInferenceEngineRunner
    ) async throws -> [PromptFile] {
        guard !request.media.isEmpty else { return [] }
        // Each takes a token at least.
        guard request.media.count <= runner.contextSize, request.media.allSatisfy({ $0.digest.count == 32 }) else {
            throw LeapServiceException.violation("the digests of a prompt's files are none")
        }
        let gathering = try ImageGathering(
            request.media.map(\.digest), store: host.pictures, maxBytes: host.limits.imageBytesPerGeneration,
            share: host.imageBudget.share())
        let missing = gathering.missing
        generation.gather(gathering)
        if !missing.isEmpty { send(.lacking(generation: request.generation, pictures: missing)) }
        return zip(request.media, try await gathering.files()).map { PromptFile($0.medium, $1) }
    }

    private func takeImage(_ payload: [UInt8]) {
        guard state.withLock({ $0.hasGreeted }) else { return violate("it does not greet first") }
        guard let picture = ImageFrame(payload) else { return violate("a picture has no bytes") }
        // A generation that was cancelled meanwhile needs none.
        let generation = state.withLock { $0.generations[picture.generation] }
        generation?.state.withLock { $0.pictures }?.take(picture.file)
    }

    private func send(_ likelihoods: [TokenLikelihood], of generation: UInt32) {
        guard !likelihoods.isEmpty else { return }
        send(.likelihoods(generation: generation, likelihoods: likelihoods.map { WireLikelihood($0) }))
    }

    private func finish(_ id: UInt32, _ result: GenerationResult, _ statistics: ModelStatistics) {
        state.withLock { $0.generations[id] = nil }
        send(.finished(FinishedGeneration(result, generation: id, statistics: statistics)))
        tellState()
    }

    private func release(_ id: UInt32) {
        let session = state.withLock { $0.sessions.removeValue(forKey: id) }
        if session != nil { host.endSessions(1, of: peer) }
    }

    // MARK: Reading

    private func read(_ id: UInt32, _ request: ReadRequest) {
        guard let runner = state.withLock({ $0.lease })?.runner else { return violate("it reads before it loads") }
        run(id) { connection in
            let requests = try request.texts.map { text in
                guard let request = text.request else {
                    throw LeapServiceException.violation("a text asks for nothing that there is")
                }
                return request
            }
            let readings = try await runner.backend.score(requests)
            for (index, reading) in readings.enumerated() {
                connection.send(.reading(id: id, index: index, reading: WireScoring(reading)))
            }
            connection.send(.readingDone(id: id))
        }
    }
}
