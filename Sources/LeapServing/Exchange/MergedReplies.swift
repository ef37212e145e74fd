import LeapBase
import LeapCore

/// Several replies as they arrive, each piece with the index of its reply.
final class MergedReplies: Sendable {
    typealias Element = (index: Int, response: MessageResponse)

    /// A piece of a reply, or news about the replies.
    enum Event: Sendable {
        /// All replies were checked, and wait for the model or are computed.
        case accepted
        case piece(Element)
        /// No piece has arrived for a while.
        case silence
    }

    /// The maximum number of pieces that wait for a client which takes them more slowly than they are written.
    ///
    /// A model does not wait for a client, as its other clients would wait too.
    static let maxWaiting = 16_384

    private let stream: AsyncThrowingStream<Event, any Error>
    private let task: Task<Void, Never>
    private let watch: SilenceWatch?
    private let over = Locked(false)

    /// True if no further piece will come.
    var isOver: Bool { over.withLock { $0 } }

    /// - Parameters:
    ///   - deadline: when they have to be whole; what has not arrived by then is an error.
    ///   - acceptance: told of as ``Event/accepted``.
    ///   - silence: after how long without a piece ``Event/silence`` comes, again and again; nil for never.
    init(
        _ replies: [PendingReplies.Reply], until deadline: Deadline? = nil, acceptance: ReplyAcceptance? = nil,
        silence: Duration? = nil
    ) {
        let (stream, continuation) = AsyncThrowingStream<Event, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.maxWaiting))
        self.stream = stream
        let watch = silence.map { interval in SilenceWatch(interval) { continuation.yield(.silence) } }
        self.watch = watch
        task = Task { [over] in
            defer {
                watch?.end()
                over.withLock { $0 = true }
            }
            let body: @Sendable () async throws -> Void = {
                try await Self.merge(replies, into: continuation) { watch?.note() }
            }
            do {
                if let deadline { try await deadline.run(body) } else { try await body() }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        acceptance?.whenAll { continuation.yield(.accepted) }
    }

    private static func merge(
        _ replies: [PendingReplies.Reply], into continuation: AsyncThrowingStream<Event, any Error>.Continuation,
        onPiece: @escaping @Sendable () -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, reply) in replies.enumerated() {
                group.addTask {
                    for try await response in reply {
                        onPiece()
                        if case .dropped = continuation.yield(.piece((index, response))) { throw tooSlow }
                    }
                }
            }
            defer { group.cancelAll() }
            while try await group.next() != nil {}
        }
    }

    private static let tooSlow = APIError.refused(
        408, "the client takes the reply too slowly: \(maxWaiting) pieces wait for it", code: "client_too_slow")

    /// Returns the next event; nil at the end.
    ///
    /// Cancelling the task that waits stops the replies.
    func nextEvent() async throws -> Event? {
        try await withTaskCancellationHandler {
            for try await event in stream { return event }
            try Task.checkCancellation()
            return nil
        } onCancel: {
            task.cancel()
        }
    }

    /// Returns the next piece; nil at the end.
    ///
    /// Cancelling the task that waits stops the replies.
    func next() async throws -> Element? {
        while let event = try await nextEvent() {
            if case .piece(let piece) = event { return piece }
        }
        return nil
    }

    /// Stops the replies that have not ended.
    func stop() { task.cancel() }

    deinit {
        task.cancel()
        watch?.end()
    }
}

/// Calls back whenever nothing was noted for a while.
private final class SilenceWatch: Sendable {
    private struct State {
        var last = ContinuousClock.now
        var entry: DeadlineQueue.Entry?
        var hasEnded = false
    }

    private let interval: Duration
    private let action: @Sendable () -> Void
    private let state = Locked(State())

    init(_ interval: Duration, _ action: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.action = action
        wait()
    }

    /// Records that something has arrived.
    func note() { state.withLock { $0.last = .now } }

    /// Calls back no more.
    func end() {
        state.withLock { state in
            state.hasEnded = true
            state.entry?.cancel()
            state.entry = nil
        }
    }

    private func wait() {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.entry = DeadlineQueue.shared.schedule(at: state.last + interval) { [weak self] in self?.look() }
        }
    }

    private func look() {
        let isSilent = state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.last >= interval else { return false }
            state.last = now
            return true
        }
        if isSilent { action() }
        wait()
    }
}
