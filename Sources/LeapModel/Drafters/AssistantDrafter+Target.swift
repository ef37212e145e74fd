import LeapGGUF
import LeapTokenizer

extension AssistantDrafter {
    /// Checks that it was made for a model.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels` that names both files, what differs, and the key at
    ///   fault.
    package func validate(for target: Model) throws(EngineError) {
        guard target.generatesText else { throw .writesNoText }
        guard target.architecture == Gemma4.name else {
            throw refusal(
                target,
                "it reads what layers of \(Gemma4.name) keep, but the model's architecture is \(target.architecture)",
                "general.architecture")
        }
        guard targetLength == target.embeddingLength else {
            throw refusal(
                target,
                "it takes vectors of \(targetLength) elements, but the model's have \(target.embeddingLength)",
                "\(Gemma4Assistant.name).embedding_length_out")
        }
        try tokenizer.checkVocabulary(of: file.path, matches: target)
        guard head.rows == target.vocabularySize else {
            throw refusal(
                target, "its table has \(head.rows) rows, but the model's has \(target.vocabularySize)",
                "token_embd.weight")
        }
        _ = try stack(beside: target)
    }

    /// Returns the layers as they run beside a model.
    ///
    /// Those with a window read the keys and values of its last layer with a window, the others those of its last layer
    /// that sees everything, of the layers that have keys. Queries turn as that layer's keys do.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels`, as ``validate(for:)``.
    package func stack(beside target: Model) throws(EngineError) -> LayerStack {
        var stack = stack
        // Its queries turn as the keys that they meet, which may be stretched for longer contexts.
        stack.ropes = target.layers.stack.ropes
        for index in stack.layers.indices {
            guard case .attention(var block)? = stack.layers[index].mixer else { continue }
            let source = try source(of: block, layer: index, in: target)
            (block.keyValueHeads, block.cacheIndex, block.rope) = (source.keyValueHeads, source.cacheIndex, source.rope)
            stack.layers[index].mixer = .attention(block)
        }
        return stack
    }

    /// The number of the model's first layers that keep what is read.
    package func readLayerCount(of target: Model) -> Int {
        stack.layers.compactMap { layer in
            layer.mixer?.attention.flatMap { Self.lastLayer(of: target, slides: $0.window > 0) }
        }.max().map { $0 + 1 } ?? 0
    }

    /// The last of a model's layers that keeps keys and values of its own, of those with a window or of the others.
    private static func lastLayer(of target: Model, slides: Bool) -> Int? {
        target.layers.stack.layers.lastIndex { layer in
            guard let block = layer.mixer?.attention, block.key != nil else { return false }
            return (block.window > 0) == slides
        }
    }

    /// The attention whose keys and values a layer reads.
    private func source(
        of block: AttentionBlock, layer: Int, in target: Model
    ) throws(EngineError) -> AttentionBlock {
        let slides = block.window > 0
        let layers = target.layers.stack.layers
        guard let source = Self.lastLayer(of: target, slides: slides).flatMap({ layers[$0].mixer?.attention }) else {
            throw refusal(
                target,
                "its layer \(layer) \(slides ? "has a window" : "sees everything"), but no layer of the model does",
                "\(Gemma4Assistant.name).attention.sliding_window_pattern")
        }
        guard source.headDimension == block.headDimension else {
            throw refusal(
                target,
                "the heads of its layer \(layer) have \(block.headDimension) elements, but the model's \(source.headDimension)",
                "\(Gemma4Assistant.name).attention.key_length\(slides ? "_swa" : "")")
        }
        guard block.heads % source.keyValueHeads == 0 else {
            throw refusal(
                target,
                "its layer \(layer) has \(block.heads) heads, which the model's \(source.keyValueHeads) key/value heads do not divide",
                "\(Gemma4Assistant.name).attention.head_count")
        }
        try checkRotation(of: block, layer: layer, matches: source, in: target)
        return source
    }

    private func checkRotation(
        of block: AttentionBlock, layer: Int, matches source: AttentionBlock, in target: Model
    ) throws(EngineError) {
        guard let own = block.rope.map({ stack.ropes[$0] }),
            let other = source.rope.map({ target.layers.stack.ropes[$0] })
        else { return }
        guard own.base == other.base, own.dimensions == other.dimensions else {
            throw refusal(
                target,
                "the \(own.dimensions) elements of its layer \(layer) that rotate have base \(own.base), but the model's \(other.dimensions) have base \(other.base)",
                "\(Gemma4Assistant.name).rope.freq_base\(block.window > 0 ? "_swa" : "")")
        }
    }

    /// The cost of a proposed token, in tokens that the model computes alone.
    package func cost(beside target: Model) -> Double {
        var (bytes, weights) = (0.0, 0.0)
        // All of it is read, the table as the head.
        for tensor in file.tensors where !Gemma4Assistant.unused.contains(tensor.name) {
            bytes += Double(tensor.byteCount)
            weights += Double(tensor.elementCount)
        }
        return ReadCost(bytes: bytes, weights: weights).ratio(to: target.readCost)
    }
}
