// swift-format-ignore-file
// The snippets stand as they are in the document "Conversation & Generation" (0.10).
import LeapSDK
import Testing

struct ConversationAndGenerationCallSites {
    @Test("The streaming snippet runs")
    func streaming() async throws {
        let conversation = try await DemoModel.runner.value.createConversation(systemPrompt: nil)

        let user = ChatMessage(role: .user, textContent: "Hello! What can you do?")
        let options = GenerationOptions()
          .with(temperature: 0.3)
          .with(minP: 0.15)
          .with(repetitionPenalty: 1.05)

        let task = Task {
          do {
            for try await response in conversation.generateResponse(
              message: user,
              generationOptions: options
            ) {
              switch onEnum(of: response) {
              case .chunk(let c):
                print(c.text, terminator: "")
              case .reasoningChunk(let r):
                print("Reasoning:", r.reasoning)
              case .functionCalls(let payload):
                handleFunctionCalls(payload.functionCalls)
              case .audioSample(let audio):
                audioRenderer.enqueue(audio.samples, sampleRate: Int(audio.sampleRate))
              case .complete(let completion):
                let text = completion.fullMessage.content.compactMap { part -> String? in
                  if case let .text(t) = onEnum(of: part) { return t.text }
                  return nil
                }.joined()
                print("\nComplete:", text)
                if let stats = completion.stats {
                  print("Prompt tokens: \(stats.promptTokens), completion: \(stats.completionTokens)")
                }
              }
            }
          } catch {
            print("Generation failed: \(error)")
          }
        }
        await task.value

        let jsonString: String = conversation.exportToJSON()
        #expect(jsonString.hasPrefix(#"[{"role":"user","content":"Hello! What can you do?"},{"role":"assistant""#))
    }

    @Test("The options snippet compiles")
    func options() {
        let options = GenerationOptions()
            .with(temperature: 0.3)
            .with(minP: 0.15)
            .with(repetitionPenalty: 1.05)
            .with(maxTokens: 512)
            .with(jsonSchema: CityFact.jsonSchema())
        #expect(options.maxTokens == 512)
    }

    func protocols(modelRunner: ModelRunner, message: ChatMessage, function: LeapFunction) async {
        let conversation: Conversation = modelRunner.createConversation(systemPrompt: "x")
        let resumed: Conversation = modelRunner.createConversationFromHistory(history: conversation.history)
        conversation.registerFunction(function: function)
        conversation.registerFunctions(functions: [function])
        conversation.appendToHistory(message: message)
        conversation.removeLastMessage()
        let flow: SkieSwiftFlow<MessageResponse> = resumed.generateResponse(userTextMessage: "x", generationOptions: nil)
        _ = flow
        _ = resumed.generateResponse(message: message, generationOptions: nil)
        _ = resumed.generateResponse(message: message)
        _ = await modelRunner.getPromptTokensSize(messages: [message], addBosToken: true)
        _ = (conversation.isGenerating, conversation.functions, conversation.modelRunner, modelRunner.modelId)
        await modelRunner.unload()
    }
}
