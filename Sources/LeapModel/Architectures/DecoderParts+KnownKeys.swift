import LeapBase

extension DecoderParts {
    /// Keys that every architecture reads, or that say nothing of the arithmetic.
    private static let commonKeys: Set<String> = [
        "block_count", "context_length", "embedding_length", "feed_forward_length", "vocab_size",
        "attention.head_count", "attention.head_count_kv", "attention.key_length", "attention.value_length",
        "attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon", "attention.scale", "pooling_type",
    ]
    /// Those of rotations.
    private static let ropeKeys: Set<String> = [
        "rope.freq_base", "rope.dimension_count", "rope.scale_linear", "rope.scaling.type", "rope.scaling.factor",
        "rope.scaling.attn_factor", "rope.scaling.original_context_length", "rope.scaling.finetuned",
        "rope.scaling.yarn_attn_factor", "rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow",
        "rope.scaling.yarn_log_multiplier",
    ]

    /// Refuses files whose architecture has keys that nobody reads: they may well ask for another arithmetic.
    ///
    /// - Parameter others: the keys of the architecture beside those of most, without its name in front.
    /// - Throws: ``EngineError`` with code `unsupportedArchitecture`.
    func refuseUnknownKeys(except others: Set<String>) throws(EngineError) {
        let prefix = reader.key("")
        for key in reader.metadata.keys.sorted() where key.hasPrefix(prefix) {
            let name = String(key.dropFirst(prefix.count))
            guard !Self.commonKeys.contains(name), !Self.ropeKeys.contains(name), !others.contains(name) else {
                continue
            }
            throw EngineError(
                .unsupportedArchitecture,
                "\(ShownText.of(key)) is not known: it may change what \(reader.architecture) computes, so the model is not run without it; a newer version may know it",
                field: key)
        }
    }
}
