package import LeapModel

/// The pass in front of a suffix: it has tables of the batch, and the state that layers keep of sequences.
///
/// Used by one thread at a time, that of the pass.
package protocol SuffixSource: AnyObject {
    /// For every row the cosines and then the sines of one of the stack's rotations.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func ropeTable(_ index: Int) throws(EngineError) -> UnsafePointer<Float>

    /// The first byte of a page of a sequence.
    func page(_ index: Int, of sequence: SequenceState) -> UnsafeMutableRawPointer

    /// Adds a convolution layer's inputs at positions of a sequence, one behind the other, to `inputs`.
    func addConvolutionInputs(
        layer: Int, positions: Range<Int>, of sequence: SequenceState, to inputs: inout [Float])

    /// Keeps a convolution layer's inputs, one behind the other, where later positions look back at them.
    func keepConvolutionInputs(layer: Int, at places: [SuffixBatch.Place], from inputs: UnsafePointer<Float>)

    /// Returns the places of what recurrent layers keep of a sequence; nil in models without such layers.
    func recurrentPlaces(of sequence: SequenceState) -> SuffixBatch.RecurrentPlaces?

    /// Lets what recurrent layers keep of a sequence lie where only the processor writes, and the pages of layers that
    /// are not causal.
    ///
    /// - Parameter count: the sequence's rows in the batch.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func leaveDevice(_ sequence: SequenceState, count: Int) throws(EngineError)
}
