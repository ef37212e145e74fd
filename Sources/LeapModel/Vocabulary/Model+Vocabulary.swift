import LeapGGUF
import LeapTokenizer

extension Model {
    /// Checks that ids stand for the same tokens as another model's.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels` that names both files and the first difference.
    package func checkVocabulary(matches target: Model) throws(EngineError) {
        try tokenizer.checkVocabulary(of: file.path, matches: target)
    }
}

extension Tokenizer {
    /// Checks that a draft model's ids stand for the same tokens as a model's.
    func checkVocabulary(of path: String, matches target: Model) throws(EngineError) {
        let (own, other) = (self, target.tokenizer)
        let difference: String
        if let token = own.firstDifference(from: other) {
            difference =
                "token \(token) is '\(own.text(of: token))' in the first and '\(other.text(of: token))' in the second"
        } else if own.vocabularySize != other.vocabularySize {
            difference =
                "the first has \(own.vocabularySize) tokens and the second has \(other.vocabularySize)"
        } else {
            return
        }
        throw EngineError(
            .incompatibleModels,
            "the draft model \(path) has a different vocabulary than the model \(target.file.path): \(difference); use a draft model of the same family",
            field: "draftModel")
    }
}
