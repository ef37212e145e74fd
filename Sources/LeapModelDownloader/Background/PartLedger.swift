import Foundation
import LeapBase
import LeapTransfers

/// The record of the parts that background tasks fetch, of the callers that wait for them, and of those that arrived
/// while no caller did.
///
/// The system goes on with a task when the app is gone, and hands its file to the next process. A part that no caller
/// waits for is kept in a folder until somebody asks for its bytes; one that is still on its way is waited for instead
/// of being fetched twice. Whoever waits is told exactly once: of the end of the task, of the end of the session, or of
/// its own cancellation.
package final class PartLedger: Sendable {
    package typealias Outcome = Result<ArrivedPart, any Error>

    private struct Waiter {
        let number: Int
        let end: @Sendable (Outcome) -> Void
        let arriving: @Sendable (Int64) -> Void
    }

    private struct Running {
        let key: PartKey
        var file: Result<ArrivedPart, any Error>?
        var waiters: [Waiter] = []
    }

    private struct State {
        var running: [Int: Running] = [:]
        var arrived: [ArrivedPart]
        var nextNumber = 0
    }

    private let folder: URL
    private let state: Locked<State>

    /// Makes a ledger with what an earlier process left in `folder`; what is older than a week, or cannot be read, is
    /// removed.
    package init(folder: URL) {
        self.folder = folder
        state = Locked(State(arrived: ArrivedPart.all(in: folder, since: Date(timeIntervalSinceNow: -7 * 24 * 3600))))
    }

    // MARK: For those who want a part

    /// A part that is there and begins with the bytes of `key`.
    package func arrived(_ key: PartKey) -> ArrivedPart? {
        state.withLock { $0.arrived.first { $0.key.begins(key) } }
    }

    /// A task that is under way and brings the first bytes of `key`.
    package func running(_ key: PartKey) -> Int? {
        state.withLock { state in state.running.first { $0.value.key.begins(key) }?.key }
    }

    /// Waits for the end of a task.
    ///
    /// - Returns: a number for ``cancel(_:task:)``; nil if there is no such task any more: then `end` is never called.
    package func wait(
        for task: Int, arriving: @escaping @Sendable (Int64) -> Void, end: @escaping @Sendable (Outcome) -> Void
    ) -> Int? {
        state.withLock { state in
            guard state.running[task] != nil else { return nil }
            state.nextNumber += 1
            state.running[task]?.waiters.append(Waiter(number: state.nextNumber, end: end, arriving: arriving))
            return state.nextNumber
        }
    }

    /// Stops waiting; who waited is told that it was cancelled.
    ///
    /// - Returns: whether no caller waits for the task any more, so that it can be cancelled too.
    package func cancel(_ number: Int, task: Int) -> Bool {
        let (waiter, isLast) = state.withLock { state -> (Waiter?, Bool) in
            guard let index = state.running[task]?.waiters.firstIndex(where: { $0.number == number }) else {
                return (nil, false)
            }
            let waiter = state.running[task]?.waiters.remove(at: index)
            return (waiter, state.running[task]?.waiters.isEmpty ?? true)
        }
        waiter?.end(.failure(CancellationError()))
        return isLast
    }

    /// Notes that bytes of a part were taken over; its file is removed when all were.
    package func consumed(_ range: Range<Int64>, of part: ArrivedPart) {
        let isDone = state.withLock { state -> Bool in
            guard let index = state.arrived.firstIndex(where: { $0.name == part.name }) else { return false }
            state.arrived[index].left.remove(range)
            guard state.arrived[index].left.ranges.isEmpty else { return false }
            state.arrived.remove(at: index)
            return true
        }
        if isDone { part.remove() }
    }

    // MARK: For the session

    /// Notes a task that runs: a new one, or one that an earlier process left behind.
    package func begin(_ task: Int, _ key: PartKey) {
        state.withLock { state in
            if state.running[task] == nil { state.running[task] = Running(key: key) }
        }
    }

    /// Passes on that bytes came for a task, which shows that its server is alive.
    package func progress(_ task: Int, bytes: Int64) {
        for waiter in state.withLock({ $0.running[task]?.waiters ?? [] }) { waiter.arriving(bytes) }
    }

    /// Takes over the file of a task before the system removes it.
    package func finish(_ task: Int, _ key: PartKey, status: Int, fields: [String: String], file: URL) {
        let result = Result { try ArrivedPart(key: key, status: status, fields: fields, moving: file, to: folder) }
        state.withLock { state in
            state.running[task, default: Running(key: key)].file = result
        }
    }

    /// Ends a task: tells those who wait, or keeps what arrived for later.
    package func end(_ task: Int, error: (any Error)?) {
        let (waiters, outcome) = state.withLock { state -> ([Waiter], Outcome) in
            let running = state.running.removeValue(forKey: task)
            let outcome: Outcome
            if let error {
                outcome = .failure(error)
            } else {
                outcome = running?.file ?? .failure(DownloadError(.network, "the background transfer brought no file."))
            }
            if case .success(let part) = outcome, part.isKept { state.arrived.append(part) }
            return (running?.waiters ?? [], outcome)
        }
        // What is no part of a file, such as the page of an error, is of use only to those who wait now.
        if case .success(let part) = outcome, !part.isKept, waiters.isEmpty { part.remove() }
        for waiter in waiters { waiter.end(outcome) }
    }

    /// Ends everything because the session ended.
    package func endAll(_ error: any Error) {
        let waiters = state.withLock { state in
            defer { state.running = [:] }
            return state.running.values.flatMap(\.waiters)
        }
        for waiter in waiters { waiter.end(.failure(error)) }
    }
}
