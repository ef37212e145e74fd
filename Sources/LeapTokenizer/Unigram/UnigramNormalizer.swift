import LeapBase

/// The normalisation of text by SentencePiece before it looks for tokens: character replacement, and spaces.
struct UnigramNormalizer: Sendable {
    private let charsMap: CharsMap?
    private let userDefined: ByteTrie
    private let addsSpacePrefix: Bool
    private let mergesSpaces: Bool

    init(vocabulary: Vocabulary, charsMap: CharsMap?, addsSpacePrefix: Bool, mergesSpaces: Bool) {
        self.charsMap = charsMap
        self.addsSpacePrefix = addsSpacePrefix
        self.mergesSpaces = mergesSpaces
        var trie = ByteTrie()
        for token in 0..<vocabulary.count where vocabulary.kinds[token] == .userDefined {
            trie.insert(vocabulary.texts[token], Int32(token))
        }
        userDefined = trie
    }

    /// Appends the normal form of `text`.
    ///
    /// Spaces become U+2581; one is put before the first word if the file's metadata asks for it; runs become one if it
    /// wants that. User-defined tokens stay as they are. A byte that belongs to no character becomes U+FFFD.
    func normalize(_ text: UnsafeBufferPointer<UInt8>, into result: inout [UInt8]) {
        result.reserveCapacity(text.count + text.count / 2 + 3)
        var hasPrefix = false
        var isInWord = false

        @inline(__always)
        func append(_ byte: UInt8) {
            if byte == UInt8(ascii: " ") {
                isInWord = false
                if !mergesSpaces { result.append(contentsOf: Self.space) }
                return
            }
            if !isInWord {
                isInWord = true
                if addsSpacePrefix && !hasPrefix || mergesSpaces {
                    result.append(contentsOf: Self.space)
                    hasPrefix = true
                }
            }
            result.append(byte)
        }
        var position = 0
        while position < text.count {
            if !userDefined.isEmpty {
                let length = userDefined.longestMatch(text, at: position).length
                if length > 0 {
                    for index in position..<position + length { append(text[index]) }
                    position += length
                    continue
                }
            }
            if let (length, replacement) = charsMap?.longestMatch(text, at: position) {
                charsMap?.forEachByte(of: replacement) { append($0) }
                position += length
                continue
            }
            let length = UTF8Bytes.characterLength(text, at: position)
            if length > 0 {
                for index in position..<position + length { append(text[index]) }
                position += length
            } else {
                for byte in [0xEF, 0xBF, 0xBD] as [UInt8] { append(byte) }
                position += 1
            }
        }
    }

    private static let space: [UInt8] = [0xE2, 0x96, 0x81]
}
