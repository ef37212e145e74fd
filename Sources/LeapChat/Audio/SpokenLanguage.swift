/// A language of speech.
package struct SpokenLanguage: Sendable, Hashable {
    /// The code of ISO 639-1.
    package let code: String
    /// The English name, as prompts have it.
    package let name: String

    /// The languages that have a name here, by their codes.
    ///
    /// The card of LFM3-Audio names 18 languages and locales. Twelve of these names were seen, Arabic to Dutch without
    /// Spanish, Hindi and Malay. The others are inferred.
    package static let all: [SpokenLanguage] = [
        .init("ar", "Arabic"), .init("da", "Danish"), .init("de", "German"), .init("el", "Greek"), english,
        .init("es", "Spanish"), .init("fi", "Finnish"), .init("fr", "French"), .init("he", "Hebrew"),
        .init("hi", "Hindi"), .init("it", "Italian"), japanese, .init("ko", "Korean"), .init("ms", "Malay"),
        .init("nl", "Dutch"), .init("no", "Norwegian"), .init("pl", "Polish"), .init("pt", "Portuguese"),
        .init("ru", "Russian"), .init("sv", "Swedish"), .init("sw", "Swahili"), .init("tr", "Turkish"),
        .init("zh", "Chinese"),
    ]

    package static let english = SpokenLanguage("en", "English")
    package static let japanese = SpokenLanguage("ja", "Japanese")

    /// The codes of ISO 639-1 that name a language of ``all`` too: Bokmål and Nynorsk.
    private static let otherCodes = ["nb": "no", "nn": "no"]

    private init(_ code: String, _ name: String) {
        self.code = code
        self.name = name
    }

    /// The name in OpenAI's form.
    package var lowercasedName: String { name.lowercased() }

    /// Returns the language of a code, with or without a region ("pt-BR"), or of an English name; nil for others.
    package static func find(_ text: String) -> SpokenLanguage? {
        let text = text.lowercased()
        if let named = all.first(where: { $0.lowercasedName == text }) { return named }
        let code = text.prefix { $0 != "-" && $0 != "_" }
        return all.first { $0.code == otherCodes[String(code), default: String(code)] }
    }
}
