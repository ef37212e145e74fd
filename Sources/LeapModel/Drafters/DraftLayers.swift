package import LeapGGUF

/// The block behind a model's layers that was trained with it to predict a further token (multi-token prediction, MTP,
/// "NextN" in files).
///
/// For position p + 1 it reads the token there, x, and the vector h of position p behind the model's last norm:
///
///     c = projection · [norm(embedding of x); norm(h)]        the token's half first
///     d = layer(c), with keys and values of its own, those of positions up to p + 1
///     h' = norm(d), and head · h' are the logits of the token at p + 2
///
/// The next step takes the token of these logits and h', the vector behind the norm. Source: llama.cpp
/// `src/models/qwen35.cpp` and `common/speculative.cpp`.
///
/// Of several blocks only the first is read, and all steps use it. The second reads what the first one puts out at every
/// position of the text, but passes compute the keys and values of the first only.
package struct DraftLayers: Sendable {
    /// The number of such blocks in metadata, under the architecture's name.
    package static let countKey = "nextn_predict_layers"

    /// The file with the weights, which it keeps mapped: the model's own or one apart.
    package let file: GGUFFile
    /// The index of the block in the file.
    package let block: Int
    /// The vectors of tokens: its own, or the model's.
    package let embedding: TokenEmbedding
    /// The norms of the two halves that ``projection`` reads.
    package let tokenNorm: Norm
    package let hiddenNorm: Norm
    /// Makes one vector of both.
    package let projection: Matrix
    /// One layer with attention, and the norm behind it.
    package let stack: LayerStack
    /// Makes logits: its own, or the model's.
    package let head: OutputHead
}

extension Model {
    /// Describes the block of this model's file that predicts further tokens; nil where the file has none, or none that
    /// this version runs.
    ///
    /// - Throws: ``EngineError`` that names the key or tensor at fault.
    package func draftLayers() throws -> DraftLayers? { try DraftLayers.read(file, for: self) }
}

extension DraftLayers {
    /// Reads the block of a file with a model's numbers: that model's own file, or one apart.
    static func read(_ file: GGUFFile, for target: Model) throws -> DraftLayers? {
        guard target.generatesText, let targetHead = target.layers.head, target.layers.stack.outputNorm != nil,
            let architecture = Architectures.all[target.architecture]
        else { return nil }
        let parts = try DecoderParts(
            file: file, architecture: target.architecture, vocabularySize: target.vocabularySize)
        let (binder, width) = (parts.binder, parts.common.embedding)
        guard let block = parts.common.draftBlock else { return nil }
        let own = parts.prefix(block) + "nextn."
        guard binder.has(own + "eh_proj.weight") else { return nil }
        let cacheIndex = target.layers.stack.layers.count { $0.mixer?.attention?.key != nil }
        guard let layer = try architecture.draftLayer(parts, layer: block, cacheIndex: cacheIndex) else { return nil }
        let outputNorm =
            binder.has(own + "shared_head_norm.weight")
            ? try parts.norm(own + "shared_head_norm") : target.layers.stack.outputNorm
        var embedding = target.layers.embedding
        if binder.has(own + "embed_tokens.weight") {
            embedding.table = try binder.lookupTable(
                own + "embed_tokens", rows: target.vocabularySize, columns: width)
        }
        var head = targetHead
        if let matrix = try binder.optionalMatrix(
            own + "shared_head_head", rows: target.vocabularySize, columns: width)
        {
            head.matrix = matrix
        }
        let layers = DraftLayers(
            file: file, block: block, embedding: embedding, tokenNorm: try parts.norm(own + "enorm"),
            hiddenNorm: try parts.norm(own + "hnorm"),
            projection: try binder.matrix(own + "eh_proj", rows: width, columns: 2 * width),
            stack: LayerStack(
                width: width, layers: [layer], outputNorm: outputNorm, ropes: target.layers.stack.ropes), head: head)
        try binder.refuseUnknown(within: [parts.prefix(block)])
        return layers
    }

    /// Returns the cost of a step, in tokens that the model computes alone: the block's weights, and those of the head.
    package func stepCost(beside target: Model) -> Double {
        let prefix = "blk.\(block)."
        let experts = stack.layers.lazy.compactMap { layer in
            layer.feedForward?.mixture.map { Double($0.router.used) / Double(max($0.count, 1)) }
        }.first
        var (bytes, weights) = (0.0, 0.0)
        for tensor in file.tensors where tensor.name.hasPrefix(prefix) {
            // Of the one table a step reads a row, and the other is the head.
            if tensor.name.hasSuffix("embed_tokens.weight") || tensor.name.hasSuffix("shared_head_head.weight") {
                continue
            }
            let share = tensor.name.contains("_exps.") ? experts ?? 1 : 1
            bytes += share * Double(tensor.byteCount)
            weights += share * Double(tensor.elementCount)
        }
        bytes += Double(head.matrix.byteCount)
        weights += Double(head.matrix.rows * head.matrix.columns)
        return ReadCost(bytes: bytes, weights: weights).ratio(to: target.readCost)
    }
}
