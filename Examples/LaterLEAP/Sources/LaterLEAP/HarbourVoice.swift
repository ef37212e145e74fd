import Foundation
import LeapAudioDemoModel
import LeapSDK
import LeapUi

/// The system message that has a model of speech answer in text and sound.
let spokenReplies = "Respond with interleaved text and audio."

/// A conversation as an app's voice adapter wraps one: a completion handler, and pieces that are told by their types.
final class HarbourVoice: VoiceConversation {
    private let conversation: Conversation

    init(conversation: Conversation) { self.conversation = conversation }

    func __generateResponse(
        audioSamples: LeapUi.KotlinFloatArray,
        sampleRate: Int32,
        onAudioChunk: @escaping (LeapUi.KotlinFloatArray, LeapUi.KotlinInt) -> Void,
        completionHandler: @escaping @Sendable (LeapUi.Leap_sdkGenerationStats?, (any Error)?) -> Void
    ) {
        Task {
            do {
                completionHandler(try await answer(audioSamples, Int(sampleRate), onAudioChunk), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    func reset() -> any VoiceConversation { HarbourVoice(conversation: conversation) }

    private func answer(
        _ said: LeapUi.KotlinFloatArray, _ sampleRate: Int,
        _ play: @escaping (LeapUi.KotlinFloatArray, LeapUi.KotlinInt) -> Void
    ) async throws -> LeapUi.Leap_sdkGenerationStats? {
        let call = ChatMessageContent.fromFloatSamples(said, sampleRate: sampleRate)
        let message = ChatMessage(role: .user, content: [call], reasoningContent: nil, functionCalls: nil)
        var figures: LeapUi.Leap_sdkGenerationStats?
        let flow = conversation.generateResponse(message: message, generationOptions: GenerationOptions())
        for try await response in flow {
            try Task.checkCancellation()
            if let audio = response as? MessageResponseAudioSample {
                play(audio.samples, LeapUi.KotlinInt(value: audio.sampleRate))
            } else if let end = response as? MessageResponseComplete, let stats = end.stats {
                figures = LeapUi.Leap_sdkGenerationStats(
                    promptTokens: stats.promptTokens, completionTokens: stats.completionTokens,
                    totalTokens: stats.totalTokens, tokenPerSecond: stats.tokenPerSecond,
                    cachedPromptTokens: stats.cachedPromptTokens)
            } else if let problem = response as? MessageResponseError {
                throw NSError(domain: "HarbourVoice", code: 0, userInfo: [NSLocalizedDescriptionKey: problem.message])
            }
        }
        return figures
    }
}

/// The answer of a conversation to a recording: its samples, counted, and its figures.
func speech(of voice: any VoiceConversation) async throws -> (samples: Int, stats: GenerationStats?) {
    let recording = try LeapAudioDemoModel.Recording.whereabouts.data
    let said = try samples(of: recording)
    let counter = Counter()
    let stats = try await voice.generateResponse(audioSamples: said, sampleRate: 16_000) { samples, _ in
        counter.add(samples.count)
    }
    return (counter.count, stats)
}

/// Counts across threads.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var sum = 0

    var count: Int { lock.withLock { sum } }
    func add(_ number: Int) { lock.withLock { sum += number } }
}

/// The samples of a WAV file with 16 bits and one channel, as the demo model's recordings are.
func samples(of file: Data) throws -> [Float] {
    guard let marker = file.range(of: Data("data".utf8)) else { throw CocoaError(.fileReadCorruptFile) }
    let bytes = Array(file[(marker.upperBound + 4)...])
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
        Float(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32_768
    }
}
