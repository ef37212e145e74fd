import Foundation
import LeapBase
import LeapJSON
import LeapSDK
import LeapTestSupport
import LeapTestTraits
import MisbehavingServer
import Testing

@testable import LeapHybrid

/// One conversation over two sides.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct HybridRouterTests {
    @Test("Rules choose the side of each reply, and both sides are told the whole history")
    func rules() async throws {
        let server = try Server { _ in HybridSupport.reply("From", " afar.") }
        defer { server.stop() }
        let device = try await HybridSupport.device()
        let marked = RoutingRule("marked") { $0.messages.last?.text.hasPrefix("!") == true ? .cloud : nil }
        let router = HybridRouter(
            device: device, cloud: HybridSupport.cloud(server), rules: [marked, .functions(to: .cloud), .contextSize])
        let conversation = router.createConversation(systemPrompt: "You are a helpful assistant.")
        #expect(conversation.lastRoute == nil)
        let first = try await Delivered(
            conversation.generateResponse(
                userTextMessage: "What is the capital of Portugal?", generationOptions: HybridSupport.brief))
        #expect(!first.text.isEmpty && (first.completion?.stats?.completionTokens ?? 0) > 0)
        #expect(conversation.lastRoute?.side == .device && conversation.lastRoute?.reason == "otherwise")
        #expect(server.requests.isEmpty)
        let second = try await Delivered(conversation.generateResponse(userTextMessage: "!Are you sure?"))
        #expect(second.text == "From afar.")
        #expect(conversation.lastRoute?.side == .cloud && conversation.lastRoute?.reason == "marked")
        #expect(try server.requests.last?.json()["messages"] == .array(conversation.history.dropLast().map(\.json)))
        let third = try await Delivered(
            conversation.generateResponse(userTextMessage: "And of Spain?", generationOptions: HybridSupport.brief))
        #expect(conversation.lastRoute?.side == .device)
        #expect((third.completion?.stats?.reusedPromptTokens ?? 0) > 10, "the device goes on with what it has computed")
        #expect(conversation.history.map(\.role) == [.system, .user, .assistant, .user, .assistant, .user, .assistant])
        conversation.registerFunction(LeapFunction(name: "f", description: "d", parameters: []))
        _ = try await Delivered(conversation.generateResponse(userTextMessage: "Call."))
        #expect(conversation.lastRoute?.reason == "functions")
        #expect(try server.requests.last?.json()["tools"]?.array?.count == 1)
        // What the device writes is what it would have written alone.
        let alone = device.createConversationFromHistory(history: Array(conversation.history.prefix(5)))
        let same = try await Delivered(
            alone.generateResponse(userTextMessage: "And of Spain?", generationOptions: HybridSupport.brief))
        #expect(same.text == third.text)
    }

    @Test("Long prompts go to the cloud by their tokens")
    func promptTokens() async throws {
        let server = try Server { _ in HybridSupport.reply("ok") }
        defer { server.stop() }
        let device = try await HybridSupport.device(contextSize: 256)
        let router = HybridRouter(device: device, cloud: HybridSupport.cloud(server), rules: [.promptTokens(over: 100)])
        let conversation = router.createConversation(systemPrompt: nil)
        _ = try await Delivered(
            conversation.generateResponse(userTextMessage: "Hi", generationOptions: HybridSupport.brief))
        #expect(conversation.lastRoute?.side == .device)
        let long = String(repeating: "word ", count: 150)
        _ = try await Delivered(conversation.generateResponse(userTextMessage: long))
        #expect(conversation.lastRoute?.reason == "promptTokens")
        let fitting = HybridRouter(device: device, cloud: HybridSupport.cloud(server)).createConversation(
            systemPrompt: nil)
        _ = try await Delivered(
            fitting.generateResponse(userTextMessage: "Hi", generationOptions: GenerationOptions(maxTokens: 250)))
        #expect(fitting.lastRoute?.reason == "contextSize")
    }

    @Test("Where the cloud cannot be reached the device answers, and where the device fails the cloud does")
    func fallback() async throws {
        let server = try Server { request in
            request.index == 0 ? Reply.text("{}", status: 503) : HybridSupport.reply("from afar")
        }
        defer { server.stop() }
        let device = try await HybridSupport.device(contextSize: 128)
        let toCloud = HybridRouter(device: device, cloud: HybridSupport.cloud(server), rules: [], otherwise: .cloud)
            .createConversation(systemPrompt: nil)
        let first = try await Delivered(
            toCloud.generateResponse(userTextMessage: "Hi", generationOptions: HybridSupport.brief))
        #expect(!first.text.isEmpty && first.text != "from afar")
        #expect(toCloud.lastRoute?.side == .device && toCloud.lastRoute?.reason == "fallback")
        #expect((toCloud.lastRoute?.failure as? LeapException)?.cause is OpenAiClientError)
        #expect(toCloud.history.map(\.role) == [.user, .assistant])
        // The prompt does not fit into the device's context.
        let long = String(repeating: "word ", count: 150)
        let toDevice = HybridRouter(device: device, cloud: HybridSupport.cloud(server), rules: [])
            .createConversation(systemPrompt: nil)
        #expect(try await Delivered(toDevice.generateResponse(userTextMessage: long)).text == "from afar")
        #expect(toDevice.lastRoute?.failure is LeapGenerationPromptExceedContextLengthException)
        #expect(toDevice.history.map(\.role) == [.user, .assistant])
        // Unless the app wants nothing sent.
        let count = server.requests.count
        let atHome = HybridRouter(device: device, cloud: HybridSupport.cloud(server), rules: [], fallsBack: [.device])
            .createConversation(systemPrompt: nil)
        await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            _ = try await Delivered(atHome.generateResponse(userTextMessage: long))
        }
        #expect(server.requests.count == count && atHome.history.isEmpty)
        await device.unload()
        #expect(try await Delivered(toDevice.generateResponse(userTextMessage: "Hi")).text == "from afar")
    }

    @Test("After the first piece nothing falls back, and the error is the app's")
    func late() async throws {
        let server = try Server { _ in HybridSupport.reply("one", "two").with { $0.closesAfter = 60 } }
        defer { server.stop() }
        let router = HybridRouter(
            device: try await HybridSupport.device(), cloud: HybridSupport.cloud(server), rules: [], otherwise: .cloud)
        let conversation = router.createConversation(systemPrompt: nil)
        var text = ""
        do {
            for try await response in conversation.generateResponse(userTextMessage: "x") {
                if case .chunk(let piece) = response { text += piece }
            }
            Issue.record("no error")
        } catch let error as LeapGenerationException {
            #expect((error.cause as? OpenAiClientError)?.code == .incomplete)
        }
        #expect(text == "one" && conversation.lastRoute?.side == .cloud && conversation.history.map(\.role) == [.user])
    }

    @Test("A reply is cancelled on either side, and the conversation goes on", arguments: ModelSide.allCases)
    func cancellation(side: ModelSide) async throws {
        let server = try Server { _ in HybridSupport.reply("one", "two", "three").with { $0.stallsAfter = 55 } }
        defer { server.stop() }
        let first = Locked(true)
        let rule = RoutingRule("first") { _ in
            first.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? side : .device
            }
        }
        let router = HybridRouter(
            device: try await HybridSupport.device(), cloud: HybridSupport.cloud(server), rules: [rule])
        let conversation = router.createConversation(systemPrompt: nil)
        let (begun, signal) = AsyncStream<Void>.makeStream()
        // The device's reply would not end by itself; the endpoint's stalls.
        let options = GenerationOptions(extras: side == .device ? #"{"regex": "[a-z ]{3000}"}"# : nil)
        let task = Task {
            var completion: MessageCompletion?
            for try await response in conversation.generateResponse(
                userTextMessage: "Tell me a story about a fox.", generationOptions: options)
            {
                if case .chunk = response { signal.yield() }
                if case .complete(let end) = response { completion = end }
            }
            return completion
        }
        for await _ in begun { break }
        task.cancel()
        #expect(try await task.value?.finishReason == .interrupted)
        #expect(conversation.history.count == 1 && !conversation.isGenerating && conversation.lastRoute?.side == side)
        let next = try await Delivered(
            conversation.generateResponse(userTextMessage: "Go on.", generationOptions: HybridSupport.brief))
        #expect(next.completion != nil && conversation.lastRoute?.side == .device)
        #expect(conversation.history.count == 3)
    }
}
