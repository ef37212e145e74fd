import LeapSDK

/// The blocks of `Sound.md`, compiled and not run.
func soundSnippets(samples: [Float]) async throws {
    let runner = try await Leap.load(url: URL(fileURLWithPath: "models/LFM2.5-Audio-1.5B-Q8_0.gguf"))
    let conversation = runner.createConversation(systemPrompt: "Perform ASR.")
    let recording = try Data(contentsOf: URL(fileURLWithPath: "recording.wav"))
    let message = ChatMessage(role: .user, content: [try .fromWAVData(recording)])
    for try await response in conversation.generateResponse(message: message) {
        if case .chunk(let text) = response { print(text, terminator: "") }
    }

    let stream = try AudioInputStream(runner: runner, sampleRate: 48_000)
    try stream.append(samples)
    let spoken = ChatMessage(role: .user, content: [try stream.finish()])
    for try await response in conversation.generateResponse(message: spoken) { print(response) }
}
