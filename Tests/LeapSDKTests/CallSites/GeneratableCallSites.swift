import LeapSDK
import LeapSDKMacros
import Testing

enum Tide: String, Codable, CaseIterable, CodingKeyRepresentable {
    case high, low
}

@Generatable("A plot of the water at a pier")
struct Plot: Codable {
    @Guide("How tall it is drawn", .range(1...9))
    let height: CGFloat
    @Guide("Metres by the hour")
    let metres: [Int: Bool]
    @Guide("When the tide turns")
    let turns: [Tide: Bool]
}

/// Types whose properties earlier versions of the macro did not take.
struct GeneratableCallSites {
    func describePlot() -> GenerationOptions {
        let options = GenerationOptions(temperature: 0, rngSeed: 3)
        options.setResponseFormat(type: Plot.self)
        options.maxTokens = 60
        return options
    }

    @Test("A reply with dictionaries by number and by case decodes")
    func run() async throws {
        let conversation = try await DemoModel.runner.value.createConversation(systemPrompt: nil)
        let reply = try await conversation.generateResponse(
            message: ChatMessage(role: .user, textContent: "Plot the water."), generationOptions: describePlot()
        ).collect()
        let plot = try JSONDecoder().decode(Plot.self, from: Data(reply.text.utf8))
        #expect((1...9).contains(plot.height) && plot.turns.count <= 2)
    }
}
