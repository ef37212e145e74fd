package import Dispatch
import Foundation
import LeapBase
import LeapCore

/// An app's connection to the service.
package final class ServiceConnection: Sendable {
    /// A message that arrives for one generation.
    enum GenerationNews: Sendable {
        case step(GenerationStep)
        case speech(SpeechStep)
        case likelihoods([WireLikelihood])
        /// The service does not have the files with these digests.
        case lacking([Data])
        case finished(FinishedGeneration)
        /// The connection is gone.
        case lost
    }

    /// Takes what arrives for one request until it returns true; a lost connection arrives as a failure.
    private typealias Receiver = @Sendable (ServiceMessage) -> Bool

    private struct State {
        var isClosed = false
        var lastID: UInt32 = 0
        var hello: (@Sendable (ServiceMessage?) -> Void)?
        var receivers: [UInt32: Receiver] = [:]
        var generations: [UInt32: @Sendable (GenerationNews) -> Void] = [:]
    }

    private let channel: FrameChannel
    private let state = Locked(State())

    private init(_ descriptor: Int32) {
        channel = FrameChannel(descriptor, limit: ServiceProtocol.helloLimit)
    }

    deinit { channel.close() }

    // MARK: Connecting

    /// Connects to the service at a place; nil where none answers in time, or what answers cannot be trusted.
    ///
    /// - Parameters:
    ///   - patience: how long it may take to answer.
    ///   - consequence: what the log says follows from it.
    package static func open(
        _ place: ServicePlace, patience: DispatchTimeInterval = ServiceProtocol.patience, consequence: String = ""
    ) async -> ServiceConnection? {
        do throws(ServiceAbsence) {
            return try await reach(place, patience: patience)
        } catch {
            // No service is the usual state of most machines.
            if error.code != .noService { ServiceLog.logger.notice("\(error)\(consequence)") }
            return nil
        }
    }

    /// Connects to the service at a place.
    ///
    /// - Parameter patience: how long it may take to answer.
    /// - Throws: ``ServiceAbsence`` where none answers in time, or what answers cannot be trusted.
    package static func reach(
        _ place: ServicePlace, patience: DispatchTimeInterval
    ) async throws(ServiceAbsence) -> ServiceConnection {
        let descriptor: Int32
        do throws(FileSystemError) {
            try place.check()
            descriptor = try UnixSocket.connect(place.path)
        } catch {
            switch error.number {
            case ENOENT, ECONNREFUSED: throw .noService(path: place.path)
            // Too many wait to be let in.
            case EAGAIN: throw .silent(path: place.path)
            default: throw .unusable(error)
            }
        }
        guard UnixSocket.peer(of: descriptor)?.user == geteuid() else {
            UnixSocket.close(descriptor)
            throw .refused("\(place.path) belongs to another user's process", path: place.path)
        }
        let connection = ServiceConnection(descriptor)
        guard let answer = await connection.greet(patience) else {
            connection.channel.close()
            throw .silent(path: place.path)
        }
        let reason: String
        switch answer {
        case .hello(ServiceProtocol.version): return connection
        case .hello(let version):
            reason = "it speaks version \(version) of the protocol, and this app \(ServiceProtocol.version)"
        case .failure(_, let error): reason = error.message
        default: reason = "its first message was not a greeting"
        }
        connection.channel.close()
        throw .refused(reason, path: place.path)
    }

    private func greet(_ patience: DispatchTimeInterval) async -> ServiceMessage? {
        await withCheckedContinuation { continuation in
            let isAnswered = OneWaySwitch()
            let answer: @Sendable (ServiceMessage?) -> Void = { message in
                if isAnswered.set() { continuation.resume(returning: message) }
            }
            state.withLock { $0.hello = answer }
            DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + patience) { answer(nil) }
            channel.start(
                FrameChannel.Handlers(
                    onFrame: { [weak self] in self?.take($0) },
                    onClose: { [weak self] error in
                        if let error { ServiceLog.logger.error("the model service sent an invalid message: \(error)") }
                        answer(nil)
                        self?.lose()
                    }))
            let name = ProcessInfo.processInfo.processName
            send(.hello(version: ServiceProtocol.version, app: String(name.prefix(64))))
        }
    }

    /// True if nothing can be sent any more.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Ends the connection; what is under way fails.
    package func close() { channel.close() }

    // MARK: Sending

    func send(_ message: ClientMessage) {
        do {
            channel.send(try WireFrame(message))
        } catch {
            // Numbers that JSON does not have were refused before they came here.
            ServiceLog.logger.error("a message to the model service cannot be written: \(error)")
            channel.close()
        }
    }

    func send(_ picture: ImageFrame) { channel.send(picture.frame) }

    /// A number that no other request of this connection has.
    func newID() -> UInt32 {
        state.withLock { state in
            state.lastID &+= 1
            return state.lastID
        }
    }

    /// Sends a request and waits for what ends it.
    ///
    /// - Parameters:
    ///   - receive: takes each message; what is not nil ends the request.
    ///   - onCancel: what is sent where the task is cancelled.
    /// - Throws: what the service reports, or ``LeapServiceException``.
    package func request<R: Sendable>(
        _ make: (UInt32) -> ClientMessage, onCancel: (@Sendable (UInt32) -> ClientMessage)? = nil,
        receive: @escaping @Sendable (ServiceMessage) -> R?
    ) async throws -> R {
        let id = newID()
        let message = make(id)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The service, the end of the connection and the task's cancellation may all end it.
                let isOver = OneWaySwitch()
                let receiver: Receiver = { message in
                    if case .failure(_, let error) = message {
                        if isOver.set() { continuation.resume(throwing: error.error) }
                        return true
                    }
                    guard let result = receive(message) else { return false }
                    if isOver.set() { continuation.resume(returning: result) }
                    return true
                }
                let isOpen = state.withLock { state in
                    if !state.isClosed { state.receivers[id] = receiver }
                    return !state.isClosed
                }
                guard isOpen else {
                    _ = receiver(.failure(id: id, error: WireError(LeapServiceException.connectionLost)))
                    return
                }
                send(message)
                // A task that was cancelled before is not told again.
                if Task.isCancelled { cancel(id, onCancel) }
            }
        } onCancel: {
            cancel(id, onCancel)
        }
    }

    private func cancel(_ id: UInt32, _ message: (@Sendable (UInt32) -> ClientMessage)?) {
        guard let receiver = state.withLock({ $0.receivers.removeValue(forKey: id) }) else { return }
        if let message { send(message(id)) }
        _ = receiver(.failure(id: id, error: WireError(CancellationError())))
    }

    /// Begins a generation whose news goes to `onNews`, on the connection's queue.
    func generate(_ request: GenerateRequest, onNews: @escaping @Sendable (GenerationNews) -> Void) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.generations[request.generation] = onNews }
            return !state.isClosed
        }
        if isOpen { send(.generate(request)) } else { onNews(.lost) }
    }

    // MARK: Receiving

    private func take(_ frame: WireFrame) {
        switch frame.kind {
        case .step:
            guard let step = GenerationStep(frame.payload) else { return violate("a step has the wrong length") }
            state.withLock { $0.generations[step.generation] }?(.step(step))
        case .speech:
            guard let step = SpeechStep(frame.payload) else { return violate("a piece of speech cannot be read") }
            state.withLock { $0.generations[step.generation] }?(.speech(step))
        case .image: violate("the service sent a picture")
        case .message:
            do {
                take(try frame.message(ServiceMessage.self))
            } catch {
                violate("a message cannot be read: \(error)")
            }
        }
    }

    private func take(_ message: ServiceMessage) {
        if let hello = state.withLock({ $0.hello.take() }) {
            channel.setLimit(ServiceProtocol.replyLimit)
            return hello(message)
        }
        switch message {
        case .likelihoods(let generation, let likelihoods):
            state.withLock { $0.generations[generation] }?(.likelihoods(likelihoods))
        case .lacking(let generation, let pictures):
            state.withLock { $0.generations[generation] }?(.lacking(pictures))
        case .finished(let finished):
            state.withLock { $0.generations.removeValue(forKey: finished.generation) }?(.finished(finished))
        case .failure(nil, let error):
            ServiceLog.logger.error("the model service ends the connection: \(error.message)")
            channel.close()
        case .hello: violate("it greets twice")
        case .progress(let id, _, _), .loaded(let id, _), .reading(let id, _, _), .readingDone(let id),
            .status(let id, _), .configuration(let id, _), .failure(let id?, _):
            guard let receiver = state.withLock({ $0.receivers[id] }), receiver(message) else { return }
            state.withLock { $0.receivers[id] = nil }
        }
    }

    private func violate(_ what: String) {
        ServiceLog.logger.error("\(LeapServiceException.violation(what).message)")
        channel.close()
    }

    /// Tells everyone who waits that nothing comes any more.
    private func lose() {
        let (receivers, generations) = state.withLock { state in
            defer { (state.receivers, state.generations, state.isClosed) = ([:], [:], true) }
            return (state.receivers, state.generations)
        }
        let error = WireError(LeapServiceException.connectionLost)
        for (id, receiver) in receivers { _ = receiver(.failure(id: id, error: error)) }
        for generation in generations.values { generation(.lost) }
    }
}
