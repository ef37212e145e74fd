import LeapDemoModel
import LeapSDK

let runner = try await Leap.load(url: LeapDemoModel.url)
let chat = runner.createConversation(systemPrompt: "You are a helpful assistant.")
for try await response in chat.generateResponse(userTextMessage: "Tell me a story about a fox.") {
    if case .chunk(let text) = response { print(text, terminator: "") }
}
print()
