/// An architecture that files may have, for people who choose a file: which models have it, and what was compared with
/// references.
package struct SupportedArchitecture: Sendable, Hashable {
    /// A purpose of models.
    package enum Purpose: String, Sendable {
        case text, embeddings
    }

    /// The name that files have for it, in `general.architecture`.
    package let name: String
    /// The best known of its models.
    package let models: String
    /// The month in which the first of them came out.
    package let since: String
    package let purpose: Purpose
    /// The differences of its layers from those of a plain transformer, in words.
    package let layers: String

    /// All that this version runs, in the order of their names.
    package static let all: [SupportedArchitecture] = [
        .init("bert", "BGE, E5, GTE, all-MiniLM, Arctic Embed", "2018-10", .embeddings, "bidirectional attention"),
        .init("falcon-h1", "Falcon-H1 0.5B to 34B", "2025-05", .text, "attention and Mamba-2 side by side"),
        .init("gemma-embedding", "EmbeddingGemma", "2025-09", .embeddings, "Gemma 3 with bidirectional attention"),
        .init("gemma3", "Gemma 3 270M to 27B", "2025-03", .text, "norms around each block, windows and full attention"),
        .init(
            "gemma3n", "Gemma 3n E2B and E4B", "2025-06", .text,
            "four streams of which layers compute one, per-layer token embeddings, shared keys and values"),
        .init(
            "gemma4", "Gemma 4, dense, E2B, E4B and mixtures", "2026-04", .text,
            "per-layer token embeddings, shared keys and values"),
        .init(
            "gpt-oss", "gpt-oss 20B and 120B", "2025-08", .text,
            "mixtures of experts, attention sinks, alternating windows"),
        .init("granite", "Granite 3.x", "2024-10", .text, "scaled embeddings, blocks and logits"),
        .init(
            "granitehybrid", "Granite 4.0 H", "2025-10", .text,
            "Mamba-2, attention without positions, mixtures of experts"),
        .init(
            "lfm2", "LFM2, LFM2-VL, LFM2-Audio, LFM2.5 to 2.6B, their Embedding, ColBERT and Encoder models", "2025-07",
            .text, "short convolutions and attention"),
        .init(
            "lfm2moe", "LFM2-8B-A1B, LFM2-24B-A2B, LFM2.5-8B-A1B", "2025-10", .text,
            "short convolutions, attention, mixtures of experts"),
        .init(
            "lfm3", "LFM3-1.7B, the text models of LFM3-VL-2B, LFM3-Audio-2B and LFM3-Omni-2B", "2026-10", .text,
            "short convolutions, windows and full attention with head gates"),
        .init("llama", "Llama 2 to 3.3, Mistral, SmolLM2, TinyLlama, Yi", "2023-02", .text, "grouped attention"),
        .init(
            "mistral3", "Ministral 3 3B to 14B", "2025-12", .text,
            "queries scaled by their positions"),
        .init(
            "modern-bert", "ModernBERT, Granite Embedding R2, GTE ModernBERT", "2024-12", .embeddings,
            "windows and full attention, bidirectional"),
        .init(
            "muse-glimmer", "Muse Glimmer 30B", "2026-08", .text,
            "windows and full attention with element gates, layers without rotary embedding, normed embeddings"),
        .init(
            "nemotron_h", "Nemotron-H, Nemotron Nano 2", "2025-03", .text,
            "Mamba-2, attention without positions or a network"),
        .init(
            "nemotron_h_moe", "Nemotron 3 Nano", "2025-12", .text,
            "Mamba-2, attention without positions or a mixture of experts"),
        .init(
            "nomic-bert", "Nomic Embed 1 and 1.5", "2024-02", .embeddings,
            "rotary embedding and gates, bidirectional attention"),
        .init("nomic-bert-moe", "Nomic Embed 2", "2025-02", .embeddings, "mixtures of experts in every second layer"),
        .init("phi3", "Phi 3, 3.5 and 4", "2024-04", .text, "fused projections, long rotary scaling"),
        .init("qwen2", "Qwen2, Qwen2.5, DeepSeek-R1-Distill-Qwen", "2024-06", .text, "attention biases"),
        .init("qwen3", "Qwen3 0.6B to 32B", "2025-04", .text, "query and key norms"),
        .init(
            "qwen35", "Qwen3.5, Qwen3.6 and Qwen3.8-27B, dense", "2026-02", .text,
            "gated delta nets and gated attention"),
        .init(
            "qwen35moe", "Qwen3.5 and Qwen3.6, mixtures", "2026-02", .text,
            "gated delta nets, gated attention, mixtures of experts"),
        .init("qwen3moe", "Qwen3-30B-A3B, Qwen3-235B-A22B, Qwen3-Coder", "2025-04", .text, "mixtures of experts"),
        .init(
            "qwen3next", "Qwen3-Next-80B-A3B, Qwen3-Coder-Next", "2025-09", .text,
            "as qwen35moe, heads and projections in another order"),
        .init(
            "qwen3vl", "Qwen3-VL 2B to 32B", "2025-10", .text,
            "rotary embedding by rows and columns of pictures, vectors from layers of the vision tower"),
        .init(
            "qwen3vlmoe", "Qwen3-VL-30B-A3B, Qwen3-VL-235B-A22B", "2025-09", .text,
            "as qwen3vl, mixtures of experts"),
        .init("smollm3", "SmolLM3-3B", "2025-07", .text, "layers without rotary embedding"),
    ]

    private init(_ name: String, _ models: String, _ since: String, _ purpose: Purpose, _ layers: String) {
        self.name = name
        self.models = models
        self.since = since
        self.purpose = purpose
        self.layers = layers
    }

    // MARK: Refusals

    /// Architectures that are not there, with the one that serves the same needs and is.
    private static let successors: [String: String] = [
        "arcee": "llama", "baichuan": "qwen3", "bitnet": "llama", "bloom": "llama", "chatglm": "qwen3",
        "codeshell": "qwen3",
        "cogvlm": "lfm2", "command-r": "llama", "cohere2": "llama", "dbrx": "qwen3moe", "deci": "llama",
        "deepseek": "qwen3moe",
        "deepseek2": "qwen3moe", "ernie4_5": "qwen3", "ernie4_5-moe": "qwen3moe", "exaone": "llama", "exaone4": "qwen3",
        "falcon": "llama", "gemma": "gemma3", "gemma2": "gemma3", "glm4": "qwen3",
        "glm4moe": "qwen3moe",
        "gpt2": "llama", "gptneox": "llama", "granitemoe": "granitehybrid", "grok": "lfm2moe",
        "hunyuan-dense": "qwen3",
        "hunyuan-moe": "qwen3moe", "internlm2": "qwen3", "jais": "llama", "jamba": "granitehybrid",
        "jina-bert-v2": "nomic-bert",
        "llama4": "llama", "mamba": "granitehybrid", "mamba2": "granitehybrid", "minicpm": "qwen3", "minicpm3": "qwen3",
        "mpt": "llama",
        "nemotron": "llama", "olmo": "llama", "olmo2": "qwen3", "olmoe": "lfm2moe", "orion": "llama", "phi2": "phi3",
        "phimoe": "lfm2moe", "plamo": "llama", "qwen": "qwen3", "qwen2moe": "qwen3moe", "qwen2vl": "qwen3vl",
        "qwen4exp": "qwen35moe",
        "refact": "llama",
        "rwkv6": "lfm2", "rwkv7": "lfm2", "seed_oss": "qwen3", "smallthinker": "lfm2moe", "stablelm": "llama",
        "starcoder": "qwen2", "starcoder2": "qwen2", "t5": "bert", "xverse": "llama",
    ]

    /// The architecture that is there and nearest to one that is not, for a message; nil where none is near.
    package static func nearest(to name: String) -> SupportedArchitecture? {
        if let successor = successors[name] { return all.first { $0.name == successor } }
        // Names of a family begin alike: qwen3vlmoe, granitehybrid.
        let candidates = all.map { ($0, $0.name.commonPrefix(with: name).count) }
        guard let (best, length) = candidates.max(by: { $0.1 < $1.1 }), length >= 4 else { return nil }
        return best
    }
}

extension String {
    /// The characters that two names begin with alike.
    fileprivate func commonPrefix(with other: String) -> Substring {
        prefix(zip(self, other).prefix { $0 == $1 }.count)
    }
}
