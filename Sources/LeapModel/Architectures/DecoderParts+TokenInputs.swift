import LeapBase

/// Vectors of each token for every layer (Gemma 3n and 4).
extension DecoderParts {
    /// The table of them, and what is added to its rows.
    func perLayerEmbedding(width: Int) throws -> PerLayerEmbedding {
        let all = width * common.layers
        return PerLayerEmbedding(
            table: try binder.lookupTable("per_layer_token_embd", rows: vocabularySize, columns: all),
            tableScale: sqrtf(Float(width)),
            projection: try binder.matrix("per_layer_model_proj", rows: all, columns: common.embedding),
            projectionScale: 1 / sqrtf(Float(common.embedding)),
            norm: try binder.rmsNorm("per_layer_proj_norm", count: width, epsilon: common.epsilon),
            scale: 1 / sqrtf(2), layers: common.layers)
    }

    /// Reads the block by which a layer takes its vector of the token.
    func tokenInput(layer: Int, width: Int) throws -> TokenInput {
        let prefix = prefix(layer)
        return TokenInput(
            gate: try binder.matrix(prefix + "inp_gate", rows: width, columns: common.embedding),
            projection: try binder.matrix(prefix + "proj", rows: common.embedding, columns: width),
            norm: try norm(prefix + "post_norm"), index: layer)
    }
}
