package import LeapChat
import LeapModel

extension ModelRunner {
    /// The system message that asks the model for a text to be spoken.
    ///
    /// - Parameter language: the name of a language in English; nil for that of the voice.
    /// - Throws: ``LeapGenerationException`` where a language is given and the model takes none.
    package func speechPrompt(_ voice: SpeechVoice, language: String? = nil) throws -> String {
        let form = (self as? LiquidInferenceEngineRunner)?.speechForm ?? .lfm2Audio
        guard let prompt = voice.prompt(for: form, language: language) else {
            throw LeapGenerationException(
                "the model speaks in the language of its voices only: leave the language out, or use LFM3-Audio")
        }
        return prompt
    }
}
