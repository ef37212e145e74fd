import Foundation
import LeapDemoModel
import LeapEngine
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// The extras of loading that limit memory, and how many generations run and wait.
@Suite(.inTurns)
struct ConcurrencyOptionTests {
    private func load(_ extras: String, cache: LiquidCacheOptions? = nil) async throws -> LiquidInferenceEngineRunner {
        try await ModelLoader.load(
            files: ModelFiles(modelPath: LeapDemoModel.url.path),
            options: LiquidInferenceEngineOptions(cacheOptions: cache, cpuThreads: 1, extras: extras).options,
            generationTimeParameters: nil, autoDetectCompanionFiles: false)
    }

    private static func options(_ maxTokens: Int32) -> GenerationOptions {
        GenerationOptions(temperature: 0, maxTokens: maxTokens)
    }

    private func reply(
        _ runner: LiquidInferenceEngineRunner, _ text: String, maxTokens: Int32 = 20,
        in conversation: (any Conversation)? = nil
    ) async throws -> String {
        try await (conversation ?? runner.createConversation(systemPrompt: nil)).generateResponse(
            userTextMessage: text, generationOptions: Self.options(maxTokens)
        ).collect().text
    }

    @Test("Extras that are no numbers in range are refused by name")
    func refused() throws {
        for (extras, expected) in [
            (#"{"maxMemory":0}"#, "'maxMemory' in the extras is 0; expected a number of bytes"),
            (#"{"maxMemory":"2GB"}"#, "'maxMemory' in the extras is '2GB'"),
            (#"{"maxActiveGenerations":0}"#, "'maxActiveGenerations' in the extras is 0; expected a whole number, 1"),
            (#"{"maxActiveGenerations":1.5}"#, "'maxActiveGenerations' in the extras is a number"),
            (#"{"maxQueuedGenerations":-1}"#, "'maxQueuedGenerations' in the extras is -1; expected a whole number, 0"),
            (
                #"{"sharedStepMilliseconds":0}"#,
                "'sharedStepMilliseconds' in the extras is 0; expected a whole number of"
            ),
            (#"{"maxQueuedGenerations":null}"#, "'maxQueuedGenerations' in the extras is"),
            (
                #"{"schedule":"fair"}"#,
                "'schedule' in the extras is 'fair'; expected one of 'latency', 'balanced', 'throughput'"
            ),
        ] {
            let error = #expect(throws: LeapModelLoadingException.self) { try LoadExtras(extras) }
            #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
        }
    }

    @Test("sharedStepMilliseconds is the engine's, which takes more of the prompts then")
    func sharedStep() throws {
        var options = EngineOptions()
        try LoadExtras("{}").apply(to: &options)
        #expect(options.sharedStepSeconds == nil && options.schedule == .balanced)
        try LoadExtras(#"{"sharedStepMilliseconds":1000}"#).apply(to: &options)
        #expect(options.sharedStepSeconds == 1)
    }

    @Test("The schedule is the engine's, by its name, and that of others where a request for a model has none")
    func schedule() throws {
        for schedule in SchedulingPolicy.allCases {
            var options = EngineOptions()
            let extras = try LoadExtras(#"{"schedule":"\#(schedule.rawValue)"}"#)
            extras.apply(to: &options)
            #expect(options.schedule == schedule && LoadExtras().filled(from: extras).schedule == schedule)
        }
        var others = LoadExtras()
        others.schedule = .latency
        #expect(try LoadExtras(#"{"schedule":"throughput"}"#).filled(from: others).schedule == .throughput)
    }

    @Test(
        "A prompt that needs more than maxMemory is refused with the numbers; the others get the text they get without a limit"
    )
    func maxMemory() async throws {
        let plain = try await load("{}")
        let expected = try await reply(plain, "Tell me of the sea.")
        // Enough for a short conversation, and for scratch memory.
        let limit = plain.statistics.memoryBytes * 2
        await plain.unload()
        let runner = try await load(#"{"maxMemory":\#(limit)}"#)
        async let short = reply(runner, "Tell me of the sea.")
        let long = String(repeating: "The fox runs over the hill. ", count: 300)
        let conversation = runner.createConversation(systemPrompt: nil)
        let error = await #expect(throws: LeapGenerationMemoryException.self) {
            _ = try await reply(runner, long, in: conversation)
        }
        #expect(try await short == expected)
        #expect(error?.message.contains("maxMemory") == true && error?.message.contains("\(limit)") == true)
        #expect(error?.neededBytes ?? 0 > error?.availableBytes ?? .max)
        // The message that got no answer is out of the history again, and the conversation goes on.
        #expect(conversation.history.isEmpty)
        #expect(try await reply(runner, "Tell me of the sea.", in: conversation) == expected)
        #expect(runner.statistics.memoryBytes <= limit)
    }

    @Test("Where memory is short, conversations that wait for their user give theirs up, and go on with the same text")
    func idleConversations() async throws {
        let plain = try await load("{}")
        let messages = ["Tell me of the sea.", "And of the hills?", "Why?"]
        var expected: [String] = []
        let talk = plain.createConversation(systemPrompt: nil)
        for message in messages { expected.append(try await reply(plain, message, in: talk)) }
        let limit = plain.statistics.memoryBytes * 2
        await plain.unload()
        let runner = try await load(
            #"{"maxMemory":\#(limit)}"#, cache: LiquidCacheOptions(path: "", enabled: true))
        let talks = (0..<12).map { _ in runner.createConversation(systemPrompt: nil) }
        for (turn, message) in messages.enumerated() {
            for talk in talks { #expect(try await reply(runner, message, in: talk) == expected[turn]) }
            #expect(runner.statistics.memoryBytes <= limit)
        }
        #expect(runner.statistics.cacheEvictions > 0)
    }

    @Test("No more generations run than maxActiveGenerations, and no more wait than maxQueuedGenerations")
    func maxQueue() async throws {
        let runner = try await load(#"{"maxActiveGenerations":1,"maxQueuedGenerations":2}"#)
        let talks = (0..<4).map { _ in runner.createConversation(systemPrompt: nil) }
        let streams = talks.map {
            $0.generateResponse(userTextMessage: "Hi", generationOptions: Self.endless)
        }
        try await withThrowingTaskGroup(of: (any Error)?.self) { group in
            for stream in streams {
                group.addTask {
                    do {
                        for try await _ in stream {}
                        return nil
                    } catch { return error }
                }
            }
            // Whichever came last is refused, long before one of the others could end.
            let error = try #require(try await group.next() as? LeapGenerationQueueFullException)
            #expect(error.message.contains("maxQueuedGenerations"))
            #expect(runner.statistics.activeGenerations == 1)
            #expect(runner.statistics.metrics["leap_generations_refused_total"] == 1)
            #expect(runner.statistics.metrics["leap_generations_queued"] == 2)
            group.cancelAll()
            for try await error in group { #expect(error == nil) }
        }
        // A message that was refused is taken out again.
        #expect(talks.filter { $0.history.isEmpty }.count == 1)
        try await until { runner.statistics.queuedGenerations == 0 && runner.statistics.activeGenerations == 0 }
        #expect(try await reply(runner, "Hi").isEmpty == false)
    }

    /// A reply that does not come to its end within a test.
    private static let endless = GenerationOptions(temperature: 0, extras: #"{"regex": "[a-z ]{3000}"}"#)

    /// Waits for something that must come; the limit is only for what never does.
    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<60_000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        #expect(condition())
    }

    @Test("Hits, misses and bytes of the cache are counted, in memory and on disk")
    func cacheFigures() async throws {
        let folder = try TemporaryFolder()
        let system = String(repeating: "The fox runs over the hill. ", count: 15)
        func ask(_ runner: LiquidInferenceEngineRunner, _ system: String) async throws {
            _ = try await runner.createConversation(systemPrompt: system).generateResponse(
                userTextMessage: "Hi", generationOptions: Self.options(1)
            ).collect()
        }
        let cache = LiquidCacheOptions.enabled(path: folder.url.path)
        let runner = try await load("{}", cache: cache)
        for _ in 0..<3 { try await ask(runner, system) }
        var statistics = runner.statistics
        #expect(statistics.cacheMisses == 1 && statistics.cacheHits == 2 && statistics.diskCacheHits == 0)
        #expect(statistics.cacheBytes > 0 && statistics.cacheBytes < statistics.memoryBytes)
        await runner.unload()
        statistics = runner.statistics
        #expect(statistics.cacheBytes == 0)
        #expect(statistics.diskCacheBytes == Int(PrefixFolder(folder.url.path).summary().bytes))
        let next = try await load("{}", cache: cache)
        for _ in 0..<2 { try await ask(next, system) }
        try await ask(next, "Something else.")
        let metrics = next.statistics.metrics
        #expect(metrics["leap_cache_disk_hits_total"] == 1 && metrics["leap_cache_hits_total"] == 1)
        await next.unload()
        let without = try await load("{}")
        for _ in 0..<2 { try await ask(without, system) }
        #expect(without.statistics.cacheMisses == 0 && without.statistics.cacheHits == 0)
    }

    @Test("A runner that is let go of while it generates lives until the reply is complete, and is then gone")
    func released() async throws {
        weak var released: LiquidInferenceEngineRunner?
        let stream: AsyncThrowingStream<MessageResponse, any Error>
        do {
            let runner = try await load("{}")
            released = runner
            stream = runner.createConversation(systemPrompt: nil).generateResponse(
                userTextMessage: "Tell me of the sea.", generationOptions: Self.options(30))
        }
        #expect(try await stream.collect().completion?.stats?.completionTokens ?? 0 > 0)
        for _ in 0..<24_000 where released != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(released == nil)
    }

    @Test("A runner that is let go of together with the stream stops and is gone")
    func releasedWithStream() async throws {
        weak var released: LiquidInferenceEngineRunner?
        do {
            let runner = try await load("{}")
            released = runner
            for try await response in runner.createConversation(systemPrompt: nil).generateResponse(
                userTextMessage: "Count.", generationOptions: Self.endless)
            {
                if case .chunk = response { break }
            }
        }
        for _ in 0..<24_000 where released != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(released == nil)
    }

    @Test("A conversation that is used after unload() says so, whatever waited then")
    func unloaded() async throws {
        let runner = try await load(#"{"maxActiveGenerations":1}"#)
        let talks = (0..<3).map { _ in runner.createConversation(systemPrompt: nil) }
        let streams = talks.map {
            $0.generateResponse(userTextMessage: "Count.", generationOptions: Self.endless)
        }
        try await until { runner.statistics.queuedGenerations == 2 }
        await runner.unload()
        for stream in streams { #expect(try await stream.collect().completion?.finishReason == .interrupted) }
        for talk in talks {
            let error = await #expect(throws: LeapGenerationException.self) {
                _ = try await reply(runner, "Again", in: talk)
            }
            #expect(error?.message.contains("was unloaded") == true)
        }
        #expect(runner.statistics.queuedGenerations == 0 && runner.statistics.activeGenerations == 0)
    }
}
