import LeapSDK
import LeapSDKMacros
import LeapVisionDemoModel

@Generatable("A color")
enum Color: String, Codable, CaseIterable {
    case red, orange, yellow, green, blue, purple, black, white
}

@Generatable("A number in a picture")
struct ShownNumber: Codable {
    @Guide("The number", .range(0...99))
    let number: Int

    @Guide("Its color")
    let color: Color
}

@Generatable("A bar chart")
struct BarChart: Codable {
    @Guide("How many bars there are", .range(1...9))
    let bars: Int

    @Guide("The color of the highest bar")
    let highest: Color
}

/// Reads a value of a type from a picture.
func read<Value: GeneratableType & Decodable>(
    _ type: Value.Type, from picture: Data, with runner: any ModelRunner
) async throws -> Value {
    let chat = runner.createConversation(systemPrompt: nil)
    let message = ChatMessage(role: .user, content: [.image(picture), .text("Describe the picture as JSON.")])
    let options = GenerationOptions().with(temperature: 0).with(injectSchemaIntoPrompt: false)
    return try await chat.generate(type, message: message, generationOptions: options)
}

let runner = try await Leap.load(url: LeapVisionDemoModel.url)
let number = try await read(ShownNumber.self, from: LeapVisionDemoModel.Picture.number.data, with: runner)
print("the number \(number.number) in \(number.color.rawValue)")
let chart = try await read(BarChart.self, from: LeapVisionDemoModel.Picture.chart.data, with: runner)
print("\(chart.bars) bars, the \(chart.highest.rawValue) one is the highest")

do {
    _ = try await read(ShownNumber.self, from: Data("Not a picture".utf8), with: runner)
} catch let error as LeapGenerationException {
    print("refused:", error.message)
}
