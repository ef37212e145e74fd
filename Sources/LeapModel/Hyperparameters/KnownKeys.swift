import LeapBase
import LeapGGUF

/// The keys of an architecture that are read, or that change nothing of what is computed.
///
/// Where a file has others, it may compute otherwise than this version does; then it is refused rather than computed wrongly.
enum KnownKeys {
    /// Numbers that all architectures have, and remarks.
    static let common: Set<String> = [
        "attention.head_count", "attention.head_count_kv", "attention.key_length", "attention.layer_norm_epsilon",
        "attention.layer_norm_rms_epsilon", "attention.scale", "attention.value_length", "block_count",
        "context_length", "embedding_length", "feed_forward_length", "pooling_type", "rope.dimension_count",
        "rope.freq_base", "rope.scale_linear", "rope.scaling.attn_factor", "rope.scaling.factor",
        "rope.scaling.finetuned", "rope.scaling.original_context_length", "rope.scaling.type",
        "rope.scaling.yarn_attn_factor", "rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow",
        "tensor_data_layout", "vocab_size",
    ]

    /// Those of models that see a text as a whole.
    static let encoder: Set<String> = common.union([
        "attention.causal", "classifier.output_labels", "dense_2_feat_in", "dense_2_feat_out", "dense_3_feat_in",
        "dense_3_feat_out", "embedding_length_out",
    ])
}

extension HyperparameterReader {
    /// Refuses files with keys of the architecture that are not known.
    ///
    /// - Throws: ``EngineError`` with code `unsupportedArchitecture` that names the first of them.
    func refuseOtherKeys(than known: Set<String>) throws {
        let prefix = key("")
        for key in metadata.keys where key.hasPrefix(prefix) && !known.contains(String(key.dropFirst(prefix.count))) {
            throw EngineError(
                .unsupportedArchitecture,
                "the key \(ShownText.of(key)) is not known: it may change what the model computes; a later version may run it",
                field: key)
        }
    }
}
