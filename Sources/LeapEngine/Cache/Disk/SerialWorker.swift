import LeapBase

/// Runs closures one after the other on a thread that exists only while there are some.
final class SerialWorker: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Monitor(State())

    /// Runs a closure after those before it; where the system gives no thread, on the caller's.
    func run(_ job: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        do throws(EngineError) { try EngineThread.start { self.work() } } catch { work() }
    }

    private func work() {
        while let job = next() { job() }
    }

    /// The next closure, or nil: the thread then ends.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
            state.isRunning = false
            return nil
        }
    }

    /// Waits until all closures have run.
    func drain() {
        state.wait(while: { $0.isRunning }, then: { _ in })
    }
}
