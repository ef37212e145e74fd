package import LeapCompute
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

/// A batch in front of a layer, as what computes the layers behind it sees it.
package struct SuffixBatch {
    /// Consecutive positions of one sequence.
    package struct Segment {
        package let sequence: SequenceState
        /// Its rows of the batch.
        package let rows: Range<Int>
        /// True if they are of a prompt.
        package let isPrompt: Bool
        /// The position of the first of them.
        package let start: Int
    }

    private let pass: ForwardPass
    /// The vectors of all positions.
    package let stream: Rows
    package let segments: [Segment]
    /// The rows that something is wanted of, in ascending order.
    package let wanted: [Int]
    /// True if logits are wanted of some of them.
    package let wantsLogits: Bool
    /// True if some rows are computed with adapters.
    package let hasAdapters: Bool
    /// The layers behind which the vectors are read too, in ascending order.
    package let keptLayers: [Int]
    /// The vectors of the rows' tokens for all layers, one behind the other; nil in models without such.
    package var tokenInputs: Rows? { pass.tokenInputs }
    /// The streams side by side in front of the layer, ``stream`` the first; empty in models with one stream.
    package var streams: [Rows] { pass.streams }
    /// For each row the last position of the picture that it belongs to, or its own; empty where no layer asks for it.
    package var imageEnds: [Int32] { pass.batch.imageEnds }

    /// - Parameters:
    ///   - stream: vectors of all rows of the pass's batch.
    ///   - keptLayers: the layers behind which the vectors are read too, in ascending order.
    init(_ pass: ForwardPass, _ stream: Rows, keptLayers: [Int] = []) {
        self.pass = pass
        self.stream = stream
        self.keptLayers = keptLayers
        var segments: [Segment] = []
        var wanted: [Int] = []
        var start = 0
        for segment in pass.batch.segments {
            segments.append(
                Segment(
                    sequence: segment.sequence, rows: start..<start + segment.count, isPrompt: segment.isPrompt,
                    start: segment.sequence.count))
            wanted += segment.wantedIndices.map { start + $0 }
            start += segment.count
        }
        // Behind the last layer that keeps something there are the wanted rows only, which are computed as generated
        // ones are.
        if stream.count < start {
            wanted = Array(0..<stream.count)
            segments = wanted.map { row in
                Segment(
                    sequence: pass.batch.sequence(of: row), rows: row..<row + 1, isPrompt: false,
                    start: Int(pass.batch.positions[row]))
            }
        }
        self.segments = segments
        self.wanted = wanted
        wantsLogits = pass.batch.segments.contains { $0.output == .logits && !$0.wantedIndices.isEmpty }
        hasAdapters = !pass.batch.adapted.isEmpty
    }

    /// For every row the cosines and then the sines of one of the stack's rotations.
    package func rotations(_ index: Int) throws(EngineError) -> UnsafePointer<Float> { try pass.ropeTable(index) }

    /// The column of its picture that a row is in, in stacks whose rotations tell rows and columns apart.
    package func column(of row: Int) -> Int { Int(pass.batch.rotaryPositions[3 * row + 2]) }

    /// The first byte of a page of a sequence.
    package func page(_ index: Int, of sequence: SequenceState) -> UnsafeMutableRawPointer {
        sequence.pages[index].base
    }

    /// Returns the place of a convolution layer's input at a position, which may be still to be written.
    package func convolutionInput(
        layer: Int, position: Int, of sequence: SequenceState
    ) -> UnsafeMutablePointer<Float> {
        sequence.convolutionInput(layer: layer, position: position)
    }

    /// The places of what recurrent layers keep of a sequence.
    package struct RecurrentPlaces {
        /// The state that the batch begins with; nil for zeros.
        package let before: UnsafeRawPointer?
        /// The place to write it behind the batch.
        package let after: UnsafeMutableRawPointer
        /// The places to write it besides, behind so many of the sequence's positions.
        package let checkpoints: [(count: Int, values: UnsafeMutableRawPointer)]
    }

    /// Returns the places of what recurrent layers keep of a sequence; nil in models without such layers.
    package func recurrentPlaces(of sequence: SequenceState) -> RecurrentPlaces? {
        sequence.cached.recurrence.map { state in
            RecurrentPlaces(
                before: state.before, after: state.after,
                checkpoints: state.checkpoints.map { ($0.count, UnsafeMutableRawPointer($0.tail.values)) })
        }
    }

    /// Lets what recurrent layers keep of the batch's sequences lie where only the processor writes, and the pages of
    /// layers that are not causal, which may be the same for all of them: a device that is late may be at another
    /// layer.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    package func leaveDevice() throws(EngineError) {
        for segment in segments {
            try segment.sequence.cached.recurrence?.leaveDevice()
            guard !pass.stack.isCausal else { continue }
            // They hold nothing yet: such segments are whole, in empty sequences.
            segment.sequence.releaseMemory()
            try segment.sequence.reserve(segment.rows.count)
        }
    }
}
