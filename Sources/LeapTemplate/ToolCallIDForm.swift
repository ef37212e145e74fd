/// A required form of call ids, for example nine letters and digits.
public struct ToolCallIDForm: Sendable, Hashable {
    /// The number of characters of an id.
    public let length: Int
    /// The allowed characters, all of them ASCII.
    public let characters: String

    /// Letters of both cases and digits.
    public static let lettersAndDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    /// Lower-case letters and digits.
    public static let lowercaseAndDigits = "0123456789abcdefghijklmnopqrstuvwxyz"
    /// Digits.
    public static let digits = "0123456789"

    /// Creates a form.
    public init(length: Int, characters: String = lettersAndDigits) {
        self.length = length
        self.characters = characters
    }

    /// Returns whether an id has the form.
    public func accepts(_ id: String) -> Bool {
        let allowed = Array(characters.utf8)
        return id.utf8.count == length && id.utf8.allSatisfy(allowed.contains)
    }

    /// An id of the form, in which characters of all kinds stand.
    var sample: String { sample(from: characters.utf8.count - 1) }
    /// Another one.
    var otherSample: String { sample(from: 0) }

    private func sample(from start: Int) -> String {
        let all = Array(characters.utf8)
        // 7 has no factor in common with 10, 36 or 62, so that every character has its turn.
        return String(decoding: (0..<length).map { all[(start + $0 * 7) % all.count] }, as: UTF8.self)
    }
}
