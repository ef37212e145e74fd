import LeapDemoModel
import LeapSDK
import Testing

/// The demo model, loaded once for all tests.
enum DemoModel {
    static let runner = Task { try await Leap.load(url: LeapDemoModel.url) }

    static var file: URL { get throws { try LeapDemoModel.url } }

    /// Greedy decoding shows this model best.
    static var greedy: GenerationOptions { GenerationOptions(temperature: 0, maxTokens: 200) }
}

extension AsyncThrowingStream where Element == MessageResponse, Failure == any Error {
    /// All pieces of a reply.
    func collect() async throws -> [MessageResponse] {
        var all: [MessageResponse] = []
        for try await response in self { all.append(response) }
        return all
    }
}

extension [MessageResponse] {
    var text: String { compactMap { if case .chunk(let text) = $0 { text } else { nil } }.joined() }
    var reasoning: String { compactMap { if case .reasoningChunk(let text) = $0 { text } else { nil } }.joined() }
    var calls: [LeapFunctionCall] {
        flatMap { if case .functionCall(let calls) = $0 { calls } else { [LeapFunctionCall]() } }
    }
    var completion: MessageCompletion? { if case .complete(let completion)? = last { completion } else { nil } }
}

extension LeapFunction {
    /// A function that the demo model was trained with.
    static let weather = LeapFunction(
        name: "get_weather",
        description: "Get the weather forecast of a city",
        parameters: [
            LeapFunctionParameter(
                name: "city",
                type: LeapFunctionParameterType.string(StringType()),
                description: "City"
            ),
            LeapFunctionParameter(
                name: "unit",
                type: LeapFunctionParameterType.string(
                    StringType(enumValues: ["celsius", "fahrenheit"])
                ),
                description: "Temperature unit",
                optional: true
            ),
        ]
    )
}
