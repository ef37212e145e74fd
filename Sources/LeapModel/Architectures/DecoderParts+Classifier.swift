import LeapBase
import LeapGGUF

/// The heads of models that rank texts.
extension DecoderParts {
    /// Returns whether the file says that its model ranks pairs of texts (`pooling_type` 4).
    func ranks() throws -> Bool { try reader.optionalInt("pooling_type", in: 0...Pooling.rankType) == Pooling.rankType }

    /// The head of a model that ranks; nil where the file has none.
    ///
    /// - Throws: ``EngineError`` where a model ranks that has neither this head nor one of words.
    func classifier(of layers: LanguageModel) throws -> Classifier? {
        guard try ranks(), layers.decisionHead == nil else { return nil }
        guard binder.has("cls.output.weight") else {
            // What writes text may say "yes" or "no".
            guard layers.head != nil, layers.stack.isCausal else {
                throw EngineError(
                    .missingTensor,
                    "tensor cls.output.weight is missing: a model that ranks texts (\(reader.key("pooling_type")) is 4) computes its scores with it",
                    field: "cls.output.weight")
            }
            return nil
        }
        let width = common.embedding
        // Writers leave a last dimension of 1 out.
        let count = max(binder.rowCount("cls.output.weight"), 1)
        guard count <= Self.maxLabels else {
            throw EngineError(
                .invalidTensor,
                "tensor cls.output.weight has \(count) rows: at most \(Self.maxLabels) scores are supported",
                field: "cls.output.weight")
        }
        let isModern = reader.architecture == ModernBERT.name
        let dense =
            binder.has("cls.weight") ? try binder.matrix("cls", rows: width, columns: width, bias: true) : nil
        let output = try binder.matrix("cls.output", rows: count, columns: width, bias: true)
        return Classifier(
            pooling: layers.stack.isCausal ? .last : isModern ? .mean : .cls, dense: dense,
            activation: isModern ? .exactGELU : .tanh,
            norm: binder.has("cls.norm.weight") ? try layerNorm("cls.norm") : nil, output: output,
            labels: try labels(count: count))
    }

    private static let maxLabels = 4096

    /// The names of scores; files that have another number of them mean something else.
    private func labels(count: Int) throws -> [String] {
        let key = reader.key("classifier.output_labels")
        guard let names = try reader.metadata.strings(key) else { return [] }
        guard names.count == count else {
            throw EngineError(
                .invalidMetadata, "\(key) has \(names.count) names but cls.output.weight has \(count) rows", field: key)
        }
        return names.map { String($0) }
    }
}
