package import LeapBase
import LeapGGUF

/// The projector of Gemma 4 (transformers, `modeling_gemma4.py`; llama.cpp, `gemma4v`): the mean of squares of patches,
/// a norm and a product.
package struct Gemma4Projector: ImageProjector {
    package static let name = "gemma4v"
    /// Its tower brings pixels from 0...1 to -1...1 itself.
    package static let pixelRange: (mean: Float, deviation: Float) = (0, 1)

    /// Patches of a square's side.
    package let factor: Int
    /// The numbers that are subtracted from a mean's elements before these are multiplied with ``scale``; nil where the
    /// file has none.
    package let bias: Vector?
    package let scale: Vector?
    package let norm: RMSNorm
    package let matrix: Matrix
    package let tiling: ImageTiling

    package init(_ reader: HyperparameterReader, _ binder: WeightBinder, tower: VisionTower) throws {
        factor = try reader.optionalInt("projector.scale_factor", in: 1...16) ?? GGUFProjector.usualGemma4Factor
        bias = try binder.optionalVector("v.std_bias", count: tower.length)
        scale = try binder.optionalVector("v.std_scale", count: tower.length)
        guard (bias == nil) == (scale == nil) else {
            throw EngineError(
                .missingTensor, "the tensors v.std_bias and v.std_scale belong together: one of them is missing",
                field: bias == nil ? "v.std_bias" : "v.std_scale")
        }
        norm = RMSNorm(weight: nil, epsilon: try reader.float("attention.layer_norm_epsilon", in: 0...1))
        matrix = try binder.boundedMatrix(
            "mm.input_projection", rows: try reader.int("projection_dim", in: 1...(1 << 20)), columns: tower.length)
        tiling = .filled(
            .init(patchSize: tower.patchSize, downsampling: factor, tokens: ImageTiling.Filled.usualTokens))
    }

    package var outputLength: Int { matrix.rows }

    package static func tower(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        try .gemma4(reader, binder)
    }

    package func validate(for model: Model) throws(EngineError) { try Gemma4.check(model, reads: "pictures") }
}

extension Gemma4 {
    /// Checks that a model is of this architecture, as a projector for it needs.
    ///
    /// - Parameter media: what the projector reads, in the plural.
    static func check(_ model: Model, reads media: String) throws(EngineError) {
        guard model.architecture != name else { return }
        throw EngineError(
            .incompatibleModels,
            "this projector reads \(media) for Gemma 4, but the architecture of the model is \(model.architecture): use the projector that belongs to the model",
            field: "general.architecture")
    }
}
