/// The part of a batch that decides which kernels it takes, with which parameters and buffers; all else is in the
/// buffers.
struct BatchShape: Hashable {
    let rowCount: Int
    let wantedCount: Int
    let promptRows: [Range<Int>]
    let pageCount: Int
    /// The chunks that pages lie in, and those of each run of pages; see ``PageSpans``.
    let chunks: [Int]
    let spans: [Int]
    /// The chunk that the states of recurrent layers lie in; nil without such.
    let stateChunk: Int?
    let sequenceCount: Int
    /// Inputs of convolutions and states of recurrent layers that are kept.
    let keptInputCount: Int
    let keptStateCount: Int
    let wantsLogits: Bool
    /// The layers behind which the stream is read too.
    let keptLayers: [Int]
    /// The number of times that the pacing changed, which decides into how many runs products are split.
    let pacing: Int
}

/// The commands of a batch's layers, and where their results are.
struct Plan {
    let recording: Recording
    let vectors: GPUBinding
    /// The logits' buffer; nil without.
    let logits: GPUBinding?
    /// The buffers with the stream behind each of the layers behind which it is read too.
    let streams: [GPUBinding]
}

/// Plans that may be carried out again, the latest ones.
struct Plans {
    private static let countMax = 8
    /// The latest last.
    private var kept: [(shape: BatchShape, plan: Plan)] = []
    /// The generation of the buffers that they use; see ``Scratch/generation`` and ``StateArena/generation``.
    private var generation = 0

    /// The plan for a shape; nil where there is none, or its buffers have been replaced.
    mutating func plan(_ shape: BatchShape, generation current: Int) -> Plan? {
        dropOlder(than: current)
        guard let index = kept.firstIndex(where: { $0.shape == shape }) else { return nil }
        let found = kept.remove(at: index)
        kept.append(found)
        return found.plan
    }

    mutating func keep(_ plan: Plan, _ shape: BatchShape, generation current: Int) {
        dropOlder(than: current)
        if kept.count == Self.countMax { kept.removeFirst() }
        kept.append((shape, plan))
    }

    mutating func removeAll() { kept = [] }

    private mutating func dropOlder(than current: Int) {
        if generation != current { kept = [] }
        generation = current
    }
}
