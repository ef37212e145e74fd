package import LeapGGUF

/// A kernel of Sources/LeapGPU/Kernels: its entry point and interface.
package struct GPUKernel: Hashable, Sendable {
    /// The file that it is in, without its extension.
    package let module: String
    package let entry: String
    package let bufferCount: Int
    /// Parameters of four bytes.
    package let constantCount: Int

    package static let rmsNorm = Self(module: "norm", entry: "rms_norm", bufferCount: 3, constantCount: 4)
    /// The same, with what is normed added to the outputs, and the sums multiplied with a factor.
    package static let rmsNormAdd = Self(module: "norm", entry: "rms_norm_add", bufferCount: 3, constantCount: 4)
    package static let layerNorm = Self(module: "layernorm", entry: "layer_norm", bufferCount: 4, constantCount: 4)
    /// GELU of rows in place, in its tanh form.
    package static let geluTanh = Self(module: "gelu", entry: "gelu_tanh", bufferCount: 2, constantCount: 4)
    /// GELU by its definition.
    package static let geluExact = Self(module: "gelu", entry: "gelu_exact", bufferCount: 2, constantCount: 4)
    package static let bias = Self(module: "bias", entry: "add_bias", bufferCount: 3, constantCount: 4)
    package static let clampedSilu = Self(
        module: "activation", entry: "clamped_silu", bufferCount: 2, constantCount: 3)
    /// Adds rows to others, each times a factor.
    package static let addScaled = Self(module: "addition", entry: "add_scaled", bufferCount: 3, constantCount: 4)
    /// GELU of gates, times the vectors that tokens have for a layer.
    package static let geluTimes = Self(module: "tokeninputs", entry: "gelu_times", bufferCount: 2, constantCount: 4)
    /// The elements of rows, each times the factor of its column.
    package static let scaleColumns = Self(module: "columns", entry: "scale_columns", bufferCount: 3, constantCount: 2)
    /// The part of a row that lies so many standard deviations above its mean.
    package static let gaussianTopK = Self(module: "cutoff", entry: "gaussian_topk", bufferCount: 1, constantCount: 3)
    /// The prediction of streams side by side, their correction, and an addition to all but the first.
    package static let predictStreams = Self(
        module: "streams", entry: "predict_streams", bufferCount: 5, constantCount: 4)
    package static let correctStreams = Self(
        module: "streams", entry: "correct_streams", bufferCount: 5, constantCount: 4)
    package static let addToStreams = Self(
        module: "streams", entry: "add_to_streams", bufferCount: 5, constantCount: 4)
    /// Adds rows, brought to the root mean squares of others.
    package static let matchAdd = Self(module: "match", entry: "match_add", bufferCount: 3, constantCount: 5)
    /// Cuts numbers to bounds.
    package static let clamp = Self(module: "clamp", entry: "clamp_rows", bufferCount: 2, constantCount: 6)
    /// The gated convolution over the patches of pictures.
    package static let gridConvolution = Self(
        module: "gridconvolution", entry: "grid_convolution", bufferCount: 4, constantCount: 3)
    /// Multiplies what heads gathered with the logistic function of gates.
    package static let gateHeads = Self(module: "headgates", entry: "gate_heads", bufferCount: 2, constantCount: 7)
    /// The convolution in front of a recurrence.
    package static let causalFilter = Self(
        module: "filters", entry: "causal_filter", bufferCount: 8, constantCount: 7)
    /// Brings the heads of queries and keys to length 1.
    package static let unitHeads = Self(module: "lengths", entry: "unit_heads", bufferCount: 1, constantCount: 5)
    /// The recurrence of Gated DeltaNet.
    package static let deltaNet = Self(module: "recurrence", entry: "delta_net", bufferCount: 8, constantCount: 12)
    /// The recurrence of Mamba-2.
    package static let mamba = Self(module: "recurrence", entry: "mamba", bufferCount: 8, constantCount: 12)
    /// Gates and norms what a recurrence read.
    package static let gatedNorm = Self(module: "gatednorm", entry: "gated_norm", bufferCount: 3, constantCount: 6)
    package static let add = Self(module: "elementwise", entry: "add", bufferCount: 3, constantCount: 1)
    package static let gather = Self(module: "gather", entry: "gather", bufferCount: 3, constantCount: 2)
    package static let attentionF16 = Self(
        module: "attention", entry: "attention_f16", bufferCount: 7, constantCount: 11)
    package static let attentionF32 = Self(
        module: "attention", entry: "attention_f32", bufferCount: 7, constantCount: 11)
    package static let attentionQ8_0 = Self(
        module: "attention", entry: "attention_q8_0", bufferCount: 7, constantCount: 11)
    /// The same for several heads at a time that have the same key head.
    package static let attentionGroupF16 = Self(
        module: "attention", entry: "attention_group_f16", bufferCount: 7, constantCount: 11)
    package static let attentionGroupF32 = Self(
        module: "attention", entry: "attention_group_f32", bufferCount: 7, constantCount: 11)
    package static let attentionGroupQ8_0 = Self(
        module: "attention", entry: "attention_group_q8_0", bufferCount: 7, constantCount: 11)
    /// Attention to one page alone, for ``attentionJoin``.
    package static let attentionPageF16 = Self(
        module: "attention", entry: "attention_page_f16", bufferCount: 7, constantCount: 11)
    package static let attentionPageF32 = Self(
        module: "attention", entry: "attention_page_f32", bufferCount: 7, constantCount: 11)
    package static let attentionPageQ8_0 = Self(
        module: "attention", entry: "attention_page_q8_0", bufferCount: 7, constantCount: 11)
    /// Adds up what the pages gave.
    package static let attentionJoin = Self(
        module: "attention", entry: "attention_join", bufferCount: 7, constantCount: 11)
    package static let placeF16 = Self(module: "place", entry: "place_f16", bufferCount: 5, constantCount: 11)
    /// The same without pages: keys and values stay in the rows, from where ``storeQ8_0`` takes them.
    package static let placeRows = Self(module: "place", entry: "place_rows", bufferCount: 5, constantCount: 11)
    package static let storeQ8_0 = Self(module: "store", entry: "store_q8_0", bufferCount: 3, constantCount: 6)
    package static let placeF32 = Self(module: "place", entry: "place_f32", bufferCount: 5, constantCount: 11)
    package static let shortConvolution = Self(
        module: "convolution", entry: "short_convolution", bufferCount: 7, constantCount: 5)
    package static let choose = Self(module: "choice", entry: "choose", bufferCount: 5, constantCount: 8)
    package static let combine = Self(module: "combine", entry: "combine", bufferCount: 3, constantCount: 4)

    /// Types of weights that there are products for.
    package static let weightTypes: [GGUFTensorType] = [
        .f32, .f16, .bf16, .q8_0, .q4_0, .q4_1, .q5_0, .q5_1, .q2_K, .q3_K, .q4_K, .q5_K, .q6_K, .iq4_nl, .iq4_xs,
        mxfp4,
    ]
    /// Codes of four bits with an exponent for each 32, as experts of gpt-oss have.
    package static let mxfp4 = GGUFTensorType(rawValue: 39)

    /// The product of a matrix with one vector; nil where there is none for the type.
    package static func vectorProduct(_ type: GGUFTensorType) -> Self? { product("vector", type) }

    /// The products of two matrices with one vector, as a gated network has; nil where there is none for the type.
    package static func pairProduct(_ type: GGUFTensorType) -> Self? { product("pair", type) }

    /// The product of a matrix with up to ``matrixWidth`` vectors for each workgroup; nil where there is none for the
    /// type.
    package static func matrixProduct(_ type: GGUFTensorType) -> Self? { product("matrix", type) }

    /// The product of a matrix with vectors of prompts on matrix units; nil where there is none for the type, as for
    /// weights in single precision: they are kept so to be multiplied so.
    package static func tileProduct(_ type: GGUFTensorType) -> Self? {
        guard weightTypes.contains(type), type != .f32 else { return nil }
        return Self(module: "tiles", entry: "tiles_\(type.name.lowercased())", bufferCount: 3, constantCount: 10)
    }

    /// The product of entries with the matrices of experts; nil where there is none for the type.
    package static func expertProduct(_ type: GGUFTensorType) -> Self? {
        guard weightTypes.contains(type) else { return nil }
        return Self(
            module: "experts", entry: "expert_\(type.name.lowercased())", bufferCount: 4, constantCount: 8)
    }

    /// Vectors of a workgroup of ``matrixProduct(_:)``.
    package static let matrixWidth = 8
    /// Rows and vectors of a workgroup of ``tileProduct(_:)``.
    package static let tileLength = 128
    /// Rows of a workgroup of the other products, and vectors of one of what places heads.
    package static let rowsPerGroup = 4
    /// Threads of a workgroup of the kernels that compute elements by themselves.
    package static let elementsPerGroup = 128
    /// The length of a unit of a row: its columns are a multiple of it.
    package static let unit = 32
    /// The longest head that attention is computed with.
    package static let headLengthMax = 512
    /// The heads of ``attentionGroupF16`` and the like, whose elements are at most as many as of the longest one.
    package static let headsTogether = 4
    /// The longest filters of convolutions.
    package static let tapsMax = 8
    /// The most streams side by side.
    package static let streamsMax = 8
    /// The most experts that one is chosen from.
    package static let expertsMax = 1024
    /// The way a product goes into the outputs.
    package enum ProductMode: UInt32 {
        /// It is written.
        case store
        /// It is added to what is there.
        case add
        /// The SiLU of what is there is multiplied with it.
        case gate
        /// The GELU of what is there, in its tanh form, is multiplied with it.
        case geluGate
        /// The square of what it has above 0 is written.
        case squaredReLU
    }

    private static func product(_ role: String, _ type: GGUFTensorType) -> Self? {
        guard weightTypes.contains(type) else { return nil }
        return Self(
            module: "product", entry: "\(role)_\(type.name.lowercased())", bufferCount: 3, constantCount: 11)
    }
}
