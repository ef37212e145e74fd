package import LeapBase

/// The system messages that LFM2-Audio and LFM3-Audio models were trained with, and what others are asked with; each asks
/// for a kind of answer.
package enum SpeechPrompts {
    /// Text and sound in turns: a conversation.
    package static let conversation = "Respond with interleaved text and audio."

    /// The beginning of the messages that ask for a text to be spoken.
    static let speechStart = "Perform TTS"
    /// The beginning of all messages that ask for a task.
    static let taskStart = "Perform "

    /// The text of what is said, in English; LFM2-Audio's.
    package static let englishTranscription = "Perform ASR."

    /// The text of what is said, while it is said; LFM3-Audio's.
    package static let liveTranscription = "Perform live ASR."

    /// The text of what is said, by the language's code; LFM2-Audio's.
    package static let transcription: KeyValuePairs<String, (name: String, prompt: String)> = [
        "en": ("english", englishTranscription), "ja": ("japanese", "Perform ASR in japanese."),
    ]

    /// The text of what is said in a language, by its code or OpenAI's name; nil for languages without training.
    package static func transcription(of language: String?) -> (name: String, prompt: String)? {
        guard let language = language?.lowercased() else { return transcription[0].value }
        return transcription.first { $0.key == language || $0.value.name == language }?.value
    }

    /// The languages that a model writes down whose encoder reads spectra of a form.
    package static func languages(for form: SpectrumForm) -> [SpokenLanguage] {
        form == .normalised ? [.english, .japanese] : SpokenLanguage.all
    }

    /// Returns whether a message is one that asks LFM3-Audio or LFM3-Omni for the text of a whole sound.
    static func isTranscription(_ message: String) -> Bool {
        message.hasPrefix("Perform ASR in ") && message.hasSuffix(".")
    }

    /// The message for a language of ``transcription``, by its name, and the model whose encoder reads spectra of a
    /// form.
    package static func transcription(in name: String, for form: SpectrumForm) -> String {
        let capitalised = "\(name.prefix(1).uppercased())\(name.dropFirst())"
        return switch form {
        case .normalised: transcription(of: name)?.prompt ?? englishTranscription
        case .scaled: "Perform ASR in \(capitalised)."
        // Gemma 4 follows any instruction.
        case .magnitudes, .samples: "Transcribe the speech in \(capitalised). Write only what is said."
        }
    }
}
