package import LeapCompute
package import LeapModel

/// A pass whose last layers another device computes: its batch in front of them, and the state of its sequences.
extension ForwardPass: SuffixSource {
    /// The batch in front of a layer.
    ///
    /// - Parameters:
    ///   - stream: vectors of all rows of the batch.
    ///   - keptLayers: the layers behind which the vectors are read too, in ascending order.
    func suffixBatch(_ stream: Rows, keptLayers: [Int] = []) -> SuffixBatch {
        var segments: [SuffixBatch.Segment] = []
        var wanted: [Int] = []
        var start = 0
        for segment in batch.segments {
            segments.append(
                SuffixBatch.Segment(
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
                SuffixBatch.Segment(
                    sequence: batch.sequence(of: row), rows: row..<row + 1, isPrompt: false,
                    start: Int(batch.positions[row]))
            }
        }
        var suffix = SuffixBatch(
            self, stream, segments: segments, wanted: wanted,
            wantsLogits: batch.segments.contains { $0.output == .logits && !$0.wantedIndices.isEmpty },
            hasAdapters: !batch.adapted.isEmpty, keptLayers: keptLayers)
        (suffix.tokenInputs, suffix.streams) = (tokenInputs, streams)
        (suffix.imageEnds, suffix.rotaryPositions) = (batch.imageEnds, batch.rotaryPositions)
        return suffix
    }

    package func page(_ index: Int, of sequence: SequenceState) -> UnsafeMutableRawPointer {
        sequence.pages[index].base
    }

    package func addConvolutionInputs(
        layer: Int, positions: Range<Int>, of sequence: SequenceState, to inputs: inout [Float]
    ) {
        let channels = layout.convolution[layer].channels
        for position in positions {
            inputs += UnsafeBufferPointer(
                start: sequence.convolutionInput(layer: layer, position: position), count: channels)
        }
    }

    package func keepConvolutionInputs(
        layer: Int, at places: [SuffixBatch.Place], from inputs: UnsafePointer<Float>
    ) {
        let channels = layout.convolution[layer].channels
        for (index, place) in places.enumerated() {
            place.sequence.convolutionInput(layer: layer, position: place.position)
                .update(from: inputs + index * channels, count: channels)
        }
    }

    package func recurrentPlaces(of sequence: SequenceState) -> SuffixBatch.RecurrentPlaces? {
        sequence.cached.recurrence.map { state in
            SuffixBatch.RecurrentPlaces(
                before: state.before, after: state.after,
                checkpoints: state.checkpoints.map { ($0.count, UnsafeMutableRawPointer($0.tail.values)) })
        }
    }

    package func leaveDevice(_ sequence: SequenceState, count: Int) throws(EngineError) {
        try sequence.cached.recurrence?.leaveDevice()
        guard !stack.isCausal else { return }
        // They hold nothing yet: such segments are whole, in empty sequences.
        sequence.releaseMemory()
        try sequence.reserve(count)
    }
}
