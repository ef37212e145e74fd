package import LeapModel

/// The voices that the models speak with: LFM2.5-Audio has all of them, LFM3-Audio a female and a male one in each of its
/// languages.
package enum SpeechVoice: String, CaseIterable, Sendable {
    case usMale = "us_male"
    case usFemale = "us_female"
    case ukMale = "uk_male"
    case ukFemale = "uk_female"

    /// The voice of a name, with spaces or underscores between words; nil where there is none.
    ///
    /// `female` and `male` alone are the voices of American English.
    package init?(name: String) {
        let name = name.lowercased().replacing(" ", with: "_")
        switch name {
        case "female": self = .usFemale
        case "male": self = .usMale
        default: self.init(rawValue: name)
        }
    }

    /// The words for it in the system message of LFM2.5-Audio.
    private var words: String {
        switch self {
        case .usMale: "US male"
        case .usFemale: "US female"
        case .ukMale: "UK male"
        case .ukFemale: "UK female"
        }
    }

    /// The same for LFM3-Audio, which takes a language too.
    private var kind: (language: String, gender: String) {
        switch self {
        case .usMale: ("American English", "male")
        case .usFemale: ("American English", "female")
        case .ukMale: ("British English", "male")
        case .ukFemale: ("British English", "female")
        }
    }

    /// The system message that asks LFM2.5-Audio for a text to be spoken.
    package var prompt: String { "Perform TTS. Use the \(words) voice." }

    /// Returns the system message that asks a model for a text to be spoken; nil where the model takes no language.
    ///
    /// - Parameters:
    ///   - form: the form of the model's speech.
    ///   - language: the name of a language in English; nil for that of the voice.
    package func prompt(for form: SpeechForm, language: String? = nil) -> String? {
        guard form != .lfm2Audio else { return language == nil ? prompt : nil }
        let name = language.map(Self.capitalised) ?? kind.language
        return "\(SpeechPrompts.speechStart) in \(name) using a \(kind.gender) voice."
    }

    /// Returns true if a text can be a language's name: up to five words of letters.
    package static func isLanguageName(_ text: String) -> Bool {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        return (1...5).contains(words.count) && text.utf8.count <= 64
            && words.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0 == "-" } }
    }

    private static func capitalised(_ name: String) -> String {
        name.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
}
