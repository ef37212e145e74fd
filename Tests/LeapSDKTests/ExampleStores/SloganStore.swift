import LeapSDK
import Observation

/// A store that asks one question at a time: a fresh conversation for every slogan.
@MainActor
@Observable
final class SloganStore {
    private(set) var slogan = ""
    private(set) var isWorking = false
    private(set) var problem: String?
    @ObservationIgnored private var runner: ModelRunner?

    func prepare(_ file: URL) async {
        guard runner == nil else { return }
        do {
            runner = try await Leap.load(
                url: file, options: LiquidInferenceEngineOptions(bundlePath: file.path, contextSize: 1024))
        } catch let error as LeapError {
            problem = error.message
        } catch {
            problem = "\(error)"
        }
    }

    func make(for shop: String) async {
        guard let runner, !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        slogan = ""
        let conversation = Conversation(
            modelRunner: runner,
            history: [ChatMessage(role: .system, content: [.text("You write slogans for small shops.")])])
        let options = GenerationOptions(temperature: 0.6, topP: 0.9).with(maxTokens: 24)
        do {
            for try await response in conversation.generateResponse(
                userTextMessage: "A slogan for \(shop), please.", generationOptions: options)
            {
                switch response {
                case .chunk(let text): slogan += text
                case .complete(let completion): if completion.finishReason == .error { problem = "no slogan today" }
                case .reasoningChunk, .functionCall, .audioSample: break
                }
            }
        } catch LeapError.promptExceedContextLengthFailure {
            problem = "That is a long name for a shop."
        } catch {
            problem = error.localizedDescription
        }
    }
}
