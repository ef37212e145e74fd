import LeapSDK
import LeapVisionDemoModel

/// The blocks of `Images.md`, compiled and not run.
func pictureSnippets() async throws {
    let runner = try await Leap.load(url: URL(fileURLWithPath: "models/LFM2-VL-450M-Q8_0.gguf"))
    let conversation = runner.createConversation(systemPrompt: nil)
    let photo = try Data(contentsOf: URL(fileURLWithPath: "photo.jpg"))
    let message = ChatMessage(role: .user, content: [.image(photo), .text("What is in this picture?")])
    for try await response in conversation.generateResponse(message: message) {
        if case .chunk(let text) = response { print(text, terminator: "") }
    }

    let demo = try await Leap.load(url: LeapVisionDemoModel.url)
    let chat = demo.createConversation(systemPrompt: nil)
    let number = ChatMessage(
        role: .user, content: [.image(try LeapVisionDemoModel.Picture.number.data), .text("What number is this?")])
    for try await response in chat.generateResponse(message: number) {
        if case .chunk(let text) = response { print(text, terminator: "") }
    }

    let small = LiquidInferenceEngineOptions(
        bundlePath: "models/LFM2-VL-450M-Q8_0.gguf", extras: #"{"maxImageTokens": 64, "doImageSplitting": false}"#)
    _ = try await Leap.load(url: URL(fileURLWithPath: "models/LFM2-VL-450M-Q8_0.gguf"), options: small)
}

/// The block of `Images.md` about videos, compiled and not run.
func videoSnippets() async throws {
    let vision = try await Leap.load(url: URL(fileURLWithPath: "models/Qwen3-VL-2B-Instruct-Q8_0.gguf"))
    let pictures = try (1...8).map { try Data(contentsOf: URL(fileURLWithPath: "frames/\($0).jpg")) }
    let video = try VideoFrames(pictures: pictures, framesPerSecond: 2)
    let question = ChatMessage(role: .user, content: [.video(video), .text("What happens?")])
    for try await response in vision.createConversation(systemPrompt: nil).generateResponse(message: question) {
        if case .chunk(let text) = response { print(text, terminator: "") }
    }
}
