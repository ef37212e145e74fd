package import LeapCompute
import LeapModel

/// The processor's part of a sequence's state: the addresses of its pages, and the latest inputs of convolutions.
final class CachedStorage: SequenceStorage {
    let layout: CacheLayout
    let table: PageTable
    private var history: ConvolutionHistory?
    /// The state that layers keep of the sequence as a whole; nil where none does, and before the first position is
    /// reserved.
    private(set) var recurrence: RecurrentState?

    init(layout: CacheLayout) {
        self.layout = layout
        table = PageTable(layout)
    }

    func reserve(pageCount: Int, keepingInputs: Bool) throws(EngineError) {
        if keepingInputs, history == nil, !layout.convolution.isEmpty { history = try ConvolutionHistory(layout) }
        if recurrence == nil, layout.recurrentByteCount > 0 { recurrence = try RecurrentState(layout) }
        try table.reserve(pageCount)
    }

    func reserveByteCount(pageCount: Int) -> Int {
        let history = history == nil && !layout.convolution.isEmpty ? ConvolutionHistory.byteCount(layout) : 0
        let recurrence = recurrence == nil ? RecurrentState.byteCount(layout) : 0
        return table.addedByteCount(for: pageCount) + history + recurrence
    }

    func didSet(_ page: StatePage, at index: Int) { table.set(index, page) }

    var holdsMemory: Bool { history != nil || recurrence != nil }

    func releaseMemory() {
        history = nil
        recurrence = nil
        table.removeAll()
    }

    // MARK: The state of the whole sequence

    func beginPass(checkpoints: [StateCheckpoint]) { recurrence?.begin(checkpoints: checkpoints) }

    func commitPass() { recurrence?.commit() }

    func revertPass() { recurrence?.revert() }

    func canReplay(_ count: Int) -> Bool { recurrence?.canReplay(count) ?? false }

    func replay(_ count: Int) { recurrence?.replay(count) }

    func clearState() { recurrence?.clear() }

    // MARK: Convolution inputs

    /// Returns the place of a convolution layer's input at a position, which may be still to be written: in the page
    /// for its last positions, in the history for the others.
    func convolutionInput(
        layer: Int, position: Int, of sequence: SequenceState
    ) -> UnsafeMutablePointer<Float> {
        let convolution = layout.convolution[layer]
        guard let index = sequence.indexInPage(position) else {
            return history.unsafelyUnwrapped.input(  // made by reserve(_:), before any layer runs
                layer: layer, position: position, channels: convolution.channels)
        }
        return (sequence.pages[position / StatePage.length].base + convolution.inputs)
            .assumingMemoryBound(to: Float.self) + index * convolution.channels
    }

    func makeTail(of sequence: SequenceState) -> StateTail? {
        guard layout.recurrentByteCount == 0 else {
            guard let recurrence, let tail = try? layout.makeTail(positions: 0) else { return nil }
            recurrence.copy(to: tail)
            return tail
        }
        let positions = tailPositions(of: sequence)
        guard layout.reach > 0, sequence.canContinue(at: sequence.count),
            let tail = try? layout.makeTail(positions: positions.count)
        else { return nil }
        let values = tail.values
        eachTailInput(positions, of: sequence) { _, input, offset, channels in
            (values + offset).update(from: input, count: channels)
        }
        return tail
    }

    func restore(_ tail: StateTail, of sequence: SequenceState) {
        guard layout.recurrentByteCount == 0 else {
            recurrence?.restore(tail)
            return
        }
        let values = tail.values
        eachTailInput(tailPositions(of: sequence), of: sequence) { position, input, offset, channels in
            guard sequence.indexInPage(position) == nil else { return }
            input.update(from: values + offset, count: channels)
        }
    }

    private func tailPositions(of sequence: SequenceState) -> Range<Int> {
        max(0, sequence.count - layout.reach)..<sequence.count
    }

    private func eachTailInput(
        _ positions: Range<Int>, of sequence: SequenceState,
        _ body: (Int, UnsafeMutablePointer<Float>, Int, Int) -> Void
    ) {
        var offset = 0
        for position in positions {
            for (layer, convolution) in layout.convolution.enumerated() {
                body(
                    position, convolutionInput(layer: layer, position: position, of: sequence), offset,
                    convolution.channels)
                offset += convolution.channels
            }
        }
    }
}

extension CacheLayout {
    /// An empty sequence.
    package func makeSequence(limit: Int) -> SequenceState {
        SequenceState(memory: self, storage: CachedStorage(layout: self), limit: limit)
    }
}

extension SequenceState {
    /// The processor's part of the state of one of its sequences.
    var cached: CachedStorage { unsafeDowncast(storage, to: CachedStorage.self) }

    /// Returns the place of a convolution layer's input at a position, which may be still to be written.
    func convolutionInput(layer: Int, position: Int) -> UnsafeMutablePointer<Float> {
        cached.convolutionInput(layer: layer, position: position, of: self)
    }

    /// The addresses of its pages.
    var table: PageTable { cached.table }
}
