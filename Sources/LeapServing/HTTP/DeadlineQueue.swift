import Dispatch
import LeapBase

/// Deadlines, watched by one timer.
///
/// A task that sleeps keeps memory until the time it sleeps to, also where it was cancelled long before. An entry of
/// this queue is gone when it is cancelled, so what has a deadline for each request, and lasts a moment of it, belongs
/// here.
final class DeadlineQueue: @unchecked Sendable {
    // Sendable: Dispatch's sources may be used from any thread, and what changes is behind a lock.

    /// The queue of the process.
    static let shared = DeadlineQueue()

    /// An action that is scheduled for an instant.
    struct Entry: Sendable {
        fileprivate let id: UInt64
        fileprivate let queue: DeadlineQueue

        /// Removes the entry; what has begun goes on.
        func cancel() { queue.remove(id) }
    }

    private struct State {
        var entries: [UInt64: (instant: ContinuousClock.Instant, action: @Sendable () -> Void)] = [:]
        var lastID: UInt64 = 0
        /// The instant that the timer is set to; nil where nothing is scheduled.
        var next: ContinuousClock.Instant?
    }

    /// The timer waits at most for so many seconds before it looks again: its clock stands still while the machine
    /// sleeps.
    private static let longestWait = 3600.0

    private let state = Locked(State())
    private let timer: any DispatchSourceTimer

    init() {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "open-leap.deadlines"))
        timer.schedule(deadline: .distantFuture)
        timer.setEventHandler { [weak self] in self?.fire(at: .now) }
        timer.activate()
    }

    deinit { timer.cancel() }

    /// The number of entries.
    var count: Int { state.withLock { $0.entries.count } }

    /// Calls `action` at an instant, on a thread of its own, unless the entry is cancelled before.
    func schedule(at instant: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Entry {
        state.withLock { state in
            state.lastID += 1
            state.entries[state.lastID] = (instant, action)
            if state.next.map({ instant < $0 }) ?? true { arm(&state, instant) }
            return Entry(id: state.lastID, queue: self)
        }
    }

    // The timer is left as it is: it fires once for nothing, which costs less than to find the next entry each time.
    private func remove(_ id: UInt64) { state.withLock { $0.entries[id] = nil } }

    /// Runs the actions that are due at an instant, and sets the timer for the next one; tests call it with any
    /// instant.
    func fire(at now: ContinuousClock.Instant) {
        let due = state.withLock { state in
            let due = state.entries.filter { $0.value.instant <= now }
            for id in due.keys { state.entries[id] = nil }
            arm(&state, state.entries.values.lazy.map(\.instant).min())
            return due.values.sorted { $0.instant < $1.instant }
        }
        // None waits for another: an action may end what takes a while to end.
        for entry in due { DispatchQueue.global().async(execute: entry.action) }
    }

    private func arm(_ state: inout State, _ next: ContinuousClock.Instant?) {
        state.next = next
        guard let next else { return timer.schedule(deadline: .distantFuture) }
        let seconds = (next - .now) / .seconds(1)
        timer.schedule(deadline: .now() + min(max(0, seconds), Self.longestWait))
    }
}
