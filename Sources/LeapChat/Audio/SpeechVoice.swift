/// The voices that LFM2.5-Audio was trained with.
package enum SpeechVoice: String, CaseIterable, Sendable {
    case usMale = "us_male"
    case usFemale = "us_female"
    case ukMale = "uk_male"
    case ukFemale = "uk_female"

    /// The voice of a name, with spaces or underscores between words; nil where there is none.
    package init?(name: String) {
        self.init(rawValue: name.lowercased().replacing(" ", with: "_"))
    }

    /// The words for it in the system message.
    private var words: String {
        switch self {
        case .usMale: "US male"
        case .usFemale: "US female"
        case .ukMale: "UK male"
        case .ukFemale: "UK female"
        }
    }

    /// The system message that asks for a text to be spoken.
    package var prompt: String { "Perform TTS. Use the \(words) voice." }
}
