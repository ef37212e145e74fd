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
    ///   - language: a name that ``languageName(_:)`` gives; nil for the language of the voice.
    package func prompt(for form: SpeechForm, language: String? = nil) -> String? {
        guard form != .lfm2Audio else { return language == nil ? prompt : nil }
        // The voices are those of two kinds of English.
        let name = language.flatMap { $0 == SpokenLanguage.english.name ? nil : $0 } ?? kind.language
        return "\(SpeechPrompts.speechStart) in \(name) using a \(kind.gender) voice."
    }

    /// Returns the name of a language as prompts have it; nil for others.
    ///
    /// - Parameter text: a code, an English name, or such a name behind that of a region ("Brazilian Portuguese").
    package static func languageName(_ text: String) -> String? {
        if let language = SpokenLanguage.find(text) { return language.name }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, !words[0].isEmpty, words[0].count <= 32, words[0].allSatisfy(\.isLetter),
            let language = SpokenLanguage.all.first(where: { $0.lowercasedName == words[1].lowercased() })
        else { return nil }
        return "\(words[0].prefix(1).uppercased())\(words[0].dropFirst().lowercased()) \(language.name)"
    }
}
