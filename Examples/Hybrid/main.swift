import LeapDemoModel
import LeapHybrid
import LeapSDK

// One conversation over a model on the device and one behind an endpoint of OpenAI's form; what is private never leaves
// the device.
//
//     LEAP_CLOUD_URL=https://api.openai.com/v1 LEAP_CLOUD_MODEL=gpt-4o-mini LEAP_CLOUD_KEY=… swift run Hybrid [MODEL.gguf] <QUESTIONS
let environment = ProcessInfo.processInfo.environment
let model = try CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) } ?? LeapDemoModel.url

// Without an endpoint there is one that nobody answers at, so that the device does.
let config = OpenAiClientConfig(
    apiKey: environment["LEAP_CLOUD_KEY"] ?? "", baseUrl: environment["LEAP_CLOUD_URL"] ?? "http://127.0.0.1:9/v1",
    maxRetries: 0, responseTimeout: 20)
let cloud = CloudModelRunner(model: environment["LEAP_CLOUD_MODEL"] ?? "gpt-4o-mini", config: config)

/// A rule that keeps text on the device which people do not want to leave it: here whatever comes behind their name.
let isPrivate = RoutingRule("private") { request in
    request.messages.contains { $0.role == .user && $0.text.contains("My name") } ? .device : nil
}
/// Longer tasks are for the larger model.
let isHard = RoutingRule("hard") { request in
    request.messages.last?.text.hasPrefix("Tell me a story") == true ? .cloud : nil
}

// `fallsBack` has no cloud: where the device fails, nothing is sent in its place.
let router = HybridRouter(
    device: try await Leap.load(url: model), cloud: cloud, rules: [isPrivate, .contextSize, isHard],
    fallsBack: [.device])
var conversation = router.createConversation(systemPrompt: "You are a helpful assistant.")
let options = GenerationOptions().with(temperature: 0).with(maxTokens: 200)

while let question = readLine() {
    var answer = ""
    do {
        for try await response in conversation.generateResponse(
            userTextMessage: question, generationOptions: options)
        {
            if case .chunk(let text) = response { answer += text }
        }
        let route = conversation.lastRoute
        print("[\(route?.side.rawValue ?? "-"): \(route?.reason ?? "-")] \(answer)")
    } catch let error as LeapException {
        print("[failed] \(error.localizedDescription)")
    }
}
