import LeapBase

/// The states of an assistant: first the current one, then each newer one.
///
/// Any number of loops can iterate over it. A busy loop skips states, but never the latest one. Loops end when the
/// store is closed.
public struct VoiceStateSequence: AsyncSequence, Sendable {
    /// A state.
    public typealias Element = VoiceAssistantState
    /// The iterator of one loop.
    public typealias AsyncIterator = AsyncStream<VoiceAssistantState>.Iterator

    let source: VoiceStateSource

    /// The current state.
    public var value: VoiceAssistantState { source.value }

    /// Creates an iterator that starts with the current state.
    public func makeAsyncIterator() -> AsyncIterator { source.stream().makeAsyncIterator() }
}

/// Gives states to whoever waits for them.
final class VoiceStateSource: Sendable {
    private struct Listeners {
        var value: VoiceAssistantState
        var next = 0
        var isClosed = false
        var continuations: [Int: AsyncStream<VoiceAssistantState>.Continuation] = [:]
    }

    private let listeners: Locked<Listeners>

    init(_ value: VoiceAssistantState) {
        listeners = Locked(Listeners(value: value))
    }

    var value: VoiceAssistantState { listeners.withLock { $0.value } }

    func stream() -> AsyncStream<VoiceAssistantState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: VoiceAssistantState.self, bufferingPolicy: .bufferingNewest(1))
        let number = listeners.withLock { listeners -> Int? in
            continuation.yield(listeners.value)
            guard !listeners.isClosed else { return nil }
            listeners.next += 1
            listeners.continuations[listeners.next] = continuation
            return listeners.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ value: VoiceAssistantState) {
        listeners.withLock { listeners in
            guard listeners.value != value, !listeners.isClosed else { return }
            listeners.value = value
            for continuation in listeners.continuations.values { continuation.yield(value) }
        }
    }

    func close() {
        // Outside of the lock, as ending a stream calls back.
        let all = listeners.withLock { listeners in
            listeners.isClosed = true
            defer { listeners.continuations = [:] }
            return Array(listeners.continuations.values)
        }
        for continuation in all { continuation.finish() }
    }
}
