import LeapCore
import LeapSDK

extension ModelRunner {
    /// Returns the number of tokens of a prompt; nil where that is not known without reading pictures or sounds.
    func promptTokens(of messages: [ChatMessage], functions: [LeapFunction]) -> Int? {
        let isText = messages.allSatisfy { message in
            message.content.allSatisfy { if case .text = $0 { true } else { false } }
        }
        guard isText else { return nil }
        return try? promptTokenCount(messages: messages, functions: functions, addBosToken: true)
    }

    /// True if the model was trained on no chat.
    var hasBaseModel: Bool { (self as? LiquidInferenceEngineRunner)?.isBaseModel ?? false }

    /// Says in a chat that the model was made for none.
    func noteBaseModel() {
        guard hasBaseModel else { return }
        Terminal.note(
            "(\(modelId) is a base model: it has no chat template and continues texts instead of answering; “leap run” lets it do so)"
        )
    }
}
