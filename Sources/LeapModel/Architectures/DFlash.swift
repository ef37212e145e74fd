import LeapBase
import LeapGGUF
import LeapTokenizer

/// DFlash (arXiv:2602.06036) and DSpark (arXiv:2607.05147), the latter as Liquid AI has it for LFM2.5: drafters of a
/// block.
///
/// The computation of such a drafter, and the places where it is written down:
///
/// - The outputs of some of the model's layers at each position, one after the other, become one vector by `fc` and
///   the norm `enc.output_norm`. `target_layers` counts the layer that reads an output, which is one more than the
///   layer that makes it (llama.cpp `src/models/dflash.cpp` and `conversion/qwen.py`; mlx-vlm
///   `speculative/drafters/dspark`, where the numbers of the configuration are those of the layers that make them).
/// - Each layer's keys and values of the text so far are projections of that same vector, with the norm of heads and
///   the rotation of its position; nothing else is computed of these positions (llama.cpp; mlxcel
///   `drafter/dflash/attention.rs`).
/// - A block is the latest token, which the model has not computed, and masks after it. It goes through layers as
///   those of ``Qwen3``, each position of which sees the text so far and the whole block. Its keys and values are not
///   kept (both).
/// - With `markov_w1` and `markov_w2`, the logits of a position get `markov_w2 · markov_w1[token before]`, the token
///   before being the one just chosen, at first the latest of the text, and every position proposes one
///   (`sample_from_anchor`; both). Without, or where `sample_from_anchor` is false, the first position proposes
///   nothing.
/// - The vectors of tokens and the head are the model's where the file has none of its own (both). The head's scale and
///   cap are not applied.
/// - Files have the rows of queries and keys ordered for rotations of halves, also where the checkpoint turns
///   neighbours (llama.cpp's converter).
/// - `conf_proj`, which estimates how likely each token is right, is not computed: no proposal depends on it by default
///   in either.
///
/// Not read, and refused by name: a vocabulary of its own (`d2t`), windows, causal blocks, and what later variants have
/// besides (convolutions and selectors of DFlash 2, the layers of DeepSeek V4).
enum DFlash {
    /// The name under which files declare it, in `general.architecture`.
    static let name = "dflash"

    /// The maximum number of positions of a block, and of layers that are read.
    private static let limit = 64

    /// Reads a drafter.
    static func describe(_ file: GGUFFile) throws -> BlockDrafter {
        let tokenizer = try Tokenizer(metadata: file.metadata, fileStaysOpen: true)
        let parts = try DecoderParts(
            file: file, architecture: name, vocabularySize: try vocabularySize(file, tokenizer))
        let (reader, binder, width) = (parts.reader, parts.binder, parts.common.embedding)
        try parts.refuseExperts()
        try refuseUnsupported(reader)
        let layers = try sourceLayers(reader)
        let transitions = try transitions(parts)
        // For a head that estimates how likely a proposal is right.
        _ = try reader.optionalBool("has_confidence_head")
        _ = try binder.optionalMatrix("conf_proj", rows: 1, columns: width + (transitions?.previous.columns ?? 0))
        _ = try binder.optionalVector("conf_proj.bias", count: 1)
        let embedding = binder.has("token_embd.weight") ? try parts.embedding() : nil
        let head = try binder.optionalMatrix("output", rows: parts.vocabularySize, columns: width)
        let anchored = try reader.optionalBool("sample_from_anchor") ?? true
        let drafter = BlockDrafter(
            file: file, tokenizer: tokenizer,
            vocabularySize: embedding ?? head ?? transitions?.next == nil ? nil : parts.vocabularySize,
            contextLength: parts.common.contextLength, blockLength: try reader.int("block_size", in: 2...limit),
            proposesAtAnchor: anchored && transitions != nil, maskToken: try maskToken(file, tokenizer),
            sourceLayers: layers,
            fusion: try binder.matrix("fc", rows: width, columns: layers.count * width),
            fusionNorm: try parts.norm("enc.output_norm"), stack: try stack(parts), embedding: embedding, head: head,
            transitions: transitions)
        try reader.refuseUnknown(except: HarmlessKeys.common)
        try binder.refuseLayers(from: parts.common.layers, of: reader.key("block_count"))
        try binder.refuseUnknown()
        return drafter
    }

    /// Rows of the tables of tokens, of the first that the file has.
    private static func vocabularySize(_ file: GGUFFile, _ tokenizer: Tokenizer) throws(EngineError) -> Int {
        let names = ["token_embd.weight", "output.weight", "markov_w1.weight"]
        let rows = names.lazy.compactMap { file.tensor($0) }.first.map { $0.shape.count > 1 ? $0.shape[1] : 0 }
        let count = rows ?? tokenizer.vocabularySize
        guard (tokenizer.vocabularySize...Int(Int32.max)).contains(count) else {
            throw EngineError(
                .invalidTensor,
                "the tables of tokens have \(count) rows but the vocabulary has \(tokenizer.vocabularySize) tokens: a drafter needs one row for each, and cannot have its own vocabulary",
                field: names.first { file.tensor($0) != nil })
        }
        return count
    }

    private static func stack(_ parts: DecoderParts) throws -> LayerStack {
        LayerStack(
            width: parts.common.embedding,
            layers: try (0..<parts.common.layers).map { layer in
                let prefix = parts.prefix(layer)
                for norm in ["attn_q_norm.weight", "attn_k_norm.weight"] {
                    _ = try parts.binder.vector(prefix + norm, count: parts.common.headDimension)
                }
                return DecoderLayer(
                    mixerNorm: try parts.norm(prefix + "attn_norm"),
                    mixer: .attention(try parts.attention(layer: layer, cacheIndex: layer, rope: 0)),
                    feedForwardNorm: try parts.norm(prefix + "ffn_norm"),
                    feedForward: .dense(try parts.dense(layer: layer)))
            }, outputNorm: try parts.norm("output_norm"), ropes: [try parts.rope(interleaved: false)], isCausal: false)
    }

    private static func transitions(_ parts: DecoderParts) throws -> TokenTransitions? {
        guard parts.binder.has("markov_w1.weight") || parts.binder.has("markov_w2.weight") else { return nil }
        let rank = parts.binder.columnCount("markov_w1.weight")
        if let given = try parts.reader.optionalInt("markov_rank", in: 0...Int(Int32.max)), given != rank {
            throw EngineError(
                .invalidMetadata,
                "\(parts.reader.key("markov_rank")) is \(given) but the rows of markov_w1.weight have \(rank) elements: the file is damaged: get it again",
                field: parts.reader.key("markov_rank"))
        }
        return TokenTransitions(
            previous: try parts.binder.matrix("markov_w1", rows: parts.vocabularySize, columns: rank),
            next: try parts.binder.matrix("markov_w2", rows: parts.vocabularySize, columns: rank))
    }

    /// The layers of the model that make what is read.
    private static func sourceLayers(_ reader: HyperparameterReader) throws -> [Int] {
        let key = reader.key("target_layers")
        let given = try reader.metadata.ints(key) ?? []
        let layers = given.prefix(limit + 1).map { Int(clamping: $0) }
        guard !layers.isEmpty, layers.count <= limit, layers.allSatisfy({ (1...4096).contains($0) }),
            zip(layers, layers.dropFirst()).allSatisfy({ $0 < $1 })
        else {
            throw EngineError(
                .invalidMetadata,
                "\(key) is \(layers.prefix(8)) (\(given.count) long): it has to be 1 to \(limit) numbers of layers from 1 on, in ascending order",
                field: key)
        }
        return layers.map { $0 - 1 }
    }

    private static func maskToken(_ file: GGUFFile, _ tokenizer: Tokenizer) throws -> TokenID {
        let key = "tokenizer.ggml.mask_token_id"
        guard let token = try file.metadata.uint(key) else {
            throw EngineError(
                .invalidMetadata, "\(key) is missing: a drafter needs a token in place of those that it proposes",
                field: key)
        }
        guard token < UInt64(tokenizer.vocabularySize) else {
            throw EngineError(
                .invalidMetadata, "\(key) is \(token): it has to be below \(tokenizer.vocabularySize)", field: key)
        }
        return TokenID(token)
    }

    private static func refuseUnsupported(_ reader: HyperparameterReader) throws {
        func refuse(_ name: String, _ value: String, _ expected: String) -> EngineError {
            EngineError(
                .unsupportedArchitecture,
                "\(reader.key(name)) is \(value): drafters are supported only if it is \(expected)",
                field: reader.key(name))
        }
        if try reader.optionalBool("attention.causal") == true { throw refuse("attention.causal", "true", "false") }
        // Drafters of models that tell rows and columns of pictures apart turn by time alone.
        if let sections = try reader.metadata.ints(reader.key("rope.dimension_sections")),
            sections.dropFirst().contains(where: { $0 != 0 })
        {
            throw refuse("rope.dimension_sections", "\(sections.prefix(8))", "0 except for the first number")
        }
        if let window = try reader.optionalInt("attention.sliding_window", in: 0...Int(Int32.max)), window > 0 {
            throw refuse("attention.sliding_window", "\(window)", "0")
        }
    }
}
