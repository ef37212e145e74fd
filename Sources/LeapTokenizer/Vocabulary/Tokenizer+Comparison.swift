import LeapBase

extension Tokenizer {
    /// The first id, of those that both vocabularies have, whose texts differ; nil where there is none.
    package func firstDifference(from other: Tokenizer) -> TokenID? {
        let (own, theirs) = (vocabulary.texts, other.vocabulary.texts)
        for index in 0..<min(own.count, theirs.count) where !own[index].elementsEqual(theirs[index]) {
            return TokenID(index)
        }
        return nil
    }
}
