package import LeapBase

/// The projector of Gemma 4 12B (llama.cpp, `gemma4uv`): a norm and a product of each square of pixels.
package struct Gemma4UnifiedProjector: ImageProjector {
    package static let name = "gemma4uv"
    package static let pixelRange = Gemma4Projector.pixelRange

    package let norm: RMSNorm
    package let matrix: Matrix
    package let tiling: ImageTiling

    package init(_ reader: HyperparameterReader, _ binder: WeightBinder, tower: VisionTower) throws {
        norm = RMSNorm(weight: nil, epsilon: try reader.float("attention.layer_norm_epsilon", in: 0...1))
        matrix = try binder.boundedMatrix(
            "mm.input_projection", rows: try reader.int("projection_dim", in: 1...(1 << 20)), columns: tower.length)
        // A token is one square, so patches are as large.
        tiling = .filled(
            .init(patchSize: tower.patchSize, downsampling: 1, tokens: ImageTiling.Filled.usualTokens))
        try binder.refuseUnknown(except: VisionEncoder.soundPrefixes)
    }

    package var outputLength: Int { matrix.rows }

    package static func tower(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        try .gemma4Unified(reader, binder)
    }

    package func validate(for model: Model) throws(EngineError) { try Gemma4.check(model, reads: "pictures") }
}
