import LeapChat
import LeapJSON

extension SpeechVoice {
    /// The voices that stand in for OpenAI's, which programs ask for by default.
    private static let others: [String: SpeechVoice] = [
        "alloy": .usFemale, "coral": .usFemale, "nova": .usFemale, "sage": .usFemale, "shimmer": .usFemale,
        "marin": .usFemale, "ash": .usMale, "echo": .usMale, "onyx": .usMale, "verse": .usMale, "cedar": .usMale,
        "ballad": .ukMale, "fable": .ukMale,
    ]

    /// The names that requests may use.
    static var names: [String] { allCases.map(\.rawValue) + others.keys.sorted() }

    /// Reads a field: a name, or an object with it as `id`.
    ///
    /// - Throws: ``APIError`` with the names that there are.
    init(_ value: JSONValue, _ field: String) throws(APIError) {
        guard let given = value.string ?? value["id"]?.string else {
            throw .invalid("'\(field)' is \(value.kind); expected a voice's name", field)
        }
        guard let voice = Self(name: given) ?? Self.others[given.lowercased()] else {
            throw .invalid(
                "'\(field)' is '\(HeaderText.safe(given))'; the voices are \(Self.allCases.map(\.rawValue).joined(separator: ", ")), and OpenAI's names stand for them: \(Self.others.keys.sorted().joined(separator: ", "))",
                field)
        }
        self = voice
    }
}
