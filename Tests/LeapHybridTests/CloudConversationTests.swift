import Foundation
import LeapBase
import LeapJSON
import LeapSDK
import LeapTestSupport
import LeapTestTraits
import MisbehavingServer
import Testing

@testable import LeapHybrid

/// Conversations with a model behind an endpoint are like those with one on the device.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct CloudConversationTests {
    @Test("Pieces, completion, history and statistics are those of every conversation")
    func reply() async throws {
        let server = try Server { _ in HybridSupport.reply("Tō", "kyō.") }
        defer { server.stop() }
        let runner = HybridSupport.cloud(server)
        let conversation = runner.createConversation(systemPrompt: "Be brief.")
        let first = try await Delivered(conversation.generateResponse(userTextMessage: "Capital of Japan?"))
        #expect(first.text == "Tōkyō." && first.completion?.finishReason == .stop)
        #expect(first.completion?.stats?.promptTokens == 6 && first.completion?.stats?.cachedPromptTokens == 3)
        #expect(first.completion?.stats?.completionTokens == 4)
        #expect(conversation.history.map(\.role) == [.system, .user, .assistant] && !conversation.isGenerating)
        #expect(conversation.history.last == first.completion?.message)
        _ = try await Delivered(conversation.generateResponse(userTextMessage: "And now?"))
        let sent = try #require(server.requests.last?.json()["messages"])
        #expect(sent == .array(conversation.history.dropLast().map(\.json)))
        #expect(runner.statistics.generations == 2 && runner.statistics.generatedTokens == 8)
        let again = try await Delivered(conversation.regenerateResponse())
        #expect(again.text == "Tōkyō." && conversation.history.count == 5)
        #expect(try ChatMessage.messages(fromJSON: conversation.exportToJSON()) == conversation.history)
    }

    @Test(
        "Options are sent by their names; what an endpoint does not know is logged, or refused where it would not hold")
    func options() async throws {
        let server = try Server { _ in HybridSupport.reply("{}") }
        defer { server.stop() }
        let options = GenerationOptions(
            temperature: 0.5, topP: 0.25, minP: 0.125, repetitionPenalty: 1.5, topK: 7, rngSeed: 3,
            jsonSchemaConstraint: "{\"type\":\"object\"}", maxTokens: 9, enableThinking: true,
            extras: "{\"stop\":[\"b\"],\"frequencyPenalty\":0.5,\"adapters\":[],\"toolChoice\":\"f\"}")
        options.stopSequences = ["a"]
        func body(_ runner: CloudModelRunner) async throws -> JSONValue {
            let conversation = runner.createConversation(systemPrompt: nil)
            conversation.registerFunction(LeapFunction(name: "f", description: "d", parameters: []))
            _ = try await Delivered(
                conversation.generateResponse(message: .init(role: .user, textContent: "x"), generationOptions: options)
            )
            return try #require(server.requests.last).json()
        }
        let lines = try await CapturedLog.lines {
            let plain = try await body(HybridSupport.cloud(server))
            #expect(
                plain["temperature"]?.double == 0.5 && plain["top_p"]?.double == 0.25 && plain["seed"]?.integer == 3)
            #expect(plain["max_completion_tokens"]?.integer == 9 && plain["stop"] == .array(["a", "b"]))
            #expect(plain["frequency_penalty"]?.double == 0.5)
            #expect(plain["response_format"]?["json_schema"]?["schema"]?["type"] == "object")
            #expect(plain["tools"]?.array?.first?["function"]?["name"] == "f")
            #expect(plain["tool_choice"]?["function"]?["name"] == "f")
            for name in ["top_k", "min_p", "repetition_penalty", "chat_template_kwargs", "adapters"] {
                #expect(plain[name] == nil, "\(name)")
            }
        }
        #expect(lines.contains { $0.contains("topK, minP, repetitionPenalty, enableThinking, adapters") })
        let extended = try await body(HybridSupport.cloud(server, isExtended: true))
        #expect(extended["top_k"]?.integer == 7 && extended["min_p"]?.double == 0.125)
        #expect(extended["repetition_penalty"]?.double == 1.5)
        #expect(extended["chat_template_kwargs"]?["enable_thinking"] == .bool(true))
        let pattern = GenerationOptions(extras: "{\"regex\":\"a+\"}")
        let count = server.requests.count
        await #expect(throws: LeapGenerationException.self) {
            _ = try await Delivered(
                HybridSupport.cloud(server).createConversation(systemPrompt: nil)
                    .generateResponse(userTextMessage: "x", generationOptions: pattern))
        }
        #expect(server.requests.count == count)
        _ = try await Delivered(
            HybridSupport.cloud(server, isExtended: true).createConversation(systemPrompt: nil)
                .generateResponse(userTextMessage: "x", generationOptions: pattern))
        #expect(try server.requests.last?.json()["regex"] == "a+")
    }

    @Test("Reasoning and calls arrive as events; calls that do not fit say so, and half a call stays text")
    func calls() async throws {
        let pieces = [
            "{\"reasoning_content\":\"Hm\"}",
            "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"n\\\"\"}}]}",
            "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":1}\"}},{\"index\":1,\"id\":\"c2\",\"function\":{\"name\":\"g\",\"arguments\":\"\"}}]}",
            "{\"tool_calls\":[{\"index\":2,\"id\":\"c3\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"n\\\":\"}}]}",
        ]
        let text =
            pieces.map { "data: {\"choices\":[{\"delta\":\($0)}]}\n\n" }.joined()
            + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n"
        let server = try Server { _ in Reply.text(text, fields: [("Content-Type", "text/event-stream")]) }
        defer { server.stop() }
        let conversation = HybridSupport.cloud(server).createConversation(systemPrompt: nil)
        conversation.registerFunction(
            LeapFunction(
                name: "f", description: "d",
                parameters: [LeapFunctionParameter(name: "n", type: .integer(IntegerType()), description: "")]))
        let reply = try await Delivered(conversation.generateResponse(userTextMessage: "x"))
        #expect(
            reply.reasoning == "Hm" && reply.calls.map(\.name) == ["f", "g"] && reply.calls.map(\.id) == ["c1", "c2"])
        #expect(reply.calls[0].issue == nil && reply.calls[1].issue?.contains("no function named 'g'") == true)
        #expect(reply.text == "f({\"n\":)" && reply.completion?.finishReason == .exceedContext)
        #expect(reply.completion?.issues.map(\.kind) == [.invalidFunctionCall, .incompleteFunctionCall])
        #expect(
            conversation.history.last?.functionCalls?.count == 2 && conversation.history.last?.reasoningContent == "Hm")
        let inline = GenerationOptions(inlineThinkingTags: true)
        let kept = try await Delivered(
            HybridSupport.cloud(server).createConversation(systemPrompt: nil)
                .generateResponse(userTextMessage: "x", generationOptions: inline))
        #expect(kept.text.hasPrefix("<think>Hm"))
    }

    @Test("An error before the first piece leaves the history as it was, and has the client's error as its cause")
    func failure() async throws {
        let server = try Server { request in
            Reply.text(
                "{\"error\":{\"message\":\"no\",\"code\":\"context_length_exceeded\"}}",
                status: request.index == 0 ? 401 : 400)
        }
        defer { server.stop() }
        let conversation = HybridSupport.cloud(server).createConversation(systemPrompt: "s")
        let error = await #expect(throws: LeapGenerationException.self) {
            _ = try await Delivered(conversation.generateResponse(userTextMessage: "x"))
        }
        #expect((error?.cause as? OpenAiClientError)?.code == .accessDenied)
        await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            _ = try await Delivered(conversation.generateResponse(userTextMessage: "x"))
        }
        #expect(conversation.history.map(\.role) == [.system] && !conversation.isGenerating)
    }

    @Test("An error after the first piece keeps the question, and no reply")
    func lateFailure() async throws {
        let server = try Server { _ in
            HybridSupport.reply("a", "b").with { $0.closesAfter = 60 }
        }
        defer { server.stop() }
        let conversation = HybridSupport.cloud(server).createConversation(systemPrompt: nil)
        await #expect(throws: LeapGenerationException.self) {
            _ = try await Delivered(conversation.generateResponse(userTextMessage: "x"))
        }
        #expect(conversation.history.map(\.role) == [.user])
    }

    @Test("Cancelling keeps what there is, closes the connection and leaves the conversation usable")
    func cancellation() async throws {
        let isClosed = Monitor(false)
        let server = try Server { request in
            request.index > 0
                ? HybridSupport.reply("again")
                : HybridSupport.reply("one", "two", "three").with {
                    $0.stallsAfter = 55
                    $0.onClosed = { isClosed.withLock { $0 = true } }
                }
        }
        defer { server.stop() }
        let conversation = HybridSupport.cloud(server).createConversation(systemPrompt: nil)
        let (begun, signal) = AsyncStream<Void>.makeStream()
        let task = Task {
            var completion: MessageCompletion?
            for try await response in conversation.generateResponse(userTextMessage: "x") {
                if case .chunk = response { signal.yield() }
                if case .complete(let end) = response { completion = end }
            }
            return completion
        }
        for await _ in begun { break }
        #expect(conversation.isGenerating)
        // A second generation meanwhile is nothing, or an error.
        #expect(try await Delivered(conversation.generateResponse(userTextMessage: "y")).completion == nil)
        let strict = GenerationOptions()
        strict.whileGenerating = .fail
        await #expect(throws: LeapGenerationException.self) {
            _ = try await Delivered(conversation.generateResponse(userTextMessage: "y", generationOptions: strict))
        }
        task.cancel()
        #expect(try await task.value?.finishReason == .interrupted)
        #expect(conversation.history.map(\.text) == ["x"] && !conversation.isGenerating)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                isClosed.wait(while: { !$0 }) { _ in }
                continuation.resume()
            }
        }
        conversation.removeLastMessage()
        #expect(conversation.history.isEmpty)
        #expect(try await Delivered(conversation.generateResponse(userTextMessage: "x")).text == "again")
    }

    @Test("Callbacks of runners arrive on the main queue; a conversation of another runner is refused")
    func callbacks() async throws {
        let server = try Server { _ in HybridSupport.reply("ok") }
        defer { server.stop() }
        let (runner, other) = (HybridSupport.cloud(server), HybridSupport.cloud(server))
        let conversation = runner.createConversationFromHistory(history: [ChatMessage(role: .user, textContent: "x")])
        let text = await withCheckedContinuation { continuation in
            let seen = Locked("")
            _ = runner.generateResponse(conversation: conversation, generationOptions: nil) { response in
                dispatchPrecondition(condition: .onQueue(.main))
                if case .chunk(let piece) = response { seen.withLock { $0 += piece } }
                if case .complete = response { continuation.resume(returning: seen.withLock { $0 }) }
            }
        }
        #expect(text == "ok" && conversation.history.count == 2)
        let error = await withCheckedContinuation { continuation in
            _ = other.generateResponse(
                conversation: conversation, generationOptions: nil, onResponseCallback: { _ in },
                onErrorCallback: { continuation.resume(returning: $0.message) })
        }
        #expect(error.contains("another runner"))
        await runner.unload()
        await #expect(throws: LeapGenerationException.self) {
            _ = try await Delivered(conversation.generateResponse(userTextMessage: "x"))
        }
        conversation.appendToHistory(message: ChatMessage(role: .user, textContent: "y"))
        #expect(conversation.history.count == 2)
    }
}
