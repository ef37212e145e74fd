import LeapBase
import LeapModel

/// Makes what an encoder reads of one input, on a thread of its own.
final class MediaLoad: Sendable {
    private enum State {
        case idle, running
        case done(Result<MediaContent, any Error>)
    }

    private let state = Locked(State.idle)

    /// Begins, the first time that it is called.
    ///
    /// - Parameter whenDone: called on that thread when the content is there, or cannot be made.
    /// - Returns: whether it is there already, or cannot be made.
    /// - Throws: ``EngineError`` with code `outOfMemory` if the system starts no thread.
    func begin(_ input: MediaInput, _ whenDone: @escaping @Sendable () -> Void) throws(EngineError) -> Bool {
        let (begins, isDone) = state.withLock { state -> (Bool, Bool) in
            switch state {
            case .idle:
                state = .running
                return (true, false)
            case .running: return (false, false)
            case .done: return (false, true)
            }
        }
        guard begins else { return isDone }
        // Frames of speech are codes that the model itself wrote: there is nothing to read.
        if input.medium == .speech {
            load(input)
            return true
        }
        do {
            try EngineThread.start {
                self.load(input)
                whenDone()
            }
        } catch {
            state.withLock { $0 = .idle }
            throw error
        }
        return false
    }

    private func load(_ input: MediaInput) {
        let result = Result { try input.content() }
        state.withLock { $0 = .done(result) }
    }

    /// The content; nil as long as it is not there.
    ///
    /// - Throws: what making it threw.
    func content() throws -> MediaContent? {
        guard case .done(let result) = state.withLock({ $0 }) else { return nil }
        return try result.get()
    }
}
