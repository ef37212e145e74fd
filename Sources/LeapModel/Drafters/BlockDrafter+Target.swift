import LeapGGUF
import LeapTokenizer

extension BlockDrafter {
    /// Checks that it was made for a model.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels` that names both files, what differs, and the key at
    ///   fault.
    package func validate(for target: Model) throws(EngineError) {
        guard target.generatesText, let targetHead = target.layers.head else { throw .writesNoText }
        guard stack.width == target.embeddingLength else {
            throw refusal(
                target,
                "its vectors have \(stack.width) elements, but the model's have \(target.embeddingLength)",
                "\(DFlash.name).embedding_length")
        }
        if let last = sourceLayers.last, last >= target.layerCount {
            throw refusal(
                target,
                "it reads the output of layer \(last + 1), but the model has \(target.layerCount) layers",
                "\(DFlash.name).target_layers")
        }
        try tokenizer.checkVocabulary(of: file.path, matches: target)
        let logits = head?.rows ?? targetHead.matrix.rows
        guard logits == target.vocabularySize, vocabularySize ?? logits == logits else {
            throw refusal(
                target,
                "its tables have \(vocabularySize ?? logits) rows, but the model's have \(target.vocabularySize)",
                "draftModel")
        }
    }

    /// The vectors of tokens: its own, or the rows of the model's table.
    package func tokenEmbedding(beside target: Model) -> TokenEmbedding {
        TokenEmbedding(table: embedding ?? target.layers.embedding.table)
    }

    /// Returns the cost of proposing, in tokens that the model computes alone: of a block of one token, and of each
    /// further token besides the pass.
    package func cost(beside target: Model) -> (block: Double, transition: Double) {
        let read = target.readCost
        // Of tables a token reads one row.
        let rows: Set<String> = ["token_embd.weight", "markov_w1.weight", "markov_w2.weight"]
        var (bytes, weights) = (0.0, 0.0)
        for tensor in file.tensors where !rows.contains(tensor.name) {
            bytes += Double(tensor.byteCount)
            weights += Double(tensor.elementCount)
        }
        if head == nil, let matrix = target.layers.head?.matrix {
            bytes += Double(matrix.byteCount)
            weights += Double(matrix.rows * matrix.columns)
        }
        let block = ReadCost(bytes: bytes, weights: weights).ratio(to: read)
        guard let next = transitions?.next else { return (block, 0) }
        let transition = ReadCost(bytes: Double(next.byteCount), weights: Double(next.rows * next.columns))
        return (block, transition.ratio(to: read))
    }
}
