import Foundation
import LeapBase
import LeapHTTP
import LeapTestTraits
import Testing

/// The watchdog counts the server's time and not the receiver's.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct WatchdogTests {
    private let url = URL(fileURLWithPath: "/")

    /// An exchange that hands over a byte from a thread of its own, and then ends or falls silent.
    private func exchange(_ receiver: HTTPReceiver, isSilent: Bool) async throws -> HTTPHead {
        let head = HTTPHead(status: 200, fields: [])
        _ = try receiver.head(head)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Result { _ = try [1 as UInt8].withUnsafeBytes { try receiver.body($0) } })
            }
        }
        if isSilent { try await Task.sleep(for: .seconds(3600)) }
        return head
    }

    @Test("The time that the receiver takes is not the server's")
    func receiver() async throws {
        let watchdog = Watchdog(responseTimeout: 600, stallTimeout: 5, minimumBytes: 1)
        let receiver = HTTPReceiver(
            head: { _ in true },
            body: { _ in
                Thread.sleep(forTimeInterval: 7)
                return true
            })
        let head = try await watchdog.watch(url, receiver) { try await exchange($0, isSilent: false) }
        #expect(head.status == 200)
    }

    @Test("Silence ends an exchange, before its answer and in it")
    func silence() async throws {
        let quick = HTTPReceiver(head: { _ in true }, body: { _ in true })
        let late = Watchdog(responseTimeout: 600, stallTimeout: 0.2, minimumBytes: 1)
        let error = await #expect(throws: HTTPFailure.self) {
            try await late.watch(url, quick) { try await exchange($0, isSilent: true) }
        }
        #expect(error?.code == .stalled)
        let never = Watchdog(responseTimeout: 0.2, stallTimeout: 600, minimumBytes: 1)
        let none = await #expect(throws: HTTPFailure.self) {
            try await never.watch(url, quick) { _ in
                try await Task.sleep(for: .seconds(3600))
                return HTTPHead(status: 200, fields: [])
            }
        }
        #expect(none?.code == .stalled)
    }
}
