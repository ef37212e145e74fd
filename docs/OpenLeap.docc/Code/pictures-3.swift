import LeapSDK
import LeapSDKMacros
import LeapVisionDemoModel

@Generatable("A number in a picture")
struct ShownNumber: Codable {
    @Guide("The number", .range(0...99))
    let number: Int

    @Guide("Its color")
    let color: String
}

let runner = try await Leap.load(url: LeapVisionDemoModel.url)
let chat = runner.createConversation(systemPrompt: nil)
let picture = try LeapVisionDemoModel.Picture.number.data
let message = ChatMessage(role: .user, content: [.image(picture), .text("Describe the picture as JSON.")])
let options = GenerationOptions().with(temperature: 0)
let shown = try await chat.generate(ShownNumber.self, message: message, generationOptions: options)
print(shown.number, shown.color)
