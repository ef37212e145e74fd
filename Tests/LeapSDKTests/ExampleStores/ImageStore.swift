import LeapSDK
import Observation

/// A store that asks a vision model about a picture.
@MainActor
@Observable
final class ImageStore {
    private(set) var caption = ""
    private(set) var problem: String?
    @ObservationIgnored private var runner: ModelRunner?

    func prepare(model: URL, projector: URL?) async {
        do {
            let options = LiquidInferenceEngineOptions(bundlePath: model.path, mmProjPath: projector?.path)
            runner = try await Leap.load(url: model, options: options)
        } catch {
            problem = error.localizedDescription
        }
    }

    func describe(_ jpeg: Data) async {
        guard let runner else { return }
        let conversation = runner.createConversation(systemPrompt: nil)
        let message = ChatMessage(role: .user, content: [.image(jpeg), .text("What is in this picture?")])
        do {
            for try await response in conversation.generateResponse(message: message) {
                switch onEnum(of: response) {
                case .chunk(let piece): caption += piece.text
                case .complete(let completion):
                    caption = completion.fullMessage.content.compactMap { part -> String? in
                        if case .text(let t) = onEnum(of: part) { return t.text }
                        return nil
                    }.joined()
                default: break
                }
            }
        } catch {
            problem = error.localizedDescription
        }
    }
}
