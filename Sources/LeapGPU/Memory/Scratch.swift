/// Buffers of a device for a batch: one for each purpose, grown when a batch needs more and kept for the next.
final class Scratch {
    /// The purpose of a buffer.
    enum Purpose: Int, CaseIterable {
        /// The residual stream, `[rows][width]`, and the same of the rows that something is wanted of.
        case stream, wantedStream
        /// Streams side by side, `[rows][streams][width]`, in front of the layers, as two layers after each other
        /// predict them, and those of the rows that something is wanted of.
        case streams, predictedStreams, movedStreams, wantedStreams
        /// The vectors that the rows' tokens have for all layers.
        case tokenInputs, wantedTokenInputs
        case normed
        /// The first projections of mixers: queries, keys and values, or the gates and inputs of a convolution.
        case projected, wantedProjected
        /// The result of a mixer in front of its last matrix.
        case mixed, wantedMixed
        /// Gates of heads.
        case headGates, wantedHeadGates
        /// A row in a recurrent layer: the inputs and outputs of its convolution, gates, time steps, and what is read.
        case channels, filtered, gates, steps, read, wantedRead
        /// The feed-forward network between its matrices.
        case inner, lifted
        /// Inputs of a product within its bounds, and a network's products that its gates are multiplied with.
        case bounded, boundedUps
        /// The results of networks side by side.
        case sum
        /// A block's result, where a norm stands between it and the stream.
        case branch
        /// A router's logits, the experts that it chooses, their weights, and what each of them made.
        case routed, chosen, weights, results
        /// The gate of the expert that all tokens go through.
        case sharedGates
        case logits
        /// The wanted rows behind the last norm, where the host reads them.
        case vectors
        /// The results of pages, where attention goes through them side by side.
        case gathered
        /// The starts of pages as attention is told of them; see attention.slang.
        case pages
        /// Sequences and rows as convolutions are told of them; see convolution.slang.
        case sequences, states, kept, places
        /// Sequences and rows as recurrent layers are told of them, and the states that they keep; see
        /// recurrence.slang.
        case stateSequences, statePlaces, keptStates
        case wantedRows, order
        /// The places of rows in their pictures.
        case patches
    }

    /// The kinds of buffers that there may be several of.
    enum Table: Hashable {
        /// The cosines and sines of one of the stack's rotations.
        case rotations(HeadRotation)
        /// The same of the rows that something is wanted of.
        case wantedRotations(HeadRotation)
        /// The rows of one of the streams side by side.
        case streamRows(Int)
        /// The positions that rows see.
        case seen(Sight)
        /// The same of the rows that something is wanted of.
        case wantedSeen(Sight)
        /// The places of rows in one of the chunks that pages lie in.
        case chunkSlots(Int)
        /// The positions that rows see in a run of pages; see ``PageSpans``.
        case spanSeen(Int, Sight)
        /// The same of the rows that something is wanted of.
        case wantedSpanSeen(Int, Sight)
        /// The stream behind a layer, where the host reads it.
        case keptStream(Int)
        case purpose(Purpose)

        /// The user of its memory.
        var memory: GPUMemory {
            switch self {
            case .rotations, .wantedRotations, .streamRows, .seen, .wantedSeen, .chunkSlots, .spanSeen,
                .wantedSpanSeen:
                .shared
            case .keptStream: .results
            case .purpose(let purpose):
                switch purpose {
                case .stream, .streams, .tokenInputs, .pages, .sequences, .states, .places, .stateSequences,
                    .statePlaces, .wantedRows,
                    .order, .patches:
                    .shared
                case .vectors, .logits, .kept, .keptStates: .results
                default: .own
                }
            }
        }
    }

    private let device: any GPUDevice
    private var buffers: [Table: any GPUBuffer] = [:]
    /// The number of times that a buffer was replaced by a longer one.
    private(set) var generation = 0

    init(_ device: any GPUDevice) { self.device = device }

    /// Bytes of all buffers.
    var byteCount: Int { buffers.values.reduce(0) { $0 + $1.byteCount } }

    /// Room for so many elements of four bytes; what the buffer held before is lost.
    func take(_ table: Table, _ count: Int) throws(GPUError) -> GPUBinding {
        GPUBinding(try takeBuffer(table, count), 0..<max(count, 1) * 4)
    }

    /// The same as a buffer, which may be longer than a binding.
    func takeBuffer(_ table: Table, _ count: Int) throws(GPUError) -> any GPUBuffer {
        let byteCount = max(count, 1) * 4, limit = device.properties.bufferByteCount
        guard byteCount <= limit else { throw .outOfMemory(byteCount: byteCount) }
        if let buffer = buffers[table], buffer.byteCount >= byteCount { return buffer }
        // The old one is given back first.
        if buffers.removeValue(forKey: table) != nil { generation += 1 }
        var size = 1 << 12
        while size < byteCount { size *= 2 }
        let buffer = try device.makeBuffer(byteCount: min(size, limit), table.memory)
        buffers[table] = buffer
        return buffer
    }

    func take(_ purpose: Purpose, _ count: Int) throws(GPUError) -> GPUBinding { try take(.purpose(purpose), count) }

    /// Writes elements of four bytes where kernels read them.
    func write<T: BitwiseCopyable>(_ table: Table, _ elements: [T]) throws(GPUError) -> GPUBinding {
        let binding = try take(table, elements.count * MemoryLayout<T>.stride / 4)
        elements.withUnsafeBytes { binding.buffer.contents.copyMemory(from: $0) }
        return binding
    }
}
