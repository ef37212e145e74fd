package import LeapTokenizer

/// Keeps the tokens that a model itself chose.
///
/// A model may write a word in other tokens than the tokenizer would. When the reply comes back as part of the next
/// prompt, the tokenizer's choice would differ from what the kept state was computed with, and everything after it
/// would be computed again. So where a stretch between two control tokens says the same in both, the kept tokens stay.
package enum TokenReconciliation {
    /// The prompt's tokens, with the kept ones in the places where they say the same.
    ///
    /// - Parameters:
    ///   - prompt: the tokenizer's tokens.
    ///   - kept: the tokens the state was computed with.
    package static func reconcile(_ prompt: [TokenID], kept: [TokenID], tokenizer: Tokenizer) -> [TokenID] {
        var result: [TokenID] = []
        var p = 0
        var k = 0
        while p < prompt.count, k < kept.count {
            let promptEnd = stretchEnd(prompt, from: p, tokenizer)
            let keptEnd = stretchEnd(kept, from: k, tokenizer)
            let ours = prompt[p..<promptEnd]
            let theirs = kept[k..<keptEnd]
            if ours == theirs {
                result += ours
            } else if keptEnd < kept.count || promptEnd < prompt.count, says(theirs, tokenizer) == says(ours, tokenizer)
            {
                result += theirs
            } else {
                break
            }
            (p, k) = (promptEnd, keptEnd)
            guard p < prompt.count, k < kept.count, prompt[p] == kept[k] else { break }
            result.append(prompt[p])
            p += 1
            k += 1
        }
        return result + prompt[p...]
    }

    /// The next control token, or token that stands for a picture, or the end.
    private static func stretchEnd(_ tokens: [TokenID], from start: Int, _ tokenizer: Tokenizer) -> Int {
        tokens[start...].firstIndex { $0 < 0 || tokenizer.kind(of: $0) == .control } ?? tokens.count
    }

    private static func says(_ tokens: ArraySlice<TokenID>, _ tokenizer: Tokenizer) -> [UInt8] {
        var bytes: [UInt8] = []
        for token in tokens { tokenizer.appendBytes(of: token, to: &bytes) }
        return bytes
    }
}
