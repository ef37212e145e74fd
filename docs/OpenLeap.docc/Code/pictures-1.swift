import LeapSDK
import LeapVisionDemoModel

let runner = try await Leap.load(url: LeapVisionDemoModel.url)
let chat = runner.createConversation(systemPrompt: nil)
let picture = try LeapVisionDemoModel.Picture.number.data
let message = ChatMessage(role: .user, content: [.image(picture), .text("What number is this?")])
for try await response in chat.generateResponse(message: message) {
    if case .chunk(let text) = response { print(text, terminator: "") }
}
print()
