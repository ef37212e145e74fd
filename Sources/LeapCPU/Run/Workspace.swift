import LeapBase
import LeapCompute
import LeapModel

/// The scratch memory of a forward pass: one buffer for each purpose, grown when a batch needs more and kept for the
/// next.
///
/// A prompt needs hundreds of times as much as the tokens that are decoded after it, so what it needed is given back to
/// the system once a number of small batches have gone by.
final class Workspace: ScratchMemory {
    private let memory: MemoryPool

    /// No buffers yet.
    init(memory: MemoryPool = MemoryPool()) { self.memory = memory }

    /// The purpose of a buffer of floats.
    enum Purpose: Int, CaseIterable {
        /// The residual stream, `[rows][embedding]`.
        case stream
        /// The normed stream that a block reads, `[rows][embedding]`.
        case normed
        /// A block's result, before it is added to the stream, `[rows][embedding]`.
        case branch
        case query, key, value
        /// The values that attention's gates are made of, `[rows][heads]`.
        case headGates
        /// The values that a mixer gathered from the positions, before its output projection.
        case mixed
        case gate, up
        /// Inputs of a product that are cut to bounds.
        case bounded
        /// Router scores, `[rows][experts]`.
        case scores
        case expertOutput
        /// The result of the first of two networks side by side, `[rows][embedding]`.
        case side
        /// Streams side by side, `[streams][rows][embedding]`, and those that are made of them.
        case streams, movedStreams
        /// Vectors of the tokens for all layers, `[rows][layers · width]`.
        case tokenInputs
        /// Constant factors, one for each row.
        case factors
        case logits
        /// The values of adapters between their two matrices.
        case adapterInner
        /// The part of the inputs of products that rounding takes.
        case remainder
        /// Sinusoids of the distances between positions, `[2 · rows - 1][embedding]`, and what a layer makes of them.
        case distances, projectedDistances
        /// A head's values, `[head][rows]`.
        case transposed
        /// Outputs of layers, `[rows][layers · embedding]`, and what is added to logits for the token before.
        case captured, transitions
    }

    private var floats: [AlignedMemory?] = Array(repeating: nil, count: Purpose.allCases.count)
    private var activations: [AlignedMemory?] = []
    private var ropeTables: [AlignedMemory?] = []

    /// Small batches in a row after which larger buffers are given back: mapping them again costs a prompt about one
    /// percent.
    static let smallBatchLimit = 32
    /// A batch is small if the buffers would do for this many of its size.
    private static let smallness = 4

    /// Rows of the largest batch since buffers were last given back.
    private(set) var largestRows = 0
    /// The bytes of a row in the batches before, without its logits.
    private var rowByteCount = 0
    private var smallBatches = 0

    /// Bytes of all buffers.
    var byteCount: Int {
        (floats + activations + ropeTables).reduce(0) { $0 + ($1?.byteCount ?? 0) }
    }

    /// Returns the bytes that a batch of few rows with logits for each is likely to take, by those of the batches
    /// before; 0 before the first one.
    func estimatedByteCount(rows: Int, vocabularySize: Int) -> Int {
        noteRowByteCount()
        return rowByteCount == 0 ? 0 : rows * (rowByteCount + vocabularySize * MemoryLayout<Float>.stride)
    }

    private func noteRowByteCount() {
        guard largestRows > 0, floats[Purpose.stream.rawValue] != nil else { return }
        let logits = floats[Purpose.logits.rawValue]?.byteCount ?? 0
        rowByteCount = (byteCount - logits) / largestRows
    }

    /// Gives buffers back that batches have not needed for a while.
    ///
    /// Pointers to them end here.
    func beginBatch(rows: Int) {
        guard rows * Self.smallness < largestRows else {
            largestRows = max(largestRows, rows)
            smallBatches = 0
            return
        }
        smallBatches += 1
        guard smallBatches == Self.smallBatchLimit else { return }
        removeAll()
        largestRows = rows
    }

    private func grow(
        _ list: inout [AlignedMemory?], _ index: Int, to byteCount: Int
    ) throws(EngineError) -> UnsafeMutableRawPointer {
        while list.count <= index { list.append(nil) }
        if let memory = list[index], memory.byteCount >= byteCount { return memory.base }
        list[index] = nil  // give the old one back first
        let grown = try AlignedMemory(byteCount: byteCount, pool: memory)
        list[index] = grown
        return grown.base
    }

    /// Gives all buffers back.
    func removeAll() {
        noteRowByteCount()
        floats = Array(repeating: nil, count: floats.count)
        activations = []
        ropeTables = []
        largestRows = 0
        smallBatches = 0
    }

    /// A buffer of at least `count` floats; its former contents are lost.
    ///
    /// In debug builds they are NaN: whoever still needs what the buffer held before computes with that, which tests of
    /// the output tell.
    func floats(_ purpose: Purpose, _ count: Int) throws(EngineError) -> UnsafeMutablePointer<Float> {
        let buffer = try grow(&floats, purpose.rawValue, to: count * MemoryLayout<Float>.stride)
        #if DEBUG
            memset(buffer, 0xff, count * MemoryLayout<Float>.stride)
        #endif
        return buffer.assumingMemoryBound(to: Float.self)
    }

    /// The buffer for inputs prepared in one of the kernels' forms.
    func activation(kind: Int32, byteCount: Int) throws(EngineError) -> UnsafeMutableRawPointer {
        try grow(&activations, Int(kind), to: byteCount)
    }

    /// The buffer for a rotation's cosines and sines.
    func ropeTable(_ index: Int, _ count: Int) throws(EngineError) -> UnsafeMutablePointer<Float> {
        try grow(&ropeTables, index, to: count * MemoryLayout<Float>.stride).assumingMemoryBound(to: Float.self)
    }
}
