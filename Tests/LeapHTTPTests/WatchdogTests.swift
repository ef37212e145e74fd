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

    /// Collects the waits that a receiver is told of.
    private func receiver(_ waits: Locked<[TransferWait?]>) -> HTTPReceiver {
        var receiver = HTTPReceiver(head: { _ in true }, body: { _ in true })
        receiver.waiting = { wait in waits.withLock { $0.append(wait) } }
        return receiver
    }

    private func until(_ waits: Locked<[TransferWait?]>, count: Int) async throws {
        while waits.withLock({ $0.count }) < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("An exchange that the system carries is never ended for silence: the wait is told, and its end")
    func handedOver() async throws {
        let waits = Locked<[TransferWait?]>([])
        let watchdog = Watchdog(responseTimeout: 0.04, stallTimeout: 0.04, minimumBytes: 1)
        let head = try await watchdog.watch(url, receiver(waits)) { receiver in
            receiver.handedOver()
            // Before the first byte, and between two.
            try await until(waits, count: 1)
            receiver.arriving(10)
            try await until(waits, count: 3)
            receiver.arriving(10)
            let head = HTTPHead(status: 206, fields: [])
            _ = try receiver.head(head)
            return head
        }
        #expect(head.status == 206)
        #expect(waits.withLock { $0.prefix(4) } == [.system, nil, .system, nil])
    }

    @Test("The time without a network is not the server's; silence after it is")
    func network() async throws {
        let waits = Locked<[TransferWait?]>([])
        let watchdog = Watchdog(responseTimeout: 0.04, stallTimeout: 0.04, minimumBytes: 1)
        let isLate = Locked(false)
        let error = await #expect(throws: HTTPFailure.self) {
            try await watchdog.watch(url, receiver(waits)) { receiver in
                receiver.waiting(.wifi)
                // Several times longer than the server has.
                try await Task.sleep(for: .milliseconds(200))
                isLate.withLock { $0 = true }
                receiver.arriving(1)
                try await Task.sleep(for: .seconds(3600))
                return HTTPHead(status: 200, fields: [])
            }
        }
        #expect(error?.code == .stalled)
        #expect(isLate.withLock { $0 })
        #expect(waits.withLock { $0 } == [.wifi, nil])
    }
}
