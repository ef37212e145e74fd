/// A kind of projector that files may be, for people who choose a file.
package struct SupportedProjector: Sendable, Hashable {
    /// The name that files have for it, in `clip.projector_type`.
    package let name: String
    /// The best known of its models.
    package let models: String
    /// The treatment of pictures, in words.
    package let pictures: String
    /// The source of the names of its tensors and keys.
    package let evidence: Evidence

    /// The source of a kind's names, in the words of the documentation.
    package enum Evidence: String, Sendable {
        /// Names of a published file were read.
        case seen = "published file seen"
        /// No published file's names are known: likely ones are read.
        case inferred = "names inferred"
        /// Names are those of a converter's source; no published file was read.
        case unseen = "not seen"
    }

    /// All that this version reads pictures with, in the order of their names.
    package static let all: [SupportedProjector] = [
        .init(
            name: "d1omni_v", models: "d1-omni-600M",
            pictures: "as lfm2, without markers; the whole picture always follows its tiles", evidence: .inferred),
        .init(
            name: "gemma4uv", models: "Gemma 4 12B",
            pictures: "its own proportions as a whole, enlarged or reduced to at most 280 tokens (the model: 1,120)",
            evidence: .seen),
        .init(
            name: "gemma4v", models: "Gemma 4, the other sizes",
            pictures: "its own proportions as a whole, enlarged or reduced to at most 280 tokens (the model: 1,120)",
            evidence: .unseen),
        .init(
            name: "idefics3", models: "SmolVLM, SmolVLM2, Idefics3",
            pictures: "squares of one size, and the whole picture as one more", evidence: .unseen),
        .init(
            name: "lfm2", models: "LFM2-VL, LFM2.5-VL",
            pictures: "its own proportions, 64 to 256 tokens; large ones are split into tiles", evidence: .unseen),
        .init(
            name: "lfm3", models: "LFM3-VL",
            pictures: "its own proportions as a whole, from 64 tokens to our limit (the model: 16,384)",
            evidence: .inferred),
        .init(
            name: "lfm3vl", models: "LFM3-VL, LFM3-Omni",
            pictures: "as lfm3; LFM3-Omni: at most 2,048 tokens", evidence: .inferred),
        .init(
            name: "qwen3vl_merger", models: "Qwen3-VL, Qwen3.5, Qwen3.6",
            pictures:
                "its own proportions as a whole, from 64 tokens to our limit (the model: 16,384); rows and columns are positions",
            evidence: .seen),
    ]

    /// Kinds that are not there, by what a reader of their files may want instead.
    private static let successors = [
        "qwen2vl_merger": "qwen3vl_merger", "qwen2.5vl_merger": "qwen3vl_merger", "qwen2.5o": "qwen3vl_merger",
        "glm4v": "qwen3vl_merger", "paddleocr": "qwen3vl_merger", "dots_ocr": "qwen3vl_merger",
        "youtuvl": "qwen3vl_merger", "kimivl": "qwen3vl_merger", "gemma3": "gemma4v", "gemma3nv": "gemma4v",
        "mlp": "lfm2", "ldp": "lfm2", "ldpv2": "lfm2",
        "internvl": "idefics3", "pixtral": "lfm2", "resampler": "idefics3", "janus_pro": "idefics3", "lfm2a": "lfm2",
    ]

    /// The kind that is there and nearest to one that is not, for a message; nil where none is near.
    static func nearest(to name: String) -> SupportedProjector? {
        successors[name].flatMap { successor in all.first { $0.name == successor } }
            ?? all.first { $0.name.hasPrefix(name.prefix(4)) && name.count >= 4 }
    }
}
