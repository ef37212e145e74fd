import LeapCore
import LeapTestTraits
import Testing

@testable import LeapServing

/// The one buffer between the engine's threads and the task that writes a body.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct MergedRepliesTests {
    private func rest(_ merged: MergedReplies) async throws -> [String] {
        var found: [String] = []
        while let (index, response) = try await merged.next() {
            if case .chunk(let text) = response { found.append("\(index)\(text)") }
        }
        return found
    }

    @Test("Pieces are in the buffer when the thread that makes them goes on, in the order of all replies")
    func order() async throws {
        let (one, two) = (SaidReply(), SaidReply())
        let merged = MergedReplies([one.reply, two.reply])
        #expect(one.isBegun && two.isBegun)
        one.yield(.chunk("a"))
        two.yield(.chunk("b"))
        two.yield(.chunk("c"))
        one.yield(.chunk("d"))
        two.finish()
        #expect(!merged.isOver)
        one.finish()
        #expect(merged.isOver)
        #expect(try await rest(merged) == ["0a", "1b", "1c", "0d"])
    }

    @Test("A reply that fails stops the others, and is told behind the pieces that came before")
    func failure() async throws {
        let (one, two) = (SaidReply(), SaidReply())
        let merged = MergedReplies([one.reply, two.reply])
        one.yield(.chunk("a"))
        two.finish(throwing: LeapGenerationQueueFullException(message: "full"))
        one.yield(.chunk("late"))
        #expect(merged.isOver && one.stops == 1)
        #expect(try await merged.next()?.index == 0)
        await #expect(throws: LeapGenerationQueueFullException.self) { try await merged.next() }
        // One that failed as it began lets no other begin.
        let never = SaidReply()
        let failed = DirectReply { sink in
            sink.end(LeapGenerationQueueFullException(message: "full"))
            return {}
        }
        let over = MergedReplies([failed, never.reply])
        #expect(over.isOver && !never.isBegun)
    }

    @Test("Generations are stopped when nobody takes their pieces: told to, released, cancelled, too slow, too late")
    func stops() async throws {
        let told = SaidReply()
        let merged = MergedReplies([told.reply])
        merged.stop()
        merged.stop()
        #expect(told.stops == 1)
        #expect(try await rest(merged).isEmpty)

        let released = SaidReply()
        _ = MergedReplies([released.reply])
        #expect(released.stops == 1)

        let cancelled = SaidReply()
        let waited = MergedReplies([cancelled.reply])
        let task = Task { try await waited.next() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(cancelled.stops == 1)

        let fast = SaidReply()
        let slow = MergedReplies([fast.reply])
        for _ in 0..<MergedReplies.maxWaiting { fast.yield(.chunk("a")) }
        #expect(fast.stops == 0)
        fast.yield(.chunk("a"))
        #expect(fast.stops == 1 && slow.isOver)

        let late = SaidReply()
        let limited = MergedReplies([late.reply], until: Deadline(in: .zero))
        let error = await #expect(throws: APIError.self) { try await limited.next() }
        #expect(error?.code == "request_timeout")
        withExtendedLifetime((merged, slow)) {}
    }
}
