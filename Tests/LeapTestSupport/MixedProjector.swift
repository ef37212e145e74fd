package import LeapGGUF

/// A projector's file with encoders of pictures and of sound, made of files that have one each.
package enum MixedProjector {
    /// A writer with the tensors of both, whose kinds have keys of their own.
    ///
    /// - Parameters:
    ///   - pictureKind: the kind to declare in place of that of the file.
    ///   - soundKind: the same for sound.
    package static func writer(
        pictures: GGUFFile, sounds: GGUFFile, pictureKind: String? = nil, soundKind: String? = nil
    ) throws -> GGUFWriter {
        var writer = GGUFWriter()
        for (file, part, kind) in [(pictures, "vision", pictureKind), (sounds, "audio", soundKind)] {
            for (key, value) in file.metadata.pairs where key != "clip.projector_type" { writer.set(key, value) }
            let own = try file.metadata.string("clip.\(part).projector_type")
            let shared = try file.metadata.string("clip.projector_type")
            writer.set("clip.\(part).projector_type", .string(GGUFString(kind ?? own ?? shared ?? "none")))
            for tensor in file.tensors { try writer.add(tensor) }
        }
        writer.set("clip.has_vision_encoder", true)
        writer.set("clip.has_audio_encoder", true)
        return writer
    }
}
