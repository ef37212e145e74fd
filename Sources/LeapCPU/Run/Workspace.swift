import LeapBase
import LeapCompute
import LeapModel

/// The scratch memory of a forward pass: buffers by their purposes, grown when a batch needs more and kept for the
/// next.
///
/// A buffer is live from when it is taken to ``release(_:)``, or to the end of the batch. Purposes that share memory
/// are not live at once, which debug builds check.
///
/// A prompt needs hundreds of times as much as the tokens that are decoded after it, so what it needed is given back to
/// the system once a number of small batches have gone by.
final class Workspace: ScratchMemory {
    private let memory: MemoryPool

    /// No buffers yet.
    init(memory: MemoryPool = MemoryPool()) { self.memory = memory }

    private var floats: [AlignedMemory?] = Array(repeating: nil, count: Purpose.allCases.count)
    private var activations: [AlignedMemory?] = []
    private var ropeTables: [AlignedMemory?] = []

    /// The purposes whose buffers are still needed behind a batch, up to the next one.
    private static let results: [Purpose] = [.logits, .hidden, .captured, .keptVectors]
    #if DEBUG
        /// The purpose that each memory is used for, by the memory; nil where nothing is live there.
        private var holders: [Purpose?] = Array(repeating: nil, count: Purpose.allCases.count)
    #endif

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
    /// Pointers to them end here, as do the outputs of the batch before.
    func beginBatch(rows: Int) {
        release(Self.results)
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
        release(Purpose.allCases)
    }

    /// Ends the use of all buffers but those of outputs.
    func endBatch() { release(Purpose.allCases.filter { !Self.results.contains($0) }) }

    /// Ends the use of buffers, those of them that are live: their memory may serve other purposes.
    ///
    /// In release builds it does nothing, and does not ask for the purposes.
    func release(_ purposes: @autoclosure () -> [Purpose]) {
        #if DEBUG
            for purpose in purposes() where holders[purpose.memory.rawValue] == purpose {
                holders[purpose.memory.rawValue] = nil
            }
        #endif
    }

    #if DEBUG
        /// The other purpose whose live buffer has the memory of this one; nil where there is none.
        func holder(of purpose: Purpose) -> Purpose? {
            holders[purpose.memory.rawValue].flatMap { $0 == purpose ? nil : $0 }
        }
    #endif

    /// A buffer of at least `count` floats; its former contents are lost.
    ///
    /// In debug builds they are NaN: whoever still needs what the buffer held before computes with that, which tests of
    /// the output tell.
    /// - Precondition: no buffer of another purpose is live in the same memory, see ``Purpose/memory``.
    func floats(_ purpose: Purpose, _ count: Int) throws(EngineError) -> UnsafeMutablePointer<Float> {
        #if DEBUG
            if let other = holder(of: purpose) {
                preconditionFailure("the buffers \(other) and \(purpose) are live in the same memory")
            }
        #endif
        let buffer = try grow(&floats, purpose.memory.rawValue, to: count * MemoryLayout<Float>.stride)
        #if DEBUG
            holders[purpose.memory.rawValue] = purpose
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
