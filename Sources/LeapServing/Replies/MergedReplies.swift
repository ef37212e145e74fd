import LeapBase
import LeapCore

/// Several replies as they arrive, each piece with the index of its reply.
///
/// This is the one buffer between the engine and the socket: the engine's threads put pieces in, and the task that
/// writes the body takes them out, as fast as the client does.
final class MergedReplies: Sendable {
    typealias Element = (index: Int, response: MessagePiece)

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
    private let entrance: ReplyEntrance

    /// True if no further piece will come.
    var isOver: Bool { entrance.isOver }

    /// Begins the replies.
    ///
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
        entrance = ReplyEntrance(continuation, count: replies.count, watch)
        if let deadline { entrance.end(at: deadline) }
        for (index, reply) in replies.enumerated() { entrance.begin(reply, index) }
        acceptance?.whenAll { continuation.yield(.accepted) }
    }

    /// Returns the next event; nil at the end.
    ///
    /// Cancelling the task that waits stops the replies.
    func nextEvent() async throws -> Event? {
        try await withTaskCancellationHandler {
            for try await event in stream { return event }
            try Task.checkCancellation()
            return nil
        } onCancel: {
            entrance.finish()
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
    func stop() { entrance.finish() }

    deinit { entrance.finish() }
}

/// The side of the buffer that replies come in at.
private final class ReplyEntrance: Sendable {
    private struct State {
        /// The number of replies that have not ended.
        var missing: Int
        var isOver = false
        /// The functions that stop the replies.
        var stops: [@Sendable () -> Void] = []
        var deadline: DeadlineQueue.Entry?
    }

    private let continuation: AsyncThrowingStream<MergedReplies.Event, any Error>.Continuation
    private let watch: SilenceWatch?
    private let state: Locked<State>

    init(
        _ continuation: AsyncThrowingStream<MergedReplies.Event, any Error>.Continuation, count: Int,
        _ watch: SilenceWatch?
    ) {
        self.continuation = continuation
        self.watch = watch
        state = Locked(State(missing: count))
        if count == 0 { finish() }
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends the replies with the deadline's error, if they are not whole by then.
    func end(at deadline: Deadline) {
        let entry = DeadlineQueue.shared.schedule(at: deadline.instant) { [weak self] in self?.finish(deadline.error) }
        let isOver = state.withLock { state in
            if !state.isOver { state.deadline = entry }
            return state.isOver
        }
        if isOver { entry.cancel() }
    }

    /// Begins a reply, unless all are over: one before it may have failed.
    func begin(_ reply: PendingReplies.Reply, _ index: Int) {
        guard !isOver else { return }
        let stop = reply.begin(
            StreamSink(yield: { self.take(.piece((index, $0))) }, end: { self.end($0) }))
        let isOver = state.withLock { state in
            if !state.isOver { state.stops.append(stop) }
            return state.isOver
        }
        if isOver { stop() }
    }

    private func take(_ piece: MergedReplies.Event) {
        guard !isOver else { return }
        watch?.note()
        switch continuation.yield(piece) {
        case .enqueued: break
        case .dropped: finish(Self.tooSlow)
        // Whoever took the pieces is gone.
        case .terminated: finish()
        @unknown default: break
        }
    }

    private func end(_ error: (any Error)?) {
        if let error { return finish(error) }
        let isLast = state.withLock { state in
            state.missing -= 1
            return state.missing == 0
        }
        if isLast { finish() }
    }

    /// Ends the buffer behind the pieces that are in it, and stops the replies that have not ended; the first end
    /// counts.
    func finish(_ error: (any Error)? = nil) {
        let last = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer { (state.stops, state.deadline) = ([], nil) }
            return state
        }
        guard let last else { return }
        continuation.finish(throwing: error)
        watch?.end()
        last.deadline?.cancel()
        for stop in last.stops { stop() }
    }

    private static let tooSlow = APIError.refused(
        408, "the client reads the reply too slowly: \(MergedReplies.maxWaiting) pieces wait for it",
        code: "client_too_slow")
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
