import LeapAudioDemoModel
import LeapSDK

/// The blocks of `Audio.md`, compiled and not run.
func soundSnippets(recorded: [Float]) async throws {
    let runner = try await Leap.load(url: URL(fileURLWithPath: "models/LFM2.5-Audio-1.5B-Q8_0.gguf"))
    let conversation = runner.createConversation(systemPrompt: "Perform ASR.")
    let recording = try Data(contentsOf: URL(fileURLWithPath: "recording.wav"))
    let message = ChatMessage(role: .user, content: [.fromWAVData(recording)])
    for try await response in conversation.generateResponse(message: message) {
        if case .chunk(let text) = response { print(text, terminator: "") }
    }

    let demo = try await Leap.load(url: LeapAudioDemoModel.url)
    let chat = demo.createConversation(systemPrompt: nil)
    let question = ChatMessage(
        role: .user, content: [try .fromWAVData(LeapAudioDemoModel.Recording.whereabouts.data)])
    for try await response in chat.generateResponse(message: question) {
        if case .chunk(let text) = response { print(text, terminator: "") }
    }

    let stream = try AudioInputStream(runner: runner, sampleRate: 48_000)
    try stream.append(recorded)
    let spoken = ChatMessage(role: .user, content: [try stream.finish()])

    let live = try runner.transcribeLive(sampleRate: 48_000)
    let reading = Task {
        for try await text in live.text { print(text, terminator: "") }
    }
    try live.append(recorded)
    live.finish()
    try await reading.value

    let speaker = runner.createConversation(systemPrompt: "Respond with interleaved text and audio.")
    var samples: [Float] = []
    for try await response in speaker.generateResponse(message: spoken) {
        switch response {
        case .chunk(let text): print(text, terminator: "")
        case .audioSample(let piece, sampleRate: _): samples += piece
        default: break
        }
    }
    print(samples.count)
}
