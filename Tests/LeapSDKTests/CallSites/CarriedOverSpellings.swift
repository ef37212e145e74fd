import LeapDemoModel
import LeapSDK
import Testing

// Spellings of the Kotlin-based versions: they compile, and the compiler names the plain Swift spelling. The functions
// are deprecated themselves, so that the warnings stay out of the build; the tests call them through a protocol for the
// same reason.

private protocol CarriedOver {
    func payloadNames(_ responses: [MessageResponse]) -> [String]
    func arrayConversions(_ samples: [Float], _ file: Data) -> ([Float], Data)
    func flows(_ conversation: Conversation) async throws -> Int
    func parts(_ file: Data, _ samples: [Float]) throws -> [ChatMessage]
    func partNames(_ message: ChatMessage) -> [String]
    func statusProgress(_ status: ModelDownloadStatus) -> Double
    func serialize(_ conversation: Conversation) throws -> [Data]
}

private struct CarriedOverSpellings: CarriedOver {
    @available(*, deprecated)
    func payloadNames(_ responses: [MessageResponse]) -> [String] {
        func name(_ payload: MessageResponseChunk) -> String { payload.text }
        func name(_ payload: MessageResponseReasoningChunk) -> String { payload.reasoning }
        func name(_ payload: MessageResponseFunctionCalls) -> String { payload.functionCalls[0].name }
        func name(_ payload: MessageResponseAudioSample) -> String { "\(payload.samples.toFloatArray().count)" }
        func finish(with completion: MessageResponseComplete) -> String { completion.fullMessage.text }
        return responses.map { response in
            switch onEnum(of: response) {
            case .chunk(let payload): name(payload)
            case .reasoningChunk(let payload): name(payload)
            case .functionCalls(let payload): name(payload)
            case .audioSample(let payload): name(payload)
            case .complete(let payload): finish(with: payload)
            }
        }
    }

    @available(*, deprecated)
    func arrayConversions(_ samples: [Float], _ file: Data) -> ([Float], Data) {
        let bytes = LeapSDK.ArrayConversionsKt.floatArrayToNSData(array: samples)
        let floats = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let back = ArrayConversionsKt.nsDataToFloatArray(data: bytes)
        let boxed = ArrayConversionsKt.nsDataToFloatArray(data: NSData(data: bytes))
        return (floats == back && back == boxed ? back.toFloatArray() : [], file.toData())
    }

    @available(*, deprecated)
    func flows(_ conversation: Conversation) async throws -> Int {
        let rawFlow: Any = conversation.generateResponse(
            message: ChatMessage(role: .user, textContent: "Hello"),
            generationOptions: GenerationOptions().with(maxTokens: 2))
        var count = 0
        for try await _ in rawFlow as! SkieSwiftFlow<MessageResponse> { count += 1 }
        return count
    }

    @available(*, deprecated)
    func parts(_ file: Data, _ samples: [Float]) throws -> [ChatMessage] {
        [
            ChatMessage(
                role: .user,
                content: [ChatMessageContent.Text(text: "Which ship?"), ChatMessageContent.Image(data: file)]),
            ChatMessage(role: .user, content: [.text("Which ship?"), ChatMessageContent.Image.fromJPEGData(file)]),
            ChatMessage(
                role: .user,
                content: [ChatMessageContent.Text(text: "Say it again?"), ChatMessageContent.Audio(data: Data([1]))]),
            ChatMessage(
                role: .user,
                content: [.text("Say it again?"), ChatMessageContent.AudioPcmF32(samples, sampleRate: 16000)]),
            ChatMessage(role: .user, content: [ChatMessageContent.AudioPcmF32(samples: samples, sampleRate: 16000)]),
        ]
    }

    @available(*, deprecated)
    func partNames(_ message: ChatMessage) -> [String] {
        func name(_ part: ChatMessageContent.Text) -> String { part.text }
        func name(_ part: ChatMessageContent.Image) -> String { "image of \(part.data.toData().count) bytes" }
        func name(_ part: ChatMessageContent.Audio) -> String { "audio of \(part.data.toData().count) bytes" }
        return message.content.map { part in
            switch onEnum(of: part) {
            case .text(let part): name(part)
            case .image(let part): name(part)
            case .audio(let part): name(part)
            }
        }
    }

    @available(*, deprecated)
    func statusProgress(_ status: ModelDownloadStatus) -> Double { status.progress }

    @available(*, deprecated)
    func serialize(_ conversation: Conversation) throws -> [Data] {
        let payload = conversation.exportToJSON()
        return [
            try JSONSerialization.data(withJSONObject: conversation.exportToJSON()),
            try JSONSerialization.data(withJSONObject: payload, options: []),
            try JSONSerialization.data(withJSONObject: payload, options: [.prettyPrinted, .sortedKeys]),
        ]
    }
}

struct CarriedOverSpellingTests {
    private let spellings: any CarriedOver = CarriedOverSpellings()

    @Test("Payloads have the names of the Kotlin-based versions")
    func payloads() {
        let message = ChatMessage(role: .assistant, textContent: "done")
        let names = spellings.payloadNames([
            .chunk("a"), .reasoningChunk("b"), .functionCall([LeapFunctionCall(name: "c", arguments: [:])]),
            .audioSample(samples: [0, 1], sampleRate: 24000),
            .complete(MessageCompletion(message: message, finishReason: .stop)),
        ])
        #expect(names == ["a", "b", "c", "2", "done"])
    }

    @Test("Arrays convert to what they are already")
    func arrays() {
        let (samples, bytes) = spellings.arrayConversions([0, -1, 0.5], Data([1, 2, 3]))
        #expect(samples == [0, -1, 0.5] && bytes == Data([1, 2, 3]))
    }

    @Test("A stream casts to the older name of its type")
    func flows() async throws {
        let runner = try await DemoModel.runner.value
        #expect(try await spellings.flows(runner.createConversation(systemPrompt: nil)) >= 1)
    }

    @Test("Parts of messages can be types of their own")
    func parts() throws {
        let messages = try spellings.parts(Data([1, 2]), [0, 0.5])
        #expect(messages[0] == messages[1])
        #expect(messages[0].content == [.text("Which ship?"), .image(Data([1, 2]))])
        #expect(messages[3].content[1] == messages[4].content[0])
        #expect(spellings.partNames(messages[0]) == ["Which ship?", "image of 2 bytes"])
        #expect(spellings.partNames(messages[2]).last == "audio of 1 bytes")
    }

    @Test("A status has its progress")
    func progress() {
        #expect(
            [.notOnLocal, .downloadInProgress(progress: 0.25), .downloaded].map(spellings.statusProgress) == [
                0, 0.25, 1,
            ])
    }

    @Test("JSONSerialization takes what exportToJSON() gives without an annotation")
    func serialization() async throws {
        let conversation = try await DemoModel.runner.value.createConversationFromHistory(
            history: [ChatMessage(role: .user, textContent: "Hello"), ChatMessage(role: .assistant, textContent: "Hi")])
        let expected: [[String: Any]] = try conversation.exportToJSON()
        for data in try spellings.serialize(conversation) {
            let value = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
            #expect(value.map { $0["content"] as? String } == expected.map { $0["content"] as? String })
        }
    }
}
