import Foundation
import LeapBase
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// Conversations over pictures that messages name by their addresses.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct ImageAddressTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/vision")
    private static let address = "https://example.org/a.png?key=secret"
    private static let file = Data(PNGFile.pattern(width: 64, height: 64))

    /// The pictures of the web, and what was asked of it.
    private final class Web: Sendable {
        let asked = Locked<[String]>([])
        let pictures: [String: Data]
        init(_ pictures: [String: Data] = [ImageAddressTests.address: ImageAddressTests.file]) {
            self.pictures = pictures
        }

        var fetch: AddressedImages.Fetch {
            { [self] address, maxBytes, accepts in
                asked.withLock { $0.append(address) }
                guard let data = pictures[address] else { throw LeapException("\(address): not there") }
                guard data.count <= maxBytes, accepts(Array(data.prefix(16))) else { throw LeapException("refused") }
                return data
            }
        }
    }

    /// The vision model, with pictures from a web.
    private static func runner(
        _ web: Web?, contextSize: UInt32? = nil, extras: String? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        let path = folder.appending(path: "vision.gguf").path
        let loaded = try await Leap.load(
            url: URL(fileURLWithPath: path),
            options: LiquidInferenceEngineOptions(
                bundlePath: path, cpuThreads: 2, contextSize: contextSize, extras: extras))
        let runner = try #require(loaded as? LiquidInferenceEngineRunner)
        return LiquidInferenceEngineRunner(
            files: runner.files, backend: runner.backend, builder: try runner.promptSource().builder,
            sampling: runner.sampling,
            addressedImages: AddressedImages(maxBytes: runner.addressedImages.maxBytes, fetch: web?.fetch))
    }

    private static func reply(
        _ conversation: any Conversation, _ content: [ChatMessageContent]
    ) async throws -> MessageCompletion {
        let options = GenerationOptions().with(maxTokens: 6).with(temperature: 0)
        for try await response in conversation.generateResponse(
            message: ChatMessage(role: .user, content: content), generationOptions: options)
        {
            if case .complete(let completion) = response { return completion }
        }
        throw LeapGenerationException("no completion")
    }

    @Test("A picture at an address is fetched once, and the history has its bytes from then on")
    func fetchedOnce() async throws {
        let web = Web()
        let conversation = try await Self.runner(web).createConversation(systemPrompt: nil)
        let first = try await Self.reply(
            conversation, [.image(url: Self.address), .text("and"), .image(url: Self.address), .text("What?")])
        _ = try await Self.reply(conversation, [.text("And now?")])
        #expect(web.asked.withLock { $0 } == [Self.address])
        #expect(conversation.history[0].pictures == [Self.file, Self.file])
        #expect(conversation.history.count == 4)
        let same = try await Self.runner(nil).createConversation(systemPrompt: nil)
        let other = try await Self.reply(
            same, [.image(Self.file), .text("and"), .image(Self.file), .text("What?")])
        #expect(first.message == other.message)
    }

    @Test("What cannot be fetched is an error that names the address without its query, and is not kept")
    func unreachable() async throws {
        let conversation = try await Self.runner(Web([:])).createConversation(systemPrompt: nil)
        let error = await #expect(throws: LeapGenerationException.self) {
            try await Self.reply(conversation, [.image(url: "https://example.org/b.png"), .text("What?")])
        }
        #expect(error?.message.contains("https://example.org/b.png") == true)
        #expect(error?.isOfRequest == true)
        #expect(conversation.history.isEmpty)
        let page = Web(["https://example.org/": Data("<html> and more than 16 bytes".utf8)])
        let second = try await Self.runner(page).createConversation(systemPrompt: nil)
        await #expect(throws: LeapGenerationException.self) {
            try await Self.reply(second, [.image(url: "https://example.org/")])
        }
    }

    @Test("A message whose picture was fetched is not kept either where its reply does not begin")
    func notStarted() async throws {
        let web = Web()
        let conversation = try await Self.runner(web, contextSize: 40).createConversation(systemPrompt: nil)
        await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await Self.reply(conversation, [.image(url: Self.address), .text("What?")])
        }
        #expect(web.asked.withLock { $0.count } == 1)
        #expect(conversation.history.isEmpty)
    }

    @Test(
        "Without a fetcher, with more addresses than are fetched, and for a model without a projector nothing is asked")
    func notAsked() async throws {
        let none = try await Self.runner(nil).createConversation(systemPrompt: nil)
        let error = await #expect(throws: LeapGenerationException.self) {
            try await Self.reply(none, [.image(url: Self.address)])
        }
        #expect(error?.message.contains("import LeapSDK") == true && error?.message.contains("secret") == false)

        let addresses = (0...AddressedImages.maxCount).map { "https://example.org/\($0).png" }
        let web = Web(Dictionary(uniqueKeysWithValues: addresses.map { ($0, Self.file) }))
        let many = try await Self.runner(web).createConversation(systemPrompt: nil)
        let second = await #expect(throws: LeapGenerationException.self) {
            try await Self.reply(many, addresses.map { .image(url: $0) })
        }
        #expect(second?.message.contains("at most 32") == true)
        #expect(many.history.isEmpty)
    }

    @Test("maxRemoteImageBytes bounds each picture, and 0 fetches none")
    func maxBytes() async throws {
        let size = Self.file.count
        for (limit, works) in [(size, true), (size - 1, false), (0, false)] {
            let web = Web()
            let runner = try await Self.runner(web, extras: #"{"maxRemoteImageBytes": \#(limit)}"#)
            let conversation = runner.createConversation(systemPrompt: nil)
            if works {
                #expect(try await Self.reply(conversation, [.image(url: Self.address)]).stats != nil)
            } else {
                await #expect(throws: LeapGenerationException.self) {
                    try await Self.reply(conversation, [.image(url: Self.address)])
                }
            }
            #expect(web.asked.withLock { $0.count } == (limit == 0 ? 0 : 1))
        }
        for value in ["-1", "1e12", "true"] {
            await #expect(throws: LeapModelLoadingException.self) {
                try await Self.runner(nil, extras: #"{"maxRemoteImageBytes": \#(value)}"#)
            }
        }
    }

    @Test("Stopping ends a fetch, and the reply is interrupted")
    func stopped() async throws {
        let asked = OneWaySwitch()
        let cancelled = OneWaySwitch()
        let fetch: AddressedImages.Fetch = { _, _, _ in
            asked.set()
            do {
                try await Task.sleep(for: .seconds(36_000))
            } catch {
                cancelled.set()
                throw error
            }
            return Data()
        }
        let loaded = try await Self.runner(nil)
        let runner = LiquidInferenceEngineRunner(
            files: loaded.files, backend: loaded.backend, builder: try loaded.promptSource().builder,
            sampling: loaded.sampling, addressedImages: AddressedImages(fetch: fetch))
        let conversation = runner.createConversation(systemPrompt: nil)
        let (stream, continuation) = AsyncStream<MessageResponse>.makeStream()
        let handler = conversation.generateResponse(
            message: ChatMessage(role: .user, content: [.image(url: Self.address)]), generationOptions: nil
        ) { continuation.yield($0) }
        while !asked.isSet { try await Task.sleep(for: .milliseconds(5)) }
        handler?.stop()
        for await response in stream {
            guard case .complete(let completion) = response else { continue }
            #expect(completion.finishReason == .interrupted)
            break
        }
        while !cancelled.isSet { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("Tokens of a prompt with a picture at an address are counted")
    func counted() async throws {
        let web = Web()
        let runner = try await Self.runner(web)
        let message = ChatMessage(role: .user, content: [.image(url: Self.address)])
        #expect(await runner.getPromptTokensSize(messages: [message], addBosToken: true) > 64)
    }
}
