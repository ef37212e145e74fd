import LeapGGUF

/// The heads of masked language models.
extension DecoderParts {
    /// The head that makes logits of masked words; nil where the file has none.
    ///
    /// Encoders have a dense layer with exact GELU and a norm (`cls.weight`, `cls.norm.weight`) in front of a matrix of
    /// the vocabulary, which is the embedding table unless the file has one (`output.weight`, `cls.output.weight`).
    /// Two-way models of other architectures have that matrix alone.
    func maskedWords(of layers: LanguageModel) throws -> Classifier? {
        guard !layers.stack.isCausal, layers.classifier == nil, layers.projections.isEmpty, layers.decisionHead == nil
        else { return nil }
        let hasTransform = binder.has("cls.weight") && binder.has("cls.norm.weight")
        guard Architectures.all[reader.architecture]?.isEncoder == true else {
            // What other layers in front of the matrix would compute is not known.
            guard let head = layers.head, !binder.has("cls.weight") else { return nil }
            return Classifier(pooling: .none, activation: .exactGELU, output: head.matrix)
        }
        guard hasTransform, let output = try vocabularyMatrix() else { return nil }
        let width = common.embedding
        return Classifier(
            pooling: .none, dense: try binder.matrix("cls", rows: width, columns: width, bias: true),
            activation: .exactGELU, norm: try layerNorm("cls.norm"), output: output)
    }

    /// The matrix that makes logits, with its bias; nil where the file has one of another number of rows, which makes
    /// scores of something else.
    private func vocabularyMatrix() throws -> Matrix? {
        for name in ["output", "cls.output"] where binder.has("\(name).weight") {
            guard binder.rowCount("\(name).weight") == vocabularySize else { return nil }
            return try binder.matrix(name, rows: vocabularySize, columns: common.embedding, bias: true)
        }
        var table = try embedding()
        for name in ["output.bias", "cls.output.bias"] where table.bias == nil {
            table.bias = try binder.optionalVector(name, count: vocabularySize)
        }
        return table
    }
}
