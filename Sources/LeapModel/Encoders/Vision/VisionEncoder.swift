package import LeapBase
package import LeapGGUF

/// A projector file: a vision tower, and what brings its vectors to a language model.
///
/// It keeps the file mapped while it lives, is immutable, and may be shared by any number of engines and threads.
package final class VisionEncoder: MediaEncoder {
    package let file: GGUFFile
    package let tower: VisionTower
    package let projector: any ImageProjector

    /// The tiling by which pictures are cut for it.
    package var tiling: ImageTiling { projector.tiling }
    package var imageTiling: ImageTiling? { tiling }
    package var medium: Medium { .image }
    package var outputLength: Int { projector.outputLength }
    package var additionCount: Int { projector.additions.count }
    package let kind: String
    package let identity: StableHash

    /// Opens a projector file.
    ///
    /// - Throws: `GGUFError` or ``EngineError``.
    package static func load(path: String, useMmap: Bool = true) throws -> VisionEncoder {
        try VisionEncoder(file: try GGUFFile.open(path: path, useMmap: useMmap))
    }

    package init(file: GGUFFile) throws {
        let architecture = try file.metadata.string("general.architecture") ?? "none"
        guard architecture == "clip" else {
            throw EngineError(
                .unsupportedArchitecture,
                "the architecture is \"\(ShownText.of(architecture))\", not \"clip\": the file is not a multimodal projector",
                field: "general.architecture")
        }
        let (type, key) = try MediaEncoders.kind(of: .image, file.metadata)
        guard try file.metadata.bool("clip.has_vision_encoder") ?? false, let kind = ImageProjectors.all[type] else {
            let nearest =
                SupportedProjector.nearest(to: type).map { "; the nearest is \($0.name) (\($0.models))" } ?? ""
            throw EngineError(
                .unsupportedArchitecture,
                "the projector's type is \"\(ShownText.of(type))\": this version reads pictures with \(ImageProjectors.all.keys.sorted().joined(separator: ", "))\(nearest)",
                field: key)
        }
        let reader = HyperparameterReader(metadata: file.metadata, architecture: "clip.vision")
        for (name, expected) in [("image_mean", kind.pixelRange.mean), ("image_std", kind.pixelRange.deviation)] {
            let key = reader.key(name)
            guard let values = try file.metadata.floats(key), values.contains(where: { Float($0) != expected }) else {
                continue
            }
            throw EngineError(
                .invalidMetadata,
                "\(key) is \(values): this version scales pixels to -1 to 1, which needs \(expected) for each",
                field: key)
        }
        let binder = WeightBinder(file: file)
        do {
            tower = try kind.tower(reader, binder)
            projector = try kind.init(reader, binder, tower: tower)
        } catch let error as EngineError where error.code == .missingTensor && kind.hasInferredNames {
            throw error.adding(TensorNameList.text(file.tensors.lazy.filter { !Self.isOfSound($0.name) }))
        }
        try ProjectorKeys.check(file.metadata, reader, for: .image, hasPlainNetworks: tower.hasPlainNetworks)
        self.file = file
        self.kind = type
        identity = WeightIdentity.ofTensors(file)
    }

    /// The beginnings of the names of tensors that read or generate sound.
    static let soundPrefixes = ["a.", "mm.a."]

    private static func isOfSound(_ name: String) -> Bool { soundPrefixes.contains { name.hasPrefix($0) } }

    package func validateKind(for model: Model) throws(EngineError) { try projector.validate(for: model) }
}
