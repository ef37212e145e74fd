import LeapSDK
import Observation

/// A player of samples in the app.
protocol SamplePlayer: AnyObject, Sendable {
    func enqueue(_ samples: [Float], sampleRate: Int)
}

/// A store that sends recorded speech to an audio model and plays what comes back.
@MainActor
@Observable
final class VoiceStore {
    private(set) var transcript = ""
    private(set) var problem: String?
    private(set) var isReplying = false
    @ObservationIgnored private let player: any SamplePlayer
    @ObservationIgnored private var conversation: Conversation?
    @ObservationIgnored private var handler: GenerationHandler?

    init(player: any SamplePlayer) { self.player = player }

    func prepare(_ source: ModelSource) async {
        do {
            let runner = try await LeapDownloader().loadSimpleModel(model: source) { fraction, _ in
                self.transcript = "\(Int(fraction * 100)) %"
            }
            conversation = runner.createConversation(systemPrompt: "Respond with interleaved text and audio.")
            transcript = ""
        } catch {
            problem = error.localizedDescription
        }
    }

    func send(samples: [Float], sampleRate: Int) async {
        guard let conversation else { return }
        isReplying = true
        defer { isReplying = false }
        let message = ChatMessage(
            role: .user, content: [ChatMessageContent.fromFloatSamples(samples, sampleRate: sampleRate)])
        do {
            for try await response in conversation.generateResponse(message: message, generationOptions: nil) {
                switch onEnum(of: response) {
                case .audioSample(let audio): player.enqueue(audio.samples, sampleRate: Int(audio.sampleRate))
                case .chunk(let piece): transcript += piece.text
                case .reasoningChunk, .functionCalls: break
                case .complete(let completion): print(completion.finishReason)
                }
            }
        } catch {
            problem = error.localizedDescription
        }
    }

    /// The same with a callback, for a button that is held down.
    func begin(recording: Data) {
        problem = nil
        let message = ChatMessage(role: .user, content: [ChatMessageContent.fromWAVData(recording)])
        handler = conversation?.generateResponse(message: message) { response in
            switch response {
            case .audioSample(let samples, let rate): self.player.enqueue(samples, sampleRate: rate)
            case .complete(let completion) where completion.finishReason == .error:
                self.problem = "The recording has no answer."
            default: break
            }
        }
    }

    func release() { handler?.stop() }
}
