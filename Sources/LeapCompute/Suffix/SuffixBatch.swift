package import LeapModel

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

        package init(sequence: SequenceState, rows: Range<Int>, isPrompt: Bool, start: Int) {
            self.sequence = sequence
            self.rows = rows
            self.isPrompt = isPrompt
            self.start = start
        }
    }

    private let source: any SuffixSource
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
    package var tokenInputs: Rows?
    /// The streams side by side in front of the layer, ``stream`` the first; empty in models with one stream.
    package var streams: [Rows] = []
    /// For each row the last position of the picture that it belongs to, or its own; empty where no layer asks for it.
    package var imageEnds: [Int32] = []
    /// The three numbers of each row's ``RotaryPosition``; empty in stacks whose rotations do not tell rows and columns
    /// apart.
    package var rotaryPositions: [Int32] = []

    /// - Parameters:
    ///   - source: keeps what layers read and write of the sequences.
    ///   - stream: vectors of all rows of the batch.
    ///   - keptLayers: the layers behind which the vectors are read too, in ascending order.
    package init(
        _ source: any SuffixSource, _ stream: Rows, segments: [Segment], wanted: [Int], wantsLogits: Bool,
        hasAdapters: Bool, keptLayers: [Int]
    ) {
        self.source = source
        self.stream = stream
        self.segments = segments
        self.wanted = wanted
        self.wantsLogits = wantsLogits
        self.hasAdapters = hasAdapters
        self.keptLayers = keptLayers
    }

    /// For every row the cosines and then the sines of one of the stack's rotations.
    package func rotations(_ index: Int) throws(EngineError) -> UnsafePointer<Float> { try source.ropeTable(index) }

    /// The column of its picture that a row is in, in stacks whose rotations tell rows and columns apart.
    package func column(of row: Int) -> Int { Int(rotaryPositions[3 * row + 2]) }

    /// The first byte of a page of a sequence.
    package func page(_ index: Int, of sequence: SequenceState) -> UnsafeMutableRawPointer {
        source.page(index, of: sequence)
    }

    /// Adds a convolution layer's inputs at positions of a sequence, one behind the other, to `inputs`.
    package func addConvolutionInputs(
        layer: Int, positions: Range<Int>, of sequence: SequenceState, to inputs: inout [Float]
    ) {
        source.addConvolutionInputs(layer: layer, positions: positions, of: sequence, to: &inputs)
    }

    /// Keeps a convolution layer's inputs, one behind the other, where later positions look back at them.
    package func keepConvolutionInputs(layer: Int, at places: [Place], from inputs: UnsafePointer<Float>) {
        source.keepConvolutionInputs(layer: layer, at: places, from: inputs)
    }

    /// Returns the places of what recurrent layers keep of a sequence; nil in models without such layers.
    package func recurrentPlaces(of sequence: SequenceState) -> RecurrentPlaces? {
        source.recurrentPlaces(of: sequence)
    }

    /// Lets what recurrent layers keep of the batch's sequences lie where only the processor writes, and the pages of
    /// layers that are not causal, which may be the same for all of them: a device that is late may be at another
    /// layer.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    package func leaveDevice() throws(EngineError) {
        for segment in segments { try source.leaveDevice(segment.sequence, count: segment.rows.count) }
    }
}

extension SuffixBatch {
    /// A position of a sequence.
    package struct Place {
        package let position: Int
        package let sequence: SequenceState

        package init(position: Int, sequence: SequenceState) {
            self.position = position
            self.sequence = sequence
        }
    }

    /// The places of what recurrent layers keep of a sequence.
    package struct RecurrentPlaces {
        /// The state that the batch begins with; nil for zeros.
        package let before: UnsafeRawPointer?
        /// The place to write it behind the batch.
        package let after: UnsafeMutableRawPointer
        /// The places to write it besides, behind so many of the sequence's positions.
        package let checkpoints: [(count: Int, values: UnsafeMutableRawPointer)]

        package init(
            before: UnsafeRawPointer?, after: UnsafeMutableRawPointer,
            checkpoints: [(count: Int, values: UnsafeMutableRawPointer)]
        ) {
            self.before = before
            self.after = after
            self.checkpoints = checkpoints
        }
    }
}
