import LeapAudioDemoModel
import LeapSDK

let runner = try await Leap.load(url: LeapAudioDemoModel.url)
let chat = runner.createConversation(systemPrompt: "Respond with interleaved text and audio.")
let recording = try LeapAudioDemoModel.Recording.whereabouts.data
let message = ChatMessage(role: .user, content: [.fromWAVData(recording)])
var samples = 0
for try await response in chat.generateResponse(message: message) {
    switch response {
    case .chunk(let text): print(text, terminator: "")
    case .audioSample(let piece, sampleRate: _): samples += piece.count
    default: break
    }
}
print("\n\(samples) samples of speech")
