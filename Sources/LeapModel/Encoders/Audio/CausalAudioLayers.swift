/// The layers of LFM3-Audio's encoder: LFM2's, over vectors of 80 milliseconds, each of which sees only those before it.
///
/// A layer is what its tensors make of it: a convolution where there are its filters, else attention with a window. The
/// names of the attention's tensors and the base of its rotation are likely ones, as no published file's are known.
package struct CausalAudioLayers: Sendable {
    package let stack: LayerStack
    /// Positions that a position of an attention layer sees, its own included.
    package let window: Int

    init(_ reader: HyperparameterReader, _ binder: WeightBinder, _ numbers: AudioHyperparameters) throws {
        window = try reader.int("window_size", in: 1...65_536)
        stack = try numbers.stack(reader, binder, prefix: "a.blk.", norm: "a.post_ln", window: window)
    }
}
