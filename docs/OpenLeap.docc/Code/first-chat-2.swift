import LeapDemoModel
import LeapSDK

let runner = try await Leap.load(url: LeapDemoModel.url)
let chat = runner.createConversation(systemPrompt: "You are a helpful assistant.")
let message = "What is the capital of Portugal?"
for try await response in chat.generateResponse(userTextMessage: message) {
    if case .chunk(let text) = response { print(text, terminator: "") }
}
print()
