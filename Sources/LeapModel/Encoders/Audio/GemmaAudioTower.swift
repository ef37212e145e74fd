import LeapBase
import LeapGGUF

/// The tower of Gemma 4's smaller sizes: two convolutions, layers of a Conformer that see only what was before, and a
/// product behind them (transformers, `modeling_gemma4.py`; llama.cpp, `gemma4a`).
package struct GemmaAudioTower: Sendable {
    package let subsampling: GemmaSubsampling
    package let layers: [GemmaConformerLayer]
    /// From the last layer's vectors to those of the projector.
    package let output: Matrix

    /// Length of the vectors between the layers.
    package var length: Int { subsampling.output.rows }

    init(_ reader: HyperparameterReader, _ binder: WeightBinder) throws {
        let numbers = try AudioHyperparameters(reader)
        let bands = try reader.int("num_mel_bins", in: SpectrumForm.bandCounts)
        subsampling = try GemmaSubsampling(binder, bands: bands, length: numbers.length)
        layers = try (0..<numbers.layers).map {
            try GemmaConformerLayer(binder, prefix: "a.blk.\($0).", length: numbers.length, heads: numbers.heads)
        }
        // The length of what comes out has no key.
        let rows = max(1, binder.rowCount("a.pre_encode.out.weight"))
        output = try binder.boundedMatrix("a.pre_encode.out", rows: rows, columns: numbers.length, bias: true)
    }
}

/// Two convolutions that each halve a spectrum in time and in frequency, each with a norm over the channels behind it,
/// and a product that makes a vector of what is left of 4 frames.
package struct GemmaSubsampling: Sendable {
    package let bands: Int
    package let first: Matrix
    package let firstNorm: Norm
    package let second: Matrix
    package let secondNorm: Norm
    /// From all channels of each band in turn.
    package let output: Matrix

    init(_ binder: WeightBinder, bands: Int, length: Int) throws {
        self.bands = bands
        func convolution(_ index: Int, inputs: Int) throws -> (Matrix, Norm) {
            let name = "a.conv1d.\(index)"
            let count = binder.file.tensor("\(name).weight")?.shape.last ?? 1
            return (
                try binder.filters(name, count: count, filter: [3, 3, inputs], bias: true),
                try binder.layerNorm("\(name).norm", count: count, epsilon: GemmaAudioEncoder.epsilon)
            )
        }
        (first, firstNorm) = try convolution(0, inputs: 1)
        (second, secondNorm) = try convolution(1, inputs: first.rows)
        output = try binder.boundedMatrix(
            "a.input_projection", rows: length, columns: Self.vectorCount(frames: bands) * second.rows)
    }

    /// Vectors that come of a number of frames; bands that are left of a number of them.
    package static func vectorCount(frames: Int) -> Int {
        ConvolutionSubsampling.halved(ConvolutionSubsampling.halved(frames))
    }
}

/// A layer of a Conformer (arXiv:2005.08100) with norms in front of and behind its parts; the norms have no biases, and
/// what products read and give may be cut to bounds.
package struct GemmaConformerLayer: Sendable {
    /// A part of a layer with the norms around it.
    package struct Network: Sendable {
        package let norm: Norm
        package let network: ConformerFeedForward
        package let postNorm: Norm
    }

    package let first: Network
    package let attentionNorm: Norm
    package let attention: GemmaAudioAttention
    package let attentionPostNorm: Norm
    package let convolution: GemmaAudioConvolution
    package let second: Network
    package let outputNorm: Norm

    init(_ binder: WeightBinder, prefix: String, length: Int, heads: Int) throws {
        func norm(_ name: String) throws -> Norm { try binder.audioNorm(prefix + name, count: length) }
        func network(_ suffix: String) throws -> Network {
            Network(
                norm: try norm("ffn_norm\(suffix)"),
                network: try ConformerFeedForward(bounded: binder, prefix: prefix, suffix: suffix, length: length),
                postNorm: try norm("ffn_post_norm\(suffix)"))
        }
        first = try network("")
        // Files of older converters have the other name.
        attentionNorm = try norm(binder.has(prefix + "ln1.weight") ? "ln1" : "attn_pre_norm")
        attention = try GemmaAudioAttention(binder, prefix: prefix, length: length, heads: heads)
        attentionPostNorm = try norm("attn_post_norm")
        convolution = try GemmaAudioConvolution(binder, prefix: prefix, length: length)
        second = try network("_1")
        outputNorm = try norm("ln2")
    }
}

/// A gated linear unit, a convolution over the time before of each channel for itself, a norm and SiLU, between two
/// products and behind a norm.
package struct GemmaAudioConvolution: Sendable {
    package let norm: Norm
    package let input: Matrix
    /// `[channels][taps]`; the last tap is for the newest input.
    package let filters: Vector
    package let taps: Int
    package let innerNorm: Norm
    package let output: Matrix

    init(_ binder: WeightBinder, prefix: String, length: Int) throws {
        // The names of the two norms are exchanged in published files: this one is in front.
        norm = try binder.audioNorm(prefix + "conv_norm", count: length)
        innerNorm = try binder.audioNorm(prefix + "norm_conv", count: length)
        input = try binder.boundedMatrix(prefix + "conv_pw1", rows: 2 * length, columns: length)
        output = try binder.boundedMatrix(prefix + "conv_pw2", rows: length, columns: length)
        let name = prefix + "conv_dw.weight"
        taps = max(1, binder.columnCount(name))
        guard taps < 256 else {
            throw EngineError(
                .invalidTensor, "tensor \(name) has filters of \(taps) taps: 1 to 255 are supported", field: name)
        }
        filters = try binder.floats(name, shape: [taps, length])
    }
}

/// Attention to the 12 latest positions, whose scores depend on how far back they are.
///
/// The score of a query and a key is cut by tanh: cap · tanh((q · k + q · r) / cap), where r is a product of the
/// sinusoids of their distance.
package struct GemmaAudioAttention: Sendable {
    /// Positions that a position sees, its own included; files do not tell.
    package static let window = 12
    /// The largest score.
    package static let cap: Float = 50

    package let query: Matrix
    package let key: Matrix
    package let value: Matrix
    package let output: Matrix
    /// From sinusoids to what queries are multiplied with.
    package let position: Matrix
    /// The factors of a query's elements, and of a key's, in each head.
    package let queryScales: [Float]
    package let keyScales: [Float]
    package let heads: Int
    package let headDimension: Int

    init(_ binder: WeightBinder, prefix: String, length: Int, heads: Int) throws {
        func square(_ name: String) throws -> Matrix {
            try binder.boundedMatrix(prefix + name, rows: length, columns: length)
        }
        (query, key, value, output) = (
            try square("attn_q"), try square("attn_k"), try square("attn_v"), try square("attn_out")
        )
        position = try binder.matrix(prefix + "attn_k_rel", rows: length, columns: length)
        let head = length / heads
        // Scores are those of bits: 1 / ln 2, and as much softplus(1), belong to the model.
        let (queryScale, keyScale) = (1 / (sqrtf(Float(head)) * logf(2)), logf(1 + expf(1)) / logf(2))
        // They are no weights of a product, and files may leave that part of their names out.
        func name(_ name: String) -> String { binder.has(prefix + name) ? prefix + name : prefix + name + ".weight" }
        queryScales = try binder.values(name("per_dim_scale"), count: head).map { $0 * queryScale }
        keyScales =
            try binder.optionalValues(name("per_dim_k_scale"), count: head)?.map { $0 * keyScale }
            ?? [Float](repeating: keyScale, count: head)
        (self.heads, headDimension) = (heads, head)
    }
}

extension WeightBinder {
    /// A norm of Gemma's encoder of sound.
    fileprivate func audioNorm(_ name: String, count: Int) throws(EngineError) -> Norm {
        .rms(try rmsNorm(name, count: count, epsilon: GemmaAudioEncoder.epsilon))
    }
}

extension ConformerFeedForward {
    /// A network whose products may have bounds.
    fileprivate init(bounded binder: WeightBinder, prefix: String, suffix: String, length: Int) throws {
        let inner = max(1, binder.rowCount("\(prefix)ffn_up\(suffix).weight"))
        up = try binder.boundedMatrix("\(prefix)ffn_up\(suffix)", rows: inner, columns: length)
        down = try binder.boundedMatrix("\(prefix)ffn_down\(suffix)", rows: length, columns: inner)
    }
}
