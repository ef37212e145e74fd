import LeapBase
import LeapModel

/// Runs closures one after the other on a thread that exists only while there are some.
final class SerialWorker: Sendable {
    private struct State {
        var jobs: [(cost: Int, run: @Sendable () -> Void)] = []
        /// The next of the jobs; those before it are done.
        var next = 0
        /// Of the jobs that wait and the one that runs.
        var cost = 0
        var isRunning = false
    }

    private let state: Monitor<State>
    private let maxCost: Int

    /// A worker whose waiting closures may cost at most so much together, in the caller's unit.
    init(maxCost: Int = .max) {
        self.maxCost = maxCost
        state = Monitor(State())
    }

    /// Runs a closure after those before it; where the system gives no thread, on the caller's.
    ///
    /// - Returns: false where too much waits already: the closure is not run. One closure alone is never too much.
    @discardableResult
    func run(cost: Int = 0, _ job: @escaping @Sendable () -> Void) -> Bool {
        let starts: Bool? = state.withLock { state in
            guard !state.isRunning || cost <= maxCost - state.cost else { return nil }
            state.jobs.append((cost, job))
            state.cost += cost
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard let starts else { return false }
        if starts {
            do throws(EngineError) { try EngineThread.start { self.work() } } catch { work() }
        }
        return true
    }

    private func work() {
        while let job = next() {
            job.run()
            state.withLock { $0.cost -= job.cost }
        }
    }

    /// The next closure, or nil: the thread then ends.
    private func next() -> (cost: Int, run: @Sendable () -> Void)? {
        state.withLock { state in
            guard state.next < state.jobs.count else {
                state.jobs.removeAll()
                state.next = 0
                state.isRunning = false
                return nil
            }
            defer { state.next += 1 }
            let job = state.jobs[state.next]
            // What the closure holds is let go of as soon as it has run.
            state.jobs[state.next].run = {}
            return job
        }
    }

    /// Lets go of the closures that have not begun to run.
    ///
    /// - Returns: false if there are none.
    func dropWaiting() -> Bool {
        // Released behind the lock, as what they hold may be much.
        let dropped = state.withLock { state in
            let dropped = state.jobs.suffix(from: min(state.next, state.jobs.count))
            state.jobs.removeLast(dropped.count)
            state.cost -= dropped.reduce(0) { $0 + $1.cost }
            return dropped
        }
        return !dropped.isEmpty
    }

    /// Waits until all closures have run.
    func drain() {
        state.wait(while: { $0.isRunning }, then: { _ in })
    }
}
