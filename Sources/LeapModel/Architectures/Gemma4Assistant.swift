import LeapBase
import LeapGGUF
import LeapTokenizer

/// Gemma 4's assistants (`gemma4-assistant`, Google): drafters that read the model's keys and values.
///
/// The computation of such a drafter, and the places where it is written down:
///
/// - The vector of the latest token, the row of the model's table times the root of its length, and the model's vector
///   behind its last norm at the position before, one behind the other, become one of the drafter's length by
///   `nextn.pre_projection` (llama.cpp `src/models/gemma4-assistant.cpp`; transformers `gemma4_assistant`).
/// - It goes through layers as those of ``Gemma4`` that have queries only. Keys and values are those that the model
///   keeps: layers with a window read its last layer with a window, the others its last one without (both).
/// - Behind the last norm the table of tokens makes the logits, without a cap, and `nextn.post_projection` the vector
///   that the next step takes in place of the model's (both).
/// - All steps have the same position, that of the latest token, and see the same positions before it: nothing of what
///   is proposed is kept (transformers `generation/candidate_generator.py`).
///
/// Assistants of E2B and E4B have a head that computes only the tokens of some clusters
/// (`masked_embd_centroids.weight`, `masked_embd_ordering`). All tokens are computed instead, as llama.cpp does.
enum Gemma4Assistant {
    /// The name under which files declare it, in `general.architecture`.
    static let name = "gemma4-assistant"

    /// The tensors of the head of clusters, which is not used.
    static let unused = [
        "masked_embd_centroids.weight", "masked_embd_ordering", "masked_embd_ordering.weight",
    ]

    private static let harmlessKeys =
        HarmlessKeys.common + ["final_logit_softcapping", "centroid_count", "centroid_used_count"]

    /// Reads a drafter.
    static func describe(_ file: GGUFFile) throws -> AssistantDrafter {
        let tokenizer = try Tokenizer(metadata: file.metadata, fileStaysOpen: true)
        let parts = try DecoderParts(file: file, architecture: name, countsAllBlocks: true)
        let (reader, binder, width) = (parts.reader, parts.binder, parts.common.embedding)
        try parts.refuseExperts()
        try checkBlocks(parts)
        // Vectors of tokens for every layer would be the model's.
        _ = try reader.optionalInt("embedding_length_per_layer_input", in: 0...0)
        let target = try reader.int("embedding_length_out", in: CommonHyperparameters.lengthRange)
        guard tokenizer.vocabularySize <= parts.vocabularySize else {
            throw EngineError(
                .invalidTensor,
                "tensor token_embd.weight has \(parts.vocabularySize) rows but the vocabulary has \(tokenizer.vocabularySize) tokens: it needs one row for each",
                field: "token_embd.weight")
        }
        let drafter = AssistantDrafter(
            file: file, tokenizer: tokenizer, targetLength: target,
            input: try binder.matrix("nextn.pre_projection", rows: width, columns: 2 * target),
            output: try binder.matrix("nextn.post_projection", rows: target, columns: width),
            stack: try stack(parts), head: try parts.embedding(), notes: notes(file))
        for name in unused { binder.passOver(name) }
        try reader.refuseUnknown(except: harmlessKeys)
        try binder.refuseLayers(from: parts.common.layers, of: reader.key("block_count"))
        try binder.refuseUnknown()
        return drafter
    }

    /// All blocks propose tokens: a file that counts others among them is of another kind.
    private static func checkBlocks(_ parts: DecoderParts) throws {
        let key = "nextn_predict_layers"
        let count = try parts.reader.int(key, in: 1...4096)
        guard count == parts.common.layers else {
            throw EngineError(
                .invalidMetadata,
                "\(parts.reader.key(key)) is \(count) but \(parts.reader.key("block_count")) is \(parts.common.layers): in an assistant both are the same; the file is damaged: get it again",
                field: parts.reader.key(key))
        }
    }

    private static func notes(_ file: GGUFFile) -> [String] {
        guard unused.contains(where: { file.tensor($0) != nil }) else { return [] }
        return ["the head of clusters (masked_embd_centroids) is not used: logits of all tokens are computed"]
    }

    private static func stack(_ parts: DecoderParts) throws -> LayerStack {
        let attention = try GemmaAttention(parts)
        return LayerStack(
            width: parts.common.embedding,
            layers: try (0..<parts.common.layers).map { layer in
                let prefix = parts.prefix(layer)
                var block = try attention.queries(layer)
                block.readsBehind = true
                return DecoderLayer(
                    mixerNorm: try parts.norm(prefix + "attn_norm"), mixer: .attention(block),
                    mixerPostNorm: try parts.norm(prefix + "post_attention_norm"),
                    feedForwardNorm: try parts.norm(prefix + "ffn_norm"),
                    feedForward: .dense(try parts.dense(layer: layer, activation: .gelu)),
                    feedForwardPostNorm: try parts.norm(prefix + "post_ffw_norm"),
                    outputScale: try parts.binder.optionalValues(prefix + "layer_output_scale.weight", count: 1)?[0]
                        ?? 1)
            }, outputNorm: try parts.norm("output_norm"), ropes: try attention.ropes())
    }
}
