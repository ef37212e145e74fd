import Foundation
import LeapBase
import LeapDemoModel
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// Replies in the background, with a double of the system's task.
@Suite(.inTurns)
struct BackgroundReplyTests {
    private struct Refusal: Error {}

    /// A task that the system takes back after some updates; at its beginning where there are to be none.
    private final class ScriptedTask: BackgroundTask {
        struct Log {
            var begins = 0
            var updates: [(completed: Int, total: Int)] = []
            var ends: [Bool] = []
        }

        let log = Locked(Log())
        private let expiration = Locked<(@Sendable () -> Void)?>(nil)
        private let expiresAfter: Int?
        private let isRefused: Bool

        init(expiresAfter: Int? = nil, isRefused: Bool = false) {
            self.expiresAfter = expiresAfter
            self.isRefused = isRefused
        }

        func begin(onExpiration: @escaping @Sendable () -> Void) throws {
            if isRefused { throw Refusal() }
            log.withLock { $0.begins += 1 }
            expiration.withLock { $0 = onExpiration }
            if expiresAfter == 0 { onExpiration() }
        }

        func update(completed: Int, of total: Int) {
            let count = log.withLock { log in
                log.updates.append((completed, total))
                return log.updates.count
            }
            if count == expiresAfter { expiration.withLock { $0 }?() }
        }

        func end(success: Bool) { log.withLock { $0.ends.append(success) } }
    }

    private let message = ChatMessage(role: .user, textContent: "Tell me a story about a fox.")

    @Test("A reply that ends in time shows its progress and is not saved")
    func completes() async throws {
        let (runner, _) = DemoVocabulary.runner(["Hello there!"])
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let task = ScriptedTask()
        let pieces = Locked("")
        let reply = BackgroundReply(runner.createConversation(), savingTo: file, task: task)
        let ending = try await reply.generate(
            message: message, generationOptions: GenerationOptions(maxTokens: 50)
        ) { response in
            if case .chunk(let text) = response { pieces.withLock { $0 += text } }
        }
        guard case .completed(let completion) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(completion.finishReason == .stop && pieces.withLock { $0 } == "Hello there!")
        let log = task.log.withLock { $0 }
        #expect(log.begins == 1 && log.ends == [true] && log.updates.allSatisfy { $0.total == 50 })
        #expect(log.updates.map(\.completed) == Array(1...log.updates.count))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("Where the system takes the time back, the reply is suspended and the conversation is saved")
    func expires() async throws {
        let (runner, _) = DemoVocabulary.runner([
            ScriptedBackend.Script(text: "Once upon a time", ending: .endless)
        ])
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let task = ScriptedTask(expiresAfter: 1)
        let conversation = runner.createConversation()
        let reply = BackgroundReply(conversation, savingTo: file, task: task)
        let ending = try await reply.generate(message: message)
        guard case .suspended(.backgroundTimeExpired, let url) = ending else {
            Issue.record("\(ending)")
            return
        }
        let log = task.log.withLock { $0 }
        #expect(url == file && log.ends == [false] && !conversation.isGenerating)
        let restored = try await runner.restoreConversation(from: file)
        #expect(restored.conversation.history.map(\.role) == [.user])
        // Doubles resume nothing, and say so.
        let again = BackgroundReply(conversation, savingTo: file, task: ScriptedTask())
        await #expect(throws: LeapGenerationException.self) { try await again.resume() }
    }

    @Test("Where the time is taken back at once, the conversation is saved without waiting for a piece of the reply")
    func expiresAtOnce() async throws {
        let (runner, _) = DemoVocabulary.runner([ScriptedBackend.Script(text: "", ending: .endless)])
        let folder = try TemporaryFolder()
        let task = ScriptedTask(expiresAfter: 0)
        let reply = BackgroundReply(
            runner.createConversation(), savingTo: folder.url.appendingPathComponent("chat.leap"), task: task)
        let ending = try await reply.generate(message: message)
        guard case .suspended(.backgroundTimeExpired, let url) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(FileManager.default.fileExists(atPath: url.path) && task.log.withLock { $0.ends } == [false])
    }

    @Test(
        "The text with an interruption is the text without one, with the model and at the same token",
        arguments: [0, 1])
    func sameText(updates: Int) async throws {
        let options = GenerationOptions(temperature: 0.8, rngSeed: 3, maxTokens: 16)
        let runner = try await Leap.load(
            url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 1))
        let whole = try await runner.createConversation().generateResponse(
            message: message, generationOptions: options
        ).collect()
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let conversation = runner.createConversation()
        let reply = BackgroundReply(conversation, savingTo: file, task: ScriptedTask(expiresAfter: updates))
        var ending = try await reply.generate(message: message, generationOptions: options)
        if case .suspended = ending {
            // The app comes back: the task expires once only, as its first piece is counted on.
            let returned = BackgroundReply(conversation, savingTo: file, task: ScriptedTask())
            ending = try await returned.resume(generationOptions: options)
        } else {
            // A reply may be complete before its first piece is delivered.
            #expect(updates > 0)
        }
        guard case .completed(let completion) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(completion.message.text == whole.text && !whole.text.isEmpty)
    }

    @Test("Where the system refuses the task, the reply is generated all the same")
    func refused() async throws {
        let (runner, _) = DemoVocabulary.runner(["Hello there!"])
        let task = ScriptedTask(isRefused: true)
        let folder = try TemporaryFolder()
        let reply = BackgroundReply(
            runner.createConversation(), savingTo: folder.url.appendingPathComponent("chat.leap"), task: task)
        let ending = try await reply.generate(message: message)
        guard case .completed(let completion) = ending else {
            Issue.record("\(ending)")
            return
        }
        let log = task.log.withLock { $0 }
        #expect(completion.message.text == "Hello there!" && log.ends.isEmpty && log.updates.isEmpty)
    }
}
