import Foundation
import LeapBase
import LeapDemoModel
import LeapEngine
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// Memory that a loaded model gives back at events, and what comes back of it.
@Suite(.inTurns)
struct MemoryPolicyTests {
    private static let options = GenerationOptions(temperature: 0.8, rngSeed: 5, maxTokens: 12)

    private func load(extras: String? = nil) async throws -> any ModelRunner {
        try await Leap.load(
            url: LeapDemoModel.url,
            options: LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 1, extras: extras))
    }

    private func reply(_ conversation: any Conversation, _ text: String) async throws -> [MessageResponse] {
        let reply = try await conversation.generateResponse(userTextMessage: text, generationOptions: Self.options)
            .collect()
        // The reply is complete before the engine is done with the session.
        await (conversation as? SourcedConversation)?.whenIdle()
        return reply
    }

    /// The error of a reply that fails.
    private func failure(_ conversation: any Conversation) async -> LeapException? {
        do {
            _ = try await reply(conversation, "And then?")
            return nil
        } catch {
            return error as? LeapException
        }
    }

    /// A conversation of one turn.
    private func conversation(_ runner: any ModelRunner) async throws -> any Conversation {
        let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        _ = try await reply(conversation, "Tell me a story about a fox.")
        return conversation
    }

    /// The second reply of a conversation whose memory stays, computed once for all tests.
    private static let expected = Task {
        let tests = MemoryPolicyTests()
        return try await tests.reply(try await tests.conversation(try await tests.load()), "And then?")
    }

    private func expectedReply() async throws -> [MessageResponse] { try await Self.expected.value }

    /// Events that a test sends.
    private final class ScriptedPressure: MemoryPressureSource {
        private let stream: AsyncStream<MemoryEvent>
        private let continuation: AsyncStream<MemoryEvent>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream() }

        func events() -> AsyncStream<MemoryEvent> { stream }
        func send(_ event: MemoryEvent) { continuation.yield(event) }
    }

    @Test(
        "After each part was given back the reply is the same; with its state on disk only the new message is computed",
        arguments: [
            [.scratch], [.encoders, .drafts], [.cachedPrompts], [.idleConversations], Set(MemoryPart.allCases),
        ] as [Set<MemoryPart>])
    func sameReply(parts: Set<MemoryPart>) async throws {
        let folder = try TemporaryFolder()
        let states = folder.url.appendingPathComponent("states")
        let expected = try await expectedReply()
        let runner = try await load()
        let kept = try await conversation(runner)
        let held = runner.statistics.memoryBytes
        let given = await runner.giveBackMemory(parts, stateFolder: states)
        let frees = parts.contains(.idleConversations)
        #expect(given.isModelReleased == parts.contains(.model) && given.savingError == nil)
        #expect(given.savedConversations == (frees ? 1 : 0))
        #expect((given.bytes[.idleConversations] ?? 0 > 0) == frees)
        #expect((given.bytes[.scratch] ?? 0 > 0) == parts.contains(.scratch))
        if frees { #expect(runner.statistics.memoryBytes < held) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: states.path)) ?? []
        #expect(names.count == given.savedConversations)

        let next = try await reply(kept, "And then?")
        #expect(next.text == expected.text && !next.text.isEmpty)
        #expect(next.completion?.stats?.computedPromptTokens == expected.completion?.stats?.computedPromptTokens)
        let left = (try? FileManager.default.contentsOfDirectory(atPath: states.path)) ?? []
        #expect(left.isEmpty)
        let counted = runner.statistics.givenBackBytes?.values.reduce(0, +) ?? 0
        #expect(counted == given.byteCount)
    }

    @Test("Without a folder, and where it cannot be written, the history is computed again; the error names the path")
    func withoutStates() async throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: try folder.write("file", Data()))
        let expected = try await expectedReply().text
        for states in [nil, file, file.appendingPathComponent("below")] {
            let runner = try await load()
            let kept = try await conversation(runner)
            let given = await runner.giveBackMemory(stateFolder: states)
            #expect(given.savedConversations == 0 && given.isModelReleased)
            #expect((given.savingError?.message.contains(file.path) ?? false) == (states != nil))
            let next = try await reply(kept, "And then?")
            #expect(next.text == expected)
            #expect(next.completion?.stats?.reusedPromptTokens == 0)
        }
    }

    #if os(Linux)
        @Test(
            "A disk that fills up while state is saved is an error that says so; the old file stays",
            .enabled(if: SmallDisk.canMount, "no right to mount a small file system"))
        func fullDisk() async throws {
            let folder = try TemporaryFolder()
            let runner = try await load()
            let kept = try await conversation(runner)
            let size = folder.url.appendingPathComponent("size.leap")
            try await kept.save(to: size)
            let byteCount = try Data(contentsOf: size).count
            // Room for one file and a half.
            let disk = try #require(SmallDisk(byteCount: byteCount * 3 / 2))
            defer { withExtendedLifetime(disk) {} }
            let file = URL(fileURLWithPath: disk.folder + "/chat.leap")
            try await kept.save(to: file)
            let old = try Data(contentsOf: file)
            let next = try await reply(kept, "And then?")
            do {
                try await kept.save(to: file)
                Issue.record("the disk has room for two files")
            } catch {
                let error = try #require(error as? LeapSerializationException)
                #expect(error.message.contains(file.path))
                #expect((error.cause as? FileSystemError)?.code == .noSpace)
            }
            let states = URL(fileURLWithPath: disk.folder + "/states")
            let given = await runner.giveBackMemory(stateFolder: states)
            #expect((given.savingError?.cause as? FileSystemError)?.code == .noSpace)
            #expect(given.isModelReleased && given.savedConversations == 0)
            let content = try Data(contentsOf: file)
            #expect(content == old)
            let left = try FileManager.default.contentsOfDirectory(atPath: disk.folder).sorted()
            #expect(left == ["chat.leap", "states"])
            // The reply comes from the history.
            #expect(!next.text.isEmpty)
            let more = try await reply(kept, "And then?")
            #expect(!more.text.isEmpty)
        }
    #endif

    @Test("A released model counts on, saves its conversations, scores texts, and is gone after unloading")
    func released() async throws {
        let folder = try TemporaryFolder()
        let runner = try await load()
        let kept = try await conversation(runner)
        let before = runner.statistics
        let backend = try #require((runner as? LiquidInferenceEngineRunner)?.backend as? SuspendableBackend)
        await runner.giveBackMemory([.model], stateFolder: folder.url)
        #expect(backend.engine.isUnloaded && !backend.isUnloaded)
        #expect(runner.statistics.generatedTokens == before.generatedTokens)
        let tokens = try await kept.save(to: folder.url.appendingPathComponent("chat.leap"))
        #expect(tokens > 0 && !backend.engine.isUnloaded)
        await runner.giveBackMemory([.model], stateFolder: folder.url)
        let score = try await runner.score("Hello there", topLogprobs: 0)
        #expect(!score.tokens.isEmpty)
        #expect(runner.statistics.generatedTokens == before.generatedTokens)
        #expect(runner.statistics.computedPromptTokens > before.computedPromptTokens)
        await runner.giveBackMemory([.model], stateFolder: folder.url)
        await runner.unload()
        let error = await failure(kept)
        #expect(error?.message.contains("was unloaded") == true)
        let given = await runner.giveBackMemory()
        #expect(given.byteCount == 0 && !given.isModelReleased)
    }

    @Test("A file that is gone while the model is released is an error that names it; the next reply tries again")
    func missingFile() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("model.gguf", try Data(contentsOf: LeapDemoModel.url))
        let runner = try await Leap.load(
            url: URL(fileURLWithPath: path), options: LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 1))
        let kept = try await conversation(runner)
        await runner.giveBackMemory(stateFolder: nil)
        let moved = path + ".moved"
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        let error = await failure(kept) as? LeapModelLoadingException
        #expect(error?.message.contains(path) == true)
        try FileManager.default.moveItem(atPath: moved, toPath: path)
        let next = try await reply(kept, "And then?")
        #expect(!next.text.isEmpty)
    }

    @Test("A reply in progress keeps the model and its state, and ends as it would have")
    func inProgress() async throws {
        let expected = try await expectedReply().text
        let runner = try await load()
        let kept = try await conversation(runner)
        var text = ""
        var reports: [MemoryGivenBack] = []
        for try await response in kept.generateResponse(
            userTextMessage: "And then?", generationOptions: Self.options)
        {
            if case .chunk(let chunk) = response {
                text += chunk
                if reports.isEmpty { reports.append(await runner.giveBackMemory(stateFolder: nil)) }
            }
        }
        #expect(text == expected && reports.count == 1)
    }

    @Test("A policy says what each event gives back; a model without a policy follows nothing")
    func events() async throws {
        let folder = try TemporaryFolder()
        var policy = MemoryPolicy()
        #expect(policy.warning.isSubset(of: policy.background) && policy.background.isSubset(of: policy.critical))
        #expect(policy.parts(for: .foreground).isEmpty && policy.critical.contains(.model))
        policy.stateFolder = folder.url
        let runner = try await load()
        let kept = try await conversation(runner)
        let backend = try #require((runner as? LiquidInferenceEngineRunner)?.backend as? SuspendableBackend)
        let pressure = ScriptedPressure()
        let (reports, told) = AsyncStream.makeStream(of: (event: MemoryEvent, given: MemoryGivenBack).self)
        runner.follow(policy, source: pressure) { told.yield(($0, $1)) }
        var next = reports.makeAsyncIterator()
        for event in [MemoryEvent.warning, .background, .critical, .foreground] {
            pressure.send(event)
            let found = await next.next()
            let report = try #require(found)
            #expect(report.event == event)
            #expect(report.given.isModelReleased == (event == .critical))
            let hasState = report.given.bytes[.idleConversations] != nil
            #expect(hasState == (event == .background))
        }
        #expect(!backend.engine.isUnloaded)
        let reply = try await reply(kept, "And then?")
        #expect(reply.text == (try await expectedReply()).text)
        // Without a policy the follower is gone, and with it its part of the stream.
        runner.follow(nil, source: pressure)
        let follower = (runner as? LiquidInferenceEngineRunner)?.memoryFollower.withLock { $0 == nil }
        #expect(follower == true)
    }

    @Test("Adapters point into their model, which stays in memory")
    func adapters() async throws {
        let folder = try TemporaryFolder()
        let adapter = try folder.write("adapter.gguf", try DemoAdapter.data(seed: 1))
        let runner = try await load(extras: #"{"adapters":[{"path":"\#(adapter)"}]}"#)
        let given = await runner.giveBackMemory(stateFolder: nil)
        #expect(!given.isModelReleased)
    }
}
