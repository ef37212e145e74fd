/// Names of keys that files may have although nothing asks for them.
enum HarmlessKeys {
    /// The keys that change nothing of what is computed, and those that are asked for only where they count.
    ///
    /// The latter are those of rotations and the epsilon of norms under its second name.
    static let common = [
        "attention.layer_norm_epsilon",
        "pooling_type", "rope.scale_linear", "rope.scaling.attn_factor", "rope.scaling.factor",
        "rope.scaling.finetuned", "rope.scaling.original_context_length", "rope.scaling.yarn_attn_factor",
        "rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow", "rope.scaling.yarn_log_multiplier",
        "tensor_data_layout", "vocab_size",
    ]

    /// The keys of decisions: ``DecisionMethod`` refuses those that are not known, and all of a file without a type.
    static let decisions = ["decision."]

    /// The keys of models that see a text as a whole: other code reads what follows the layers.
    static let encoder = [
        "classifier.output_labels", "dense_2_feat_in", "dense_2_feat_out", "dense_3_feat_in", "dense_3_feat_out",
        "embedding_length_out",
    ]
}
