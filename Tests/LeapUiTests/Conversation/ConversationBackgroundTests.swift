import Foundation
import LeapBase
import LeapCore
import LeapDemoModel
import LeapUi
import Testing

/// A conversation's replies in the background, with a double of the system's task.
@MainActor
struct ConversationBackgroundTests {
    /// A task that the system takes back at the first piece, once.
    private final class FirstTask: BackgroundTask {
        let begun: Locked<Int>
        private let number: Int
        private let expiration = Locked<(@Sendable () -> Void)?>(nil)

        init(_ begun: Locked<Int>) {
            self.begun = begun
            number = begun.withLock { count in
                count += 1
                return count
            }
        }

        func begin(onExpiration: @escaping @Sendable () -> Void) throws { expiration.withLock { $0 = onExpiration } }
        func update(completed: Int, of total: Int) {
            if completed == 1, number == 1 { expiration.withLock { $0 }?() }
        }
        func end(success: Bool) {}
    }

    @Test("A reply that the system ended goes on in its row, to the text of one that was not ended")
    func resumes() async throws {
        let runner = try await Leap.load(
            url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 1))
        let options = GenerationOptions(temperature: 0.8, rngSeed: 3, maxTokens: 16)
        func store() -> ConversationStore {
            ConversationStore(conversation: runner.createConversation(), generationOptions: options)
        }
        let whole = store()
        let interrupted = store()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("chat-\(UUID().uuidString).leap")
        defer { try? FileManager.default.removeItem(at: file) }
        let begun = Locked(0)
        interrupted.background = ConversationBackground(savingTo: file) { FirstTask(begun) }
        for store in [whole, interrupted] {
            store.send("Tell me a story about a fox.")
            await store.reply?.value
        }
        #expect(!whole.isSuspended && !interrupted.isReplying)
        // A reply that was faster than the end of its time is complete.
        let wasSuspended = interrupted.isSuspended
        interrupted.resume()
        await interrupted.reply?.value
        #expect(begun.withLock { $0 } == (wasSuspended ? 2 : 1))
        #expect(interrupted.rows.map(\.copyText) == whole.rows.map(\.copyText) && !interrupted.isSuspended)
        #expect(interrupted.conversation.history.map(\.text) == whole.conversation.history.map(\.text))
    }
}
