import Foundation
import LeapBase

/// Lets as many tests compute at a time as there are cores, and two more, which may be waiting.
///
/// Testing starts all tests together: of those that make engines there would be hundreds at a time, each with its
/// threads and its memory, and each would take minutes from its start to its end.
package final class TestTurns: Sendable {
    package static let shared = TestTurns(ProcessInfo.processInfo.activeProcessorCount + 2)
    /// The turns of tests that talk with a server of their own, and wait most of the time.
    ///
    /// All together they had 1,700 open files and 1,200 threads; Foundation's `Process` reads beyond a page from about
    /// 1,300 files on (it copies 256 bytes of each entry of /proc/self/fd).
    package static let servers = TestTurns(16)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Locked<State>

    package init(_ count: Int) { state = Locked(State(free: count)) }

    /// Runs a test when it is its turn, in the order in which they come.
    package func run(_ test: () async throws -> Void) async throws {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
        defer { end() }
        try await test()
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
