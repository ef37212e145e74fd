package import LeapModel

/// Computes the last layers of a stack in place of the processor.
///
/// Used by one thread at a time.
package protocol LayerSuffix: AnyObject {
    /// The first layer that it computes; those before stay with the processor.
    var firstLayer: Int { get }

    /// Computes a batch through the layers and the norm behind them, and keeps of it what the processor would keep.
    ///
    /// - Returns: nil where it cannot: then nothing has changed that the processor needs to compute the layers itself.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func run(_ batch: SuffixBatch) throws(EngineError) -> SuffixOutput?
}

/// The outputs behind the last layer, valid until the next batch.
package struct SuffixOutput {
    /// The vectors of the wanted positions behind the norm.
    package let vectors: Rows
    /// The products of the vectors with the output head's matrix; nil where they are not computed.
    package let logits: Rows?
    /// The vectors of all positions behind each of ``SuffixBatch/keptLayers``.
    package let streams: [Rows]

    package init(vectors: Rows, logits: Rows?, streams: [Rows] = []) {
        self.vectors = vectors
        self.logits = logits
        self.streams = streams
    }
}
