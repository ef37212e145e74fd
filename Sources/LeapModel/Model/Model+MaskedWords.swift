import LeapGGUF

extension Model {
    /// The error of a request for masked words: says what the file has in place of a head that makes their logits.
    package var fillsNoMasks: EngineError {
        let causal = "\(architecture).attention.causal"
        let (found, field) =
            if layers.stack.isCausal {
                ("a causal model (\(causal) is not false), which reads a text from its start", causal)
            } else if layers.classifier != nil {
                ("a classifier of texts (cls.output.weight)", "cls.output.weight")
            } else if !layers.projections.isEmpty {
                ("a projection of vectors (dense_2.weight)", "dense_2.weight")
            } else {
                ("no head of masked words that is known (cls.weight with cls.norm.weight)", "cls.weight")
            }
        return .fillsNoMasks(path: file.path, found: found, field: field)
    }
}

extension EngineError {
    /// Masks are to be filled by a model that is not made for that.
    ///
    /// - Parameter found: what the file has in place of what is needed.
    package static func fillsNoMasks(path: String, found: String, field: String) -> EngineError {
        EngineError(
            .unsupportedTask,
            "\(path) cannot fill masks: it has \(found); use a masked language model whose file has its head, such as ModernBERT or LFM2.5-Encoder",
            field: field)
    }
}
