/// The convolution inputs before the end of a sequence that ends within a page: what a sequence needs to go on from there.
final class TailInputs {
    private let memory: AlignedMemory

    /// Bytes that it takes.
    var byteCount: Int { memory.byteCount }

    /// Memory for the inputs of the last `positions` positions in all layers.
    init(_ layout: CacheLayout, positions: Int) throws(EngineError) {
        memory = try AlignedMemory(
            byteCount: layout.tailInputByteCount(positions: positions), pool: layout.memory)
    }

    /// All values, `[positions][layers][channels]`.
    var values: UnsafeMutablePointer<Float> { memory.base.assumingMemoryBound(to: Float.self) }
}

extension SequenceState {
    /// Copies the convolution inputs before the end; nil if there are none, if they are not all kept, or if there is no
    /// memory for them.
    func tailInputs() -> TailInputs? {
        let positions = tailPositions
        guard layout.convolutionReach > 0, canContinue(at: count),
            let inputs = try? TailInputs(layout, positions: positions.count)
        else {
            return nil
        }
        eachTailInput(positions) { _, input, offset, channels in
            (inputs.values + offset).update(from: input, count: channels)
        }
        return inputs
    }

    /// Puts inputs back that ``tailInputs()`` took.
    ///
    /// Those that lie in pages are there already, and pages may be shared: they are not written to.
    func restore(_ inputs: TailInputs) {
        eachTailInput(tailPositions) { position, input, offset, channels in
            guard !isInPage(position) else { return }
            input.update(from: inputs.values + offset, count: channels)
        }
    }

    private var tailPositions: Range<Int> { max(0, count - layout.convolutionReach)..<count }

    private func eachTailInput(_ positions: Range<Int>, _ body: (Int, UnsafeMutablePointer<Float>, Int, Int) -> Void) {
        var offset = 0
        for position in positions {
            for (layer, convolution) in layout.convolution.enumerated() {
                body(position, convolutionInput(layer: layer, position: position), offset, convolution.channels)
                offset += convolution.channels
            }
        }
    }
}
