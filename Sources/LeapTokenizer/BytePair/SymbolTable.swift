import LeapBase
import LeapGGUF

/// Gives the texts in a list of merges their numbers: tokens their ids, and texts that are not tokens ids after those.
///
/// A merge may pass through a text that is not a token itself; llama.cpp merges by text and so lets it.
struct SymbolTable {
    private let vocabulary: Vocabulary
    private let index: TokenIndex
    private var virtualIDs: [[UInt8]: TokenID] = [:]
    /// The texts that are not tokens.
    private(set) var virtualSymbols: [[UInt8]] = []
    /// The maximum number of symbols that are not tokens: no real vocabulary has many, and each takes more memory than
    /// its merge in the file.
    private let limit: Int

    init(_ vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
        index = vocabulary.index
        limit = 1024 + vocabulary.count / 4
    }

    /// The number of `text`; nil if it is one text too many that is not a token.
    mutating func symbol(of text: UnsafeBufferPointer<UInt8>) -> TokenID? {
        if let base = text.baseAddress {
            let token = index.find(base, text.count)
            if token >= 0 { return token }
        }
        return virtualID(Array(text))
    }

    private mutating func virtualID(_ text: [UInt8]) -> TokenID? {
        if let known = virtualIDs[text] { return known }
        guard virtualSymbols.count < limit else { return nil }
        let id = TokenID(truncatingIfNeeded: vocabulary.count + virtualSymbols.count)
        virtualIDs[text] = id
        virtualSymbols.append(text)
        return id
    }

    /// Reads `left right` entries in the order of their rank; an entry without a space merges nothing.
    mutating func read(_ strings: GGUFStringArray, into table: MergeTable) {
        var joined: [UInt8] = []
        var guess = 0
        strings.withUnsafeContents { contents, bounds in
            for rank in 0..<bounds.count - 1 {
                let start = Int(bounds[rank]) + 8
                let merge = UnsafeBufferPointer(start: contents + start, count: Int(bounds[rank + 1]) - start)
                // Not at the very start, where a space would be part of the left text.
                guard let space = merge.dropFirst().firstIndex(of: UInt8(ascii: " ")) else { continue }
                let left = UnsafeBufferPointer(rebasing: merge[..<space])
                let right = UnsafeBufferPointer(rebasing: merge[(space + 1)...])
                // Vocabularies hold the results of their merges in order, so the next one is mostly the next token.
                var result: TokenID? = TokenID(guess)
                if guess >= vocabulary.count || !isJoined(guess, left, right) {
                    joined.removeAll(keepingCapacity: true)
                    joined.append(contentsOf: left)
                    joined.append(contentsOf: right)
                    result = joined.withUnsafeBufferPointer { symbol(of: $0) }
                }
                guard let result, let left = symbol(of: left), let right = symbol(of: right) else { continue }
                guess = Int(result) + 1
                table.insert(left, right, rank: rank, result: result)
            }
        }
    }

    private func isJoined(
        _ token: Int, _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let text = vocabulary.texts[token]
        guard text.count == left.count + right.count, let base = text.baseAddress, let first = left.baseAddress,
            let second = right.baseAddress
        else { return false }
        return ByteHash.equal(base, first, left.count) && ByteHash.equal(base + left.count, second, right.count)
    }
}
