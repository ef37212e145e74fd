import LeapBase
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns, .timeLimit(.minutes(30)))
struct DeadlineTests {
    private struct Own: Error {}

    @Test("What is done in time has its own outcome, and leaves nothing behind")
    func inTime() async throws {
        let deadline = Deadline(in: .seconds(3600))
        #expect(try await deadline.run { 3 } == 3)
        await #expect(throws: Own.self) { try await deadline.run { throw Own() } }
    }

    @Test("What is late is cancelled, and ends with the deadline's error")
    func late() async {
        let error = await #expect(throws: APIError.self) {
            try await Deadline(in: .milliseconds(5)).run { try await Task.sleep(for: .seconds(3600)) }
        }
        #expect(error?.code == "request_timeout" && error?.status == 504)
        let own = APIError.invalid("too slow")
        let other = await #expect(throws: APIError.self) {
            try await Deadline(in: .milliseconds(5), error: own).run { try await Task.sleep(for: .seconds(3600)) }
        }
        #expect(other == own)
    }

    @Test("A task that is cancelled cancels what it waits for")
    func cancelled() async {
        let task = Task {
            try await Deadline(in: .seconds(3600)).run { try await Task.sleep(for: .seconds(3600)) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Requests leave no deadline behind, however many there are")
    func requests() async throws {
        let server = Server(
            pool: ServingSupport.pool([try ServingSupport.demo()]), access: AccessRules(),
            requestTimeout: .seconds(3600))
        let before = DeadlineQueue.shared.count
        for _ in 0..<2000 {
            _ = await server.reply(to: ServerRequest(method: "GET", path: "/health"))
        }
        // Other tests that run now have some of their own.
        #expect(DeadlineQueue.shared.count < before + 500)
    }
}
