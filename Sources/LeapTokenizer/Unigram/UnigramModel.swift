/// SentencePiece's unigram language model: the `t5` model of GGUF.
///
/// Of all ways to write the normalized text in tokens, the one with the highest sum of scores (Viterbi's algorithm); a
/// character no token covers is unknown, at ten below the lowest score.
final class UnigramModel: TokenizerModel {
    private let vocabulary: Vocabulary
    private let trie: ByteTrie
    private let normalizer: UnigramNormalizer
    private let unknownToken: TokenID
    private let unknownScore: Double

    init(vocabulary: Vocabulary, normalizer: UnigramNormalizer, unknownToken: TokenID) {
        self.vocabulary = vocabulary
        self.normalizer = normalizer
        self.unknownToken = unknownToken
        var trie = ByteTrie()
        var lowest = Float.greatestFiniteMagnitude
        for token in 0..<vocabulary.count {
            switch vocabulary.kinds[token] {
            case .normal:
                lowest = min(lowest, vocabulary.score(token))
                trie.insert(vocabulary.texts[token], Int32(token))
            case .userDefined, .unused:
                trie.insert(vocabulary.texts[token], Int32(token))
            default:
                break
            }
        }
        self.trie = trie
        unknownScore = Double(lowest - 10)
    }

    func encode(
        _ text: UnsafeBufferPointer<UInt8>, isValid: Bool, startsSegment: Bool, scratch: EncodingScratch,
        into tokens: TokenBuffer
    ) {
        scratch.text.removeAll(keepingCapacity: true)
        normalizer.normalize(text, into: &scratch.text)
        let normalized = scratch.text
        normalized.withUnsafeBufferPointer { encodeNormalized($0, tokens) }
    }

    /// The best way to write the text up to a place: its last token, where that starts, and the sum of scores.
    private struct Best {
        var score = -Double.greatestFiniteMagnitude
        var start: Int32 = 0
        var token: TokenID
    }

    private func encodeNormalized(_ text: UnsafeBufferPointer<UInt8>, _ tokens: TokenBuffer) {
        guard text.count > 0 else { return }
        var best = ContiguousArray(repeating: Best(token: unknownToken), count: text.count + 1)
        best[0].score = 0
        best.withUnsafeMutableBufferPointer { best in
            var position = 0
            while position < text.count {
                let end = min(position + UTF8Length.of(lead: text[position]), text.count)
                let score = best[position].score
                var coversCharacter = false
                var node = ByteTrie.root
                var index = position
                while index < text.count, let next = trie.child(of: node, text[index]) {
                    node = next
                    index += 1
                    let token = trie.value(at: node)
                    if token < 0 { continue }
                    if index == end { coversCharacter = true }
                    // User-defined tokens win over any way to write them in others, whose scores are logarithms.
                    let own = vocabulary.kinds[Int(token)] == .userDefined ? 0 : Double(vocabulary.score(Int(token)))
                    if score + own > best[index].score {
                        best[index] = Best(score: score + own, start: Int32(truncatingIfNeeded: position), token: token)
                    }
                }
                if !coversCharacter, score + unknownScore > best[end].score {
                    best[end] = Best(
                        score: score + unknownScore, start: Int32(truncatingIfNeeded: position), token: unknownToken)
                }
                position = end
            }
            let first = tokens.count
            var end = text.count
            var followsUnknown = false
            while end > 0 {
                let step = best[end]
                let isUnknown = step.token == unknownToken
                if !(isUnknown && followsUnknown) { tokens.append(step.token) }
                followsUnknown = isUnknown
                end = Int(step.start)
            }
            tokens.reverse(from: first)
        }
    }
}
