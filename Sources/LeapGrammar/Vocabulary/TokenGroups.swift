/// The tokens of a vocabulary by what they do inside a JSON string that takes any text.
struct TokenGroups {
    typealias Tokens = [(bytes: ArraySlice<UInt8>, token: Int32)]

    private(set) var all: Tokens = []
    /// Tokens of at most `TermStore.horizon` bytes.
    private(set) var short: Tokens = []
    /// Those of them with a quotation mark.
    private(set) var quoted: Tokens = []
    /// Those of them that close a string after an escape.
    private(set) var escaped: Tokens = []
    /// The bytes after the quotation mark of the others that close a string.
    private(set) var suffixes: Tokens = []
    /// Those of them that stay inside, as bits, and by length.
    private(set) var inside: [UInt64]
    private(set) var insideByLength: [[UInt64]]
    private(set) var maximumCharacters = 0
    /// Longer tokens.
    private(set) var long: Tokens = []
    private(set) var longQuoted: Tokens = []
    private(set) var longInside: [(characters: Int, token: Int32)] = []
    /// Special tokens that do not end generation, as bits.
    private(set) var special: [UInt64]

    private static let tabulatedLengths = 16

    init(_ vocabulary: TokenVocabulary) {
        inside = [UInt64](repeating: 0, count: (vocabulary.count + 63) / 64)
        insideByLength = [[UInt64]](repeating: inside, count: Self.tabulatedLengths)
        special = inside
        all.reserveCapacity(vocabulary.count)
        for token in 0..<Int32(vocabulary.count) {
            guard vocabulary.isText(token) else {
                if !vocabulary.endTokens.contains(token) { special[Int(token) >> 6] |= 1 << UInt64(token & 63) }
                continue
            }
            let bytes = vocabulary.bytes(of: token)
            all.append((bytes, token))
            if bytes.count > Int(TermStore.horizon) { addLong(bytes, token) } else { addShort(bytes, token) }
        }
    }

    private mutating func addLong(_ bytes: ArraySlice<UInt8>, _ token: Int32) {
        long.append((bytes, token))
        if bytes.contains(UInt8(ascii: "\"")) { longQuoted.append((bytes, token)) }
        if case .inside(let characters) = StringScan.scan(bytes) { longInside.append((characters, token)) }
    }

    private mutating func addShort(_ bytes: ArraySlice<UInt8>, _ token: Int32) {
        short.append((bytes, token))
        if bytes.contains(UInt8(ascii: "\"")) { quoted.append((bytes, token)) }
        switch StringScan.scan(bytes) {
        case .invalid: break
        case .closes(let suffix):
            if bytes[..<suffix.startIndex].contains(UInt8(ascii: "\\")) {
                escaped.append((bytes, token))
            } else {
                suffixes.append((suffix, token))
            }
        case .inside(let characters): addInside(token, characters: characters)
        }
    }

    private mutating func addInside(_ token: Int32, characters: Int) {
        let word = Int(token) >> 6
        let bit = UInt64(1) << UInt64(token & 63)
        inside[word] |= bit
        maximumCharacters = max(maximumCharacters, characters)
        for length in max(characters, 1)...max(Self.tabulatedLengths, characters)
        where length <= Self.tabulatedLengths {
            insideByLength[length - 1][word] |= bit
        }
    }

    /// The longer tokens that stay inside, as bits.
    var longInsideMask: [UInt64] {
        var mask = [UInt64](repeating: 0, count: inside.count)
        for (_, token) in longInside { mask[Int(token) >> 6] |= 1 << UInt64(token & 63) }
        return mask
    }
}
