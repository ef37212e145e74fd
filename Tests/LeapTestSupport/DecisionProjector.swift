package import Foundation
import LeapGGUF

/// A decision model of the type `lfm2-d1-omni` and its projector for pictures and sounds, made of the encoders of other
/// fixtures.
package enum DecisionProjector {
    /// Elements of the vectors, those of ``MaskDecisionFile``.
    package static let width = 32
    /// Elements between the two products of the block that only this kind of projector has.
    package static let inner = 24

    /// The tensors of that block and of the last products, whose numbers are those of ``MadeVocoder``.
    package static let tensors: [MadeVocoder.Tensor] = [
        ("mm.2.weight", [56, width], 0.125), ("mm.2.bias", [width], 0.125),
        ("mm.a.mlp.3.weight", [56, width], 0.125), ("mm.a.mlp.3.bias", [width], 0.125),
        ("mm.a.mlp.4.weight", [width], nil), ("mm.a.mlp.4.bias", [width], 0.125),
        ("mm.a.mlp.5.weight", [width, inner], 0.25), ("mm.a.mlp.5.bias", [inner], 0.125),
        ("mm.a.mlp.6.weight", [inner, width], 0.25), ("mm.a.mlp.6.bias", [width], 0.125),
    ]

    /// The values of one of ``tensors``.
    package static func values(_ name: String) -> [Float] {
        guard let index = tensors.firstIndex(where: { $0.name == name }) else { return [] }
        return MadeVocoder.values(
            2000 + index, count: tensors[index].shape.reduce(1, *), scale: tensors[index].scale)
    }

    /// Writes the projector.
    ///
    /// - Parameters:
    ///   - fixtures: the folder of the tests' files.
    ///   - soundKind: the kind of the encoder of sound.
    ///   - omitted: the names of tensors that are left out.
    package static func write(
        to path: String, fixtures: URL, pictureKind: String = "d1omni_v", soundKind: String = "d1omni_a",
        omitted: Set<String> = []
    ) throws {
        var writer = GGUFWriter()
        let made = Set(tensors.map(\.name))
        for (name, part, kind) in [
            ("vision/mmproj-vision", "vision", pictureKind), ("audio/mmproj-audio", "audio", soundKind),
        ] {
            let file = try GGUFFile.open(path: fixtures.appendingPathComponent("\(name).gguf").path)
            for (key, value) in file.metadata.pairs where key != "clip.projector_type" { writer.set(key, value) }
            writer.set("clip.\(part).projector_type", .string(GGUFString(kind)))
            writer.set("clip.\(part).projection_dim", .uint32(UInt32(width)))
            for tensor in file.tensors where !made.contains(tensor.name) { try writer.add(tensor) }
        }
        writer.set("clip.has_vision_encoder", true)
        writer.set("clip.has_audio_encoder", true)
        for tensor in tensors where !omitted.contains(tensor.name) {
            try writer.add(tensor: tensor.name, shape: tensor.shape, floats: values(tensor.name))
        }
        try writer.write(to: path)
    }

    /// Writes `model.gguf` and `mmproj-model.gguf` into a folder.
    ///
    /// - Parameter change: changes the model's file.
    /// - Returns: the model's file.
    package static func writeModel(
        to folder: URL, fixtures: URL, change: (inout MaskDecisionFile) -> Void = { _ in }
    ) throws -> URL {
        var file = MaskDecisionFile("lfm2-d1-omni")
        change(&file)
        let model = folder.appendingPathComponent("model.gguf")
        try FileManager.default.moveItem(
            at: try file.write(from: fixtures.appendingPathComponent("embeddings")), to: model)
        try write(to: folder.appendingPathComponent("mmproj-model.gguf").path, fixtures: fixtures)
        return model
    }
}
