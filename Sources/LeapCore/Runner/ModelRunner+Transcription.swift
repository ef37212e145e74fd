import LeapBase
package import LeapChat
import LeapModel

extension ModelRunner {
    /// The system message that asks the model for the text of what is said.
    ///
    /// - Parameter language: a name of ``transcriptionLanguages``, in lower case.
    package func transcriptionPrompt(in language: String = "english") -> String {
        SpeechPrompts.transcription(in: language, for: spectrumForm)
    }

    /// The languages in which the model can be asked for the text of what is said.
    package var transcriptionLanguages: [SpokenLanguage] { SpeechPrompts.languages(for: spectrumForm) }

    private var spectrumForm: SpectrumForm {
        let builder = try? (self as? LiquidInferenceEngineRunner)?.promptSource().builder
        return (builder?.mediaReader(.audio) as? AudioReader)?.form ?? .normalised
    }
}
