// swift-format-ignore-file
// The snippets stand as they are in the document "iOS API Spec" (before 0.7), where later versions leave room for them.
import Foundation
import LeapDemoModel
import LeapSDK
import Testing

struct OlderAPISpecCallSites {
    @Test("Conversations are made with an initialiser, and the older stream is switched over")
    func chat() async throws {
        let modelRunner = try await Leap.load(url: LeapDemoModel.url)
        do {
            // Create a new conversation
            let conversation = Conversation(modelRunner: modelRunner, history: [])
            #expect(conversation.history.isEmpty)
        }
        // Create conversation with system prompt
        let systemMessage = ChatMessage(role: .system, content: [.text("You are a helpful assistant.")])
        let conversation = Conversation(modelRunner: modelRunner, history: [systemMessage])

        let userMessage = ChatMessage(role: .user, content: [.text("What is the capital of France?")])
        // Optional: Configure generation options
        let options = GenerationOptions(temperature: 0.7, topP: 0.9)
        var outputText = ""
        var finishReason: GenerationFinishReason?
        for await response in conversation.generateResponse(message: userMessage, options: options) {
            if Task.isCancelled { break }
            switch response {
            case .chunk(let chunk):
                outputText += chunk
            case .reasoningChunk(let reasoning):
                // Handle reasoning if needed
                print("Reasoning: \(reasoning)")
            case .complete(let usage, let completeInfo):
                print("Complete. Usage: \(usage)")
                print("Finish reason: \(completeInfo.finishReason)")
                if let stats = completeInfo.stats {
                    print("Generation stats: \(stats.totalTokens) tokens, \(stats.tokenPerSecond) tok/s")
                }
                finishReason = completeInfo.finishReason
            }
        }
        #expect(!outputText.isEmpty)
        #expect(finishReason == .stop)
    }

    @Test("Options, finish reasons and errors keep their older spellings")
    func values() {
        let options = GenerationOptions(
            temperature: 0.7,
            topP: 0.9,
            repetitionPenalty: 1.1
        )
        #expect(options.repetitionPenalty == 1.1)
        let reason = GenerationFinishReason.exceed_context
        switch reason {
        case .stop: Issue.record("wrong")
        case .exceed_context: break
        default: Issue.record("wrong")
        }
        do {
            throw LeapError.modelLoadingFailure("no model", nil)
        } catch LeapError.modelLoadingFailure {
        } catch {
            Issue.record("wrong")
        }
    }

    @Test("The older stream cannot throw: an error ends it")
    func failure() async throws {
        let modelRunner = try await Leap.load(url: LeapDemoModel.url)
        let conversation = Conversation(modelRunner: modelRunner, history: [])
        await modelRunner.unload()
        var reasons: [GenerationFinishReason] = []
        for await response in conversation.generateResponse(message: ChatMessage(role: .user, textContent: "x"), options: nil) {
            if case .complete(_, let info) = response { reasons.append(info.finishReason) }
        }
        #expect(reasons == [.error])
    }
}
