import LeapBase
import LeapChat
import LeapModel

extension ModelRunner {
    /// The system message that asks the model for the text of what is said.
    ///
    /// - Parameter language: a name in ``SpeechPrompts/transcription``.
    package func transcriptionPrompt(in language: String = "english") -> String {
        let builder = try? (self as? LiquidInferenceEngineRunner)?.promptSource().builder
        let reader = builder?.mediaReader(.audio) as? AudioReader
        return SpeechPrompts.transcription(in: language, for: reader?.form ?? .normalised)
    }
}
