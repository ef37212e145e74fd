import LeapBase
package import LeapGGUF

/// A medium that a projector's file has an encoder for, of a kind that this version does not read.
package struct UnreadMedium: Sendable, Equatable {
    package let medium: Medium
    /// The kind, as the file declares it.
    package let kind: String

    package init(medium: Medium, kind: String) {
        self.medium = medium
        self.kind = kind
    }
}

/// The encoders of a projector's file: one for each medium whose kind this version reads.
package struct MediaEncoders: Sendable {
    /// Those that were opened, pictures' before sound's.
    package let all: [any MediaEncoder]
    /// The other media of the file.
    package let unread: [UnreadMedium]

    /// The encoder of a medium; nil where there is none.
    package subscript(medium: Medium) -> (any MediaEncoder)? { all.first { $0.medium == medium } }

    /// Opens the encoders of pictures and of sound that a file holds.
    ///
    /// Of a file with several media, one that is of a kind that is not known leaves the others usable.
    /// - Throws: `GGUFError` or ``EngineError``, also where no encoder is of a known kind.
    package static func open(_ file: GGUFFile) throws -> MediaEncoders {
        let unread = try unread(file.metadata)
        let media = try media(file.metadata).filter { medium in !unread.contains { $0.medium == medium } }
        guard !media.isEmpty else { throw refusal(unread) }
        return MediaEncoders(all: try media.map { try encoder(of: $0, file) }, unread: unread)
    }

    private static func encoder(of medium: Medium, _ file: GGUFFile) throws -> any MediaEncoder {
        guard medium == .audio else { return try VisionEncoder(file: file) }
        let (name, _) = try kind(of: medium, file.metadata)
        return GemmaAudioEncoder.Kind(rawValue: name) != nil
            ? try GemmaAudioEncoder(file: file) : try AudioEncoder(file: file)
    }

    /// The media that a file has encoders for and that this version does not read, by its keys alone.
    ///
    /// A file with one medium has none: its encoder itself says why it cannot be opened.
    /// - Throws: `GGUFError` for keys of a wrong type.
    package static func unread(_ metadata: GGUFMetadata) throws -> [UnreadMedium] {
        let media = try media(metadata)
        guard media.count > 1 else { return [] }
        return try media.compactMap { medium in
            let kind = try kind(of: medium, metadata).name
            return reads(medium, kind: kind) ? nil : UnreadMedium(medium: medium, kind: kind)
        }
    }

    /// Returns true if this version has an encoder of a kind.
    package static func reads(_ medium: Medium, kind: String) -> Bool {
        let kind = usualName(kind, of: medium)
        return switch medium {
        case .image: ImageProjectors.all[kind] != nil
        case .audio: audioKinds.contains(kind)
        case .video: ImageProjectors.all[kind]?.readsVideo ?? false
        case .speech: false
        }
    }

    /// The kinds of the encoders of d1-omni's pictures and sounds.
    static let decisionPictures = "d1omni_v"
    static let decisionSounds = "d1omni_a"

    /// The kind of a medium's encoder, and the key that tells it.
    static func kind(of medium: Medium, _ metadata: GGUFMetadata) throws -> (name: String, key: String) {
        let found =
            try GGUFProjector.kind(of: medium == .image ? "vision" : "audio") { try metadata.string($0) }
            ?? ("none", "clip.projector_type")
        return (usualName(found.name, of: medium), found.key)
    }

    /// The name of a kind; of d1-omni no published file's names are known, so the likely ones are one.
    private static func usualName(_ name: String, of medium: Medium) -> String {
        let isPictures = medium != .audio
        let names = isPictures ? ["d1omni", "d1_omni", "d1_omni_v"] : ["d1omni", "d1_omni", "d1_omni_a"]
        return names.contains(name) ? isPictures ? decisionPictures : decisionSounds : name
    }

    /// The names of the kinds of encoders of sound, in order.
    static let audioKinds =
        (AudioEncoder.Kind.allCases.map(\.rawValue) + GemmaAudioEncoder.Kind.allCases.map(\.rawValue)).sorted()

    /// The kind of encoder of sound that a file declares.
    ///
    /// - Parameter type: the kinds to choose from.
    /// - Throws: ``EngineError`` where it is none of them.
    static func audioKind<K: RawRepresentable>(
        of file: GGUFFile, as type: K.Type
    ) throws -> K where K.RawValue == String {
        let architecture = try file.metadata.string("general.architecture") ?? "none"
        guard architecture == "clip" else {
            throw EngineError(
                .unsupportedArchitecture,
                "the architecture is \"\(ShownText.of(architecture))\", not \"clip\": the file is not an audio encoder",
                field: "general.architecture")
        }
        let (name, key) = try Self.kind(of: .audio, file.metadata)
        guard try file.metadata.bool("clip.has_audio_encoder") ?? false, let kind = K(rawValue: name) else {
            throw EngineError(
                .unsupportedArchitecture,
                "the projector's type is \"\(ShownText.of(name))\": this version reads audio with \(audioKinds.joined(separator: ", "))",
                field: key)
        }
        return kind
    }

    /// The media of a file by its flags; one without any is for pictures.
    private static func media(_ metadata: GGUFMetadata) throws -> [Medium] {
        let hasAudio = try metadata.bool("clip.has_audio_encoder") == true
        let hasVision = try metadata.bool("clip.has_vision_encoder") == true
        return (hasVision || !hasAudio ? [.image] : []) + (hasAudio ? [.audio] : [])
    }

    private static func refusal(_ unread: [UnreadMedium]) -> EngineError {
        let parts = unread.map { "\($0.medium.rawValue)s of the kind \"\(ShownText.of($0.kind))\"" }
        return EngineError(
            .unsupportedArchitecture,
            "the projector reads \(parts.joined(separator: " and ")): this version reads pictures with \(ImageProjectors.all.keys.sorted().joined(separator: ", ")) and sounds with \(audioKinds.joined(separator: ", "))",
            field: "clip.vision.projector_type")
    }
}
