import LeapBase

/// The rotations by which an attention layer knows positions (rotary position embedding, Su and others 2021).
package struct RopeSpecification: Sendable {
    /// The stretching of frequencies for sequences longer than those of the first training.
    package enum Scaling: Sendable {
        case none
        /// Every frequency divided by a factor.
        case linear(factor: Float)
        /// YaRN (Peng and others 2023): high frequencies stay, low ones are divided, those between are blended.
        case yarn(factor: Float, originalContext: Int, betaFast: Float, betaSlow: Float, attentionFactor: Float)
        /// LongRoPE (Ding and others 2024): one divisor per frequency, another set beyond the original context.
        case long(short: [Float], long: [Float], originalContext: Int, attentionFactor: Float)
    }

    /// The base of the frequencies: the i-th is base^(-2i / dimensions).
    package var base: Float
    /// The number of elements of a head that are rotated; even.
    package var dimensions: Int
    /// True if pairs are neighbours (2i, 2i+1) rather than halves (i, i + dimensions/2).
    package var interleaved: Bool
    /// Divisors of the frequencies that the file brings along (Llama 3's scaling), `[dimensions / 2]`.
    package var divisors: [Float]?
    /// The stretching.
    package var scaling: Scaling = .none
    /// The part of YaRN's factor on cosines and sines that the model was trained without: the factor is divided by 0.1
    /// · this · ln(factor) + 1.
    package var yarnLogMultiplier: Float = 0
    /// True if the frequencies that YaRN's blend begins and ends with are rounded outwards to whole indices.
    package var roundsYaRN = true
    /// The one of a position's three numbers (0 time, 1 row, 2 column) that each pair turns by; empty where positions
    /// are one number.
    package var axes: [UInt8] = []
    /// True if the second half of the pairs has the frequencies of the first.
    package var isRepeated = false
    /// True if only positions within a window are distinguished, which need no stretching.
    package var isLocal = false

    /// The frequencies, `[dimensions / 2]`, and what cosines and sines are multiplied with, for a context of a given
    /// size.
    package func frequencies(contextSize: Int) -> (inverse: [Float], attentionFactor: Float) {
        let half = dimensions / 2
        let distinct = isRepeated ? half / 2 : half
        var inverse = (0..<half).map { i in
            Float(pow(Double(base), -Double(i % max(distinct, 1)) / Double(distinct)))
        }
        if let divisors { for i in 0..<half { inverse[i] /= divisors[i] } }
        switch scaling {
        case .none:
            return (inverse, 1)
        case .linear(let factor):
            return (inverse.map { $0 / factor }, 1)
        case .long(let short, let long, let originalContext, let attentionFactor):
            let chosen = contextSize > originalContext ? long : short
            for i in 0..<half { inverse[i] /= chosen[i] }
            return (inverse, attentionFactor)
        case .yarn(let factor, let originalContext, let betaFast, let betaSlow, let attentionFactor):
            // The index at which a frequency makes `rotations` turns within the original context.
            func index(of rotations: Float) -> Float {
                Float(dimensions) * logf(Float(originalContext) / (rotations * 2 * .pi)) / (2 * logf(base))
            }
            let (first, last) = (index(of: betaFast), index(of: betaSlow))
            let low = max(roundsYaRN ? first.rounded(.down) : first, 0)
            let high = min(roundsYaRN ? last.rounded(.up) : last, Float(dimensions - 1))
            for i in 0..<half {
                let ramp = (Float(i) - low) / max(high - low, 0.001)
                let kept = 1 - min(max(ramp, 0), 1)
                inverse[i] = inverse[i] * kept + inverse[i] / factor * (1 - kept)
            }
            let trained = 1 + 0.1 * yarnLogMultiplier * logf(factor)
            return (inverse, attentionFactor * (1 + 0.1 * logf(factor)) / trained)
        }
    }
}

extension RopeSpecification {
    /// Reads the rotation that the layers of most architectures share.
    init(
        _ reader: HyperparameterReader, binder: WeightBinder, headDimension: Int, interleaved: Bool,
        defaultBase: Float = 10_000
    ) throws {
        let base = try reader.optionalFloat("rope.freq_base", in: 1...1e12) ?? defaultBase
        let dimensions = try reader.optionalInt("rope.dimension_count", in: 0...headDimension) ?? headDimension
        guard dimensions % 2 == 0, dimensions > 0 else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("rope.dimension_count")) is \(dimensions): rotary embedding needs an even number of elements, at least 2",
                field: reader.key("rope.dimension_count"))
        }
        self.init(base: base, dimensions: dimensions, interleaved: interleaved)
        divisors = try binder.optionalValues("rope_freqs.weight", count: dimensions / 2)
        if let divisors { try Self.check(divisors, name: "rope_freqs.weight") }
        scaling = try Self.scaling(reader, binder: binder, dimensions: dimensions)
        yarnLogMultiplier = try reader.optionalFloat("rope.scaling.yarn_log_multiplier", in: 0...1000) ?? 0
    }

    private static func check(_ divisors: [Float], name: String) throws(EngineError) {
        guard divisors.allSatisfy({ $0.isFinite && $0 > 0 }) else {
            throw EngineError(
                .invalidTensor,
                "tensor \(name) has a value that is not a positive number: it divides frequencies",
                field: name)
        }
    }

    /// The positions of the first training, where the file tells them apart from those after stretching.
    static func originalContext(_ reader: HyperparameterReader) throws -> Int? {
        try reader.optionalInt("rope.scaling.original_context_length", in: 1...Int(Int32.max))
    }

    private static func scaling(
        _ reader: HyperparameterReader, binder: WeightBinder, dimensions: Int
    ) throws -> Scaling {
        let original = try originalContext(reader)
        let attention = try reader.optionalFloat("rope.scaling.attn_factor", in: 0...1000) ?? 1
        if binder.has("rope_factors_long.weight") || binder.has("rope_factors_short.weight") {
            let short = try binder.values("rope_factors_short.weight", count: dimensions / 2)
            let long = try binder.values("rope_factors_long.weight", count: dimensions / 2)
            try check(short, name: "rope_factors_short.weight")
            try check(long, name: "rope_factors_long.weight")
            let trained = try reader.int("context_length", in: 1...Int(Int32.max))
            return .long(short: short, long: long, originalContext: original ?? trained, attentionFactor: attention)
        }
        // A factor without a type is linear; `scale_linear` is the key of files from before scaling had types.
        let kind = try reader.optionalString("rope.scaling.type") ?? "linear"
        let legacy = try reader.optionalFloat("rope.scale_linear", in: 0...1e6)
        let factor = try reader.optionalFloat("rope.scaling.factor", in: 0...1e6) ?? legacy ?? 0
        switch kind {
        case "none", "longrope":
            return .none
        case "linear":
            return factor > 0 && factor != 1 ? .linear(factor: factor) : .none
        case "yarn":
            guard factor > 1 else { return .none }
            let trained = try reader.int("context_length", in: 1...Int(Int32.max))
            return .yarn(
                factor: factor, originalContext: original ?? trained,
                betaFast: try reader.optionalFloat("rope.scaling.yarn_beta_fast", in: 0.01...1e4) ?? 32,
                betaSlow: try reader.optionalFloat("rope.scaling.yarn_beta_slow", in: 0.01...1e4) ?? 1,
                attentionFactor: try reader.optionalFloat("rope.scaling.yarn_attn_factor", in: 0...1000) ?? attention)
        default:
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("rope.scaling.type")) is \"\(kind)\": none, linear, yarn and longrope are supported",
                field: reader.key("rope.scaling.type"))
        }
    }
}
