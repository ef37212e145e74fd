import Foundation
import LeapBase
import Testing

/// Runs tests on threads that no other test needs.
///
/// These tests wait for programs while they keep their thread. The pool of Swift's tasks has a thread for each core
/// only: two such tests keep every other test of a computer with two cores waiting, and with it whatever answers their
/// programs.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(WaitingThreads.shared, operation: function)
    }
}

extension Trait where Self == OwnThreads {
    /// On threads of its own, as it waits for programs.
    static var ownThreads: Self { Self() }
}

/// As many threads as there are cores, and at least two: they run tasks in the order in which they come.
private final class WaitingThreads: TaskExecutor {
    static let shared = WaitingThreads()

    private let jobs = Monitor([UnownedJob]())

    private init() {
        for _ in 0..<max(2, ProcessInfo.processInfo.activeProcessorCount) { Thread.detachNewThread { [self] in run() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    private func run() -> Never {
        while true {
            let job = jobs.wait(while: \.isEmpty) { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
