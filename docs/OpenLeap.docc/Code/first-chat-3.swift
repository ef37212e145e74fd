import LeapDemoModel
import LeapSDK

/// Sends a message and prints the reply as it is written.
func say(_ message: String, in chat: any Conversation) async throws {
    print("> \(message)")
    let options = GenerationOptions().with(temperature: 0).with(maxTokens: 200)
    for try await response in chat.generateResponse(userTextMessage: message, generationOptions: options) {
        switch response {
        case .chunk(let text): print(text, terminator: "")
        case .complete(let completion): print("  (\(completion.finishReason))")
        default: break
        }
    }
}

let runner = try await Leap.load(url: LeapDemoModel.url)
let chat = runner.createConversation(systemPrompt: "You are a helpful assistant.")
try await say("What is the capital of Portugal?", in: chat)
