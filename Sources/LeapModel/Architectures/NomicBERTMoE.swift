/// Nomic BERT with mixtures of experts (nomic-embed-text v2): as ``NomicBERT``, with biases and GELU networks without
/// gates, of which every second layer has several.
///
/// The router scores experts by a softmax over all of them, and weighs by these scores as they are.
enum NomicBERTMoE: Architecture {
    static let name = "nomic-bert-moe"
    static let isEncoder = true
    static let harmlessKeys: [String]? = HarmlessKeys.common + HarmlessKeys.encoder

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        let reader = parts.reader
        let period = try reader.int("moe_every_n_layers", in: 0...4096)
        let experts = try reader.int("expert_count", in: 1...4096)
        let used = try reader.int("expert_used_count", in: 1...experts)
        return try NomicBERT.describe(parts) { layer in
            guard period > 0, layer % period == 1 else { return .plain(try parts.plain(layer: layer)) }
            let prefix = parts.prefix(layer)
            let (width, inner) = (parts.common.embedding, try parts.innerLength(layer))
            return .mixture(
                MixtureFeedForward(
                    router: Router(
                        matrix: try parts.binder.matrix(prefix + "ffn_gate_inp", rows: experts, columns: width),
                        score: .softmax, used: used),
                    gates: [],
                    ups: try parts.binder.stack(prefix + "ffn_up_exps", count: experts, rows: inner, columns: width),
                    downs: try parts.binder.stack(
                        prefix + "ffn_down_exps", count: experts, rows: width, columns: inner)))
        }
    }
}
