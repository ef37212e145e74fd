import LeapBase
import LeapGGUF

/// Layers that make spectra of frames of codes, each of which sees 30 positions: LFM2's in the detokenizer of
/// LFM2.5-Audio, LFM3's in the codec of LFM3-Audio.
package struct CodeDecoder: Sendable {
    /// The vector of a frame in front of the layers.
    package enum Input: Sendable {
        /// The mean of the codes' vectors, `[codebooks · codes][length]`.
        case mean(Matrix)
        case latents(LatentInput)
    }

    /// Positions, and so spectra, that a frame becomes.
    package static let spectraPerFrame = 6
    /// Samples from one spectrum to the next.
    package static let hop = 320
    /// Samples that a spectrum becomes.
    package static let windowLength = 1280
    /// Numbers of a spectrum: logarithms of magnitudes, then phases.
    package static let spectrumLength = windowLength + 2
    /// Positions that a position of an attention layer sees, its own included.
    package static let attentionWindow = 30
    static let maxLayers = 1024

    package let input: Input
    /// Codes of a frame.
    package let codebookCount: Int
    /// Codes of a codebook that stand for sound, from 0 on.
    package let codeCount: Int
    package let stack: LayerStack
    package let output: Matrix
    /// The window that frames of sound are multiplied with.
    package let window: [Float]

    /// Length of the vectors between the layers.
    package var length: Int { stack.width }

    /// Checks that codes are those of whole frames of sound, one frame after the other.
    ///
    /// - Throws: ``EngineError`` with code `tokenOutOfRange`, also for a code that ends speech.
    package func validate(_ codes: [UInt16]) throws(EngineError) {
        guard !codes.isEmpty, codes.count % codebookCount == 0 else {
            throw EngineError(
                .tokenOutOfRange,
                "speech has \(codes.count) codes: the audio decoder takes frames of \(codebookCount)", field: "speech")
        }
        guard let index = codes.firstIndex(where: { $0 >= codeCount }) else { return }
        throw EngineError(
            .tokenOutOfRange,
            "code \(codes[index]) of codebook \(index % codebookCount) in frame \(index / codebookCount) stands for no sound: the audio decoder has the codes 0...\(codeCount - 1)",
            field: "speech")
    }
}

/// Codes as latents: rows of one table, those of a frame's codebooks side by side, go through two products (grouped
/// finite scalar quantization, arXiv:2309.15505).
package struct LatentInput: Sendable {
    /// The latents of each code, `[codes][latents]`; all codebooks share them.
    package let table: Matrix
    /// From all latents of a frame to a vector.
    package let joining: Matrix
    /// From that vector to the layers'.
    package let widening: Matrix
}

extension WeightBinder {
    /// The prefixes of layers that follow one another from 0 on.
    ///
    /// - Parameters:
    ///   - root: what the names of the layers' tensors begin with in front of the layer's number.
    ///   - norm: a tensor of each layer, without `.weight`.
    /// - Throws: ``EngineError`` where there are none, or where one has tensors but not this one.
    func layerPrefixes(_ root: String, norm: String) throws(EngineError) -> [String] {
        var prefixes: [String] = []
        while prefixes.count < CodeDecoder.maxLayers, has("\(root)\(prefixes.count).\(norm).weight") {
            prefixes.append("\(root)\(prefixes.count).")
        }
        let next = "\(root)\(prefixes.count)."
        guard !prefixes.isEmpty, !file.tensors.contains(where: { $0.name.hasPrefix(next) }) else {
            throw EngineError(
                .missingTensor, "tensor \(next)\(norm).weight is missing: the file is incomplete",
                field: "\(next)\(norm).weight")
        }
        return prefixes
    }
}
