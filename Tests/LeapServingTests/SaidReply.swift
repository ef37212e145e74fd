import LeapBase
import LeapCore

/// The pieces of a reply that a test says, before it begins or after.
final class SaidReply: Sendable {
    private struct State {
        var sink: StreamSink?
        /// The pieces said before the reply began.
        var early: [MessageResponse] = []
        var hasEnded = false
        var error: (any Error)?
        var stops = 0
    }

    private let state = Locked(State())
    private let onEnd: @Sendable () -> Void

    /// - Parameter onEnd: called once, when the reply has ended or is stopped.
    init(onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }

    func yield(_ piece: MessageResponse) {
        let sink = state.withLock { state in
            if state.sink == nil { state.early.append(piece) }
            return state.sink
        }
        sink?.yield(piece)
    }

    func finish(throwing error: (any Error)? = nil) {
        let (isFirst, sink) = state.withLock { state in
            defer { (state.hasEnded, state.error) = (true, state.error ?? error) }
            return (!state.hasEnded, state.sink)
        }
        guard isFirst else { return }
        onEnd()
        sink?.end(error)
    }

    /// The reply.
    var reply: DirectReply {
        DirectReply { [self] sink in
            while let piece = nextEarly(sink) { sink.yield(piece) }
            let (hasEnded, error) = state.withLock { ($0.hasEnded, $0.error) }
            if hasEnded { sink.end(error) }
            return { [self] in
                state.withLock { $0.stops += 1 }
                finish()
            }
        }
    }

    /// The next piece that was said before the reply began; behind the last of them the sink gets pieces as they are
    /// said.
    private func nextEarly(_ sink: StreamSink) -> MessageResponse? {
        state.withLock { state in
            guard state.early.isEmpty else { return state.early.removeFirst() }
            state.sink = sink
            return nil
        }
    }

    /// True if somebody takes the pieces.
    var isBegun: Bool { state.withLock { $0.sink != nil } }

    /// The number of times that the reply was stopped.
    var stops: Int { state.withLock { $0.stops } }
}

extension DirectReply {
    /// A reply that was said when it begins.
    init(_ say: (SaidReply) -> Void) {
        let said = SaidReply()
        say(said)
        self = said.reply
    }

    static func makeStream() -> (stream: DirectReply, continuation: SaidReply) {
        let said = SaidReply()
        return (said.reply, said)
    }
}
