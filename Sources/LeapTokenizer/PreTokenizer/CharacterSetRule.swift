/// A set of characters that a rule isolates runs of, ready to be asked often.
struct CharacterSetRule: Sendable, Equatable {
    /// The ASCII characters 0 to 63 that are in the set, a bit each.
    private var low: UInt64 = 0
    /// The ASCII characters 64 to 127 that are in the set, a bit each.
    private var high: UInt64 = 0
    /// The classes of ``CharacterClass`` that are in the set, beyond ASCII.
    private let classes: UInt8
    /// The lists of ``ListedCharacters`` that are in the set, beyond ASCII.
    private let lists: UInt8
    /// True if `classes` and `lists` say what is not in the set.
    private let isComplement: Bool

    /// - Parameters:
    ///   - classes: The classes in the set.
    ///   - lists: The lists in the set.
    ///   - isComplement: Whether the set is everything else.
    ///   - ascii: What of ASCII is in the set, where that does not follow from the rest.
    private init(classes: UInt8 = 0, lists: UInt8 = 0, isComplement: Bool = false, ascii: ((UInt8) -> Bool)? = nil) {
        self.classes = classes
        self.lists = lists
        self.isComplement = isComplement
        let table = CharacterClasses.shared
        for byte in 0..<128 as Range<UInt8> {
            let bits = (table(UInt32(byte)) & classes) | (ListedCharacters.shared(UInt32(byte)) & lists)
            guard ascii?(byte) ?? ((bits != 0) != isComplement) else { continue }
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
    }

    /// Returns whether the character at `position` is in the set, and the position of the next one.
    @inline(__always)
    func contains(_ text: ScalarText, _ position: Int) -> (isMember: Bool, next: Int) {
        let byte = text[position]
        if byte < 0x80 {
            return ((byte < 64 ? low : high) >> UInt64(byte & 63) & 1 != 0, position + 1)
        }
        if lists == 0 {
            let (flags, next) = text.read(position)
            return ((flags & classes != 0) != isComplement, next)
        }
        let (code, next) = text.scalar(position)
        var bits = ListedCharacters.shared(code) & lists
        if classes != 0 { bits |= CharacterClasses.shared(code) & classes }
        return ((bits != 0) != isComplement, next)
    }

    /// Matches `\p{L}`.
    static let letters = CharacterSetRule(classes: CharacterClass.letter)
    /// Matches `\p{N}`.
    static let numbers = CharacterSetRule(classes: CharacterClass.number)
    /// Matches `\p{P}`.
    static let punctuation = CharacterSetRule(classes: CharacterClass.punctuation)
    /// `[\p{P}\$\+<=>\^~\|]`, llama.cpp's default.
    static let punctuationAndSymbols = CharacterSetRule(classes: CharacterClass.punctuation) {
        isASCIIPunctuation($0) && $0 != UInt8(ascii: "`")
    }
    /// The same with the backtick: all ASCII punctuation, and Unicode's.
    static let punctuationSymbolsAndBacktick = CharacterSetRule(
        classes: CharacterClass.punctuation, ascii: isASCIIPunctuation)
    /// Matches `[0-9]`.
    static let asciiDigits = CharacterSetRule { $0 &- 0x30 < 10 }
    /// Matches `[\r\n]`.
    static let lineBreaks = CharacterSetRule { $0 == 0x0A || $0 == 0x0D }
    /// Matches `[\n]`.
    static let lineFeeds = CharacterSetRule { $0 == 0x0A }
    /// `[^(\s|.,!?…。，、।۔،)]`, what BLOOM calls a word.
    static let phrase = CharacterSetRule(
        classes: CharacterClass.whitespace, lists: ListedCharacters.phraseEnds, isComplement: true)
    /// The alphabetic letters that DeepSeek LLM's rule lists.
    static let deepSeekLetters = CharacterSetRule(lists: ListedCharacters.deepSeekLetters)
    /// Matches `[!-/:-~！-／：-～‘-‟　-。]`.
    static let deepSeekPunctuation = CharacterSetRule(lists: ListedCharacters.deepSeekPunctuation)
    /// Matches `[一-龥ࠀ-一가-퟿]`.
    static let deepSeekIdeographs = CharacterSetRule(lists: ListedCharacters.deepSeekIdeographs)
    /// Matches `[一-龥぀-ゟ゠-ヿ]`.
    static let hanAndKana = CharacterSetRule(lists: ListedCharacters.hanAndKana)

    private static func isASCIIPunctuation(_ byte: UInt8) -> Bool {
        CharacterClasses.shared(UInt32(byte)) & (CharacterClass.punctuation | CharacterClass.symbol) != 0
    }
}
