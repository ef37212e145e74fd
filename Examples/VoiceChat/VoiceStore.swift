import LeapSDK
import LeapUi

/// The assistant of the screen for speech, and its model.
@MainActor
final class VoiceStore {
    let assistant: VoiceAssistantStore

    init(assistant: VoiceAssistantStore) { self.assistant = assistant }

    /// Loads a model that hears.
    func open(_ model: URL) async {
        do {
            assistant.setModelProgress(fraction: 0, message: "")
            let conversation = try await Leap.load(url: model).createConversation()
            assistant.setConversation(conv: ModelVoiceConversation(conversation: conversation))
        } catch {
            assistant.setModelError(message: error.localizedDescription)
        }
    }
}
