import LeapGGUF

/// The keys of a projector's file that are known: others may change what is computed.
enum ProjectorKeys {
    /// Names under `clip.vision.` or `clip.audio.` that change nothing of what is computed, or repeat what tensors or
    /// other keys say.
    private static let harmless: [Medium: [String]] = [
        // Sizes of videos concern no encoder that reads pictures alone.
        .image: [
            "attention.head_count_kv", "image_size", "projector_type", "video_max_pixels", "video_min_pixels",
        ],
        // Encoders of LFM2-Audio are published with an inner length that is not theirs.
        .audio: ["feed_forward_length", "projector_type"],
    ]
    /// The same under `clip.`; what begins with the name of a medium is read, or refused, by its encoder.
    private static let shared = [
        "audio.", "has_audio_encoder", "has_gen_audio_encoder", "has_llava_projector", "has_text_encoder",
        "has_vision_encoder", "projector_type", "vision.",
    ]
    /// The beginning of the keys of a generator of sound: its reader's, where the file has such a part.
    private static let generator = "gen.audio."

    /// Refuses files with keys that nothing has asked for, and those whose activation is another than the one that is
    /// computed.
    ///
    /// - Parameters:
    ///   - reader: has read what the medium's encoder needs.
    ///   - hasPlainNetworks: whether the encoder has networks without gates, whose activation files tell.
    static func check(
        _ metadata: GGUFMetadata, _ reader: HyperparameterReader, for medium: Medium, hasPlainNetworks: Bool
    ) throws {
        try reader.refuseUnknown(except: harmless[medium] ?? [])
        let file = HyperparameterReader(metadata: metadata, architecture: "clip")
        for (name, expected) in [("use_gelu", true), ("use_silu", false)] {
            guard let found = try file.optionalBool(name), hasPlainNetworks, found != expected else { continue }
            throw EngineError(
                .unsupportedArchitecture,
                "\(file.key(name)) is \(found): this version computes projectors of this kind with GELU",
                field: file.key(name))
        }
        let generates = try file.optionalBool("has_gen_audio_encoder") == true
        try file.refuseUnknown(except: shared + (generates ? [generator] : []))
    }
}
