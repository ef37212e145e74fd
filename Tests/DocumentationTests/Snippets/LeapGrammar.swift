import LeapGrammar

/// The blocks of `LeapGrammar.md`.
func grammarSnippets(tokens: [[UInt8]], choose: ([UInt64]) -> Int32) throws {
    let grammar = try CompiledGrammar.jsonSchema(#"{"type": "object", "properties": {"age": {"type": "integer"}}}"#)
    let vocabulary = VocabularyIndex(TokenVocabulary(tokens: tokens, specialTokens: [], endTokens: [2]))
    let matcher = grammar.matcher(vocabulary: vocabulary)
    while !matcher.isFinished {
        let token = choose(matcher.mask())  // one bit for each token
        guard matcher.accept(token) else { break }
    }
}
