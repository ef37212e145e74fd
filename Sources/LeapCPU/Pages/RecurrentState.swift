import LeapBase
import LeapCompute
import LeapModel

/// The state that layers keep of a sequence as a whole: that of Gated DeltaNet and Mamba-2, and the inputs that their
/// convolutions look back at.
///
/// There are two places for it: a pass reads one and writes the other, and what it wrote becomes the state when the
/// pass counts. So a pass that is given up costs nothing, and one whose last tokens turn out wrong can be taken back as
/// a whole.
final class RecurrentState {
    private var memory: AlignedMemory
    private let pool: MemoryPool
    private let byteCount: Int
    /// The index of the place that has the state.
    private var current = 0
    /// True if the state is that of an empty sequence, which is zero, whatever is in its place; and the same of the one
    /// before.
    private var isClear = true
    private var wasClear = true
    /// The places besides in which the pass in progress keeps the state, in ascending order.
    private(set) var checkpoints: [StateCheckpoint] = []
    /// Keeps what layers got of the latest pass; nil until a pass asked for it.
    private var inputs: RecurrentReplay?
    /// Rows that it has of the latest pass; 0 where it has none.
    private var replayableRows = 0

    init(_ layout: CacheLayout) throws(EngineError) {
        byteCount = layout.recurrentByteCount
        pool = layout.pool
        if let shared = try layout.states?.take(byteCount: 2 * byteCount, pool: pool) {
            memory = shared
        } else {
            memory = try AlignedMemory(byteCount: 2 * byteCount, pool: pool)
        }
    }

    /// Goes on in memory that only the processor writes into.
    func leaveDevice() throws(EngineError) {
        let own = try AlignedMemory(byteCount: 2 * byteCount, pool: pool)
        memcpy(own.base, memory.base, 2 * byteCount)
        memory = own
    }

    /// Bytes that it takes.
    static func byteCount(_ layout: CacheLayout) -> Int { 2 * layout.recurrentByteCount }

    private func place(_ index: Int) -> UnsafeMutableRawPointer { memory.base + index * byteCount }

    /// The state that a pass begins with; nil stands for zeros.
    var before: UnsafeRawPointer? { isClear ? nil : UnsafeRawPointer(place(current)) }

    /// The place in which a pass writes the state at its end.
    var after: UnsafeMutableRawPointer { place(1 - current) }

    /// Prepares for a pass that keeps the state at these places besides.
    func begin(checkpoints: [StateCheckpoint]) {
        self.checkpoints = checkpoints
        replayableRows = 0
    }

    /// Keeps what layers get of the pass in progress, so that it can be taken back in part; where there is no memory for
    /// that, it can be taken back as a whole.
    func record(_ rows: Int, of stack: LayerStack, _ layout: CacheLayout, _ kernels: Kernels) {
        if inputs?.capacity ?? 0 < rows {
            inputs = nil
            inputs = try? RecurrentReplay(stack, layout, kernels, capacity: rows)
        }
        replayableRows = inputs == nil ? 0 : rows
    }

    /// The place of the pass in progress for the inputs of layers; nil where it keeps none.
    var recording: RecurrentReplay? { replayableRows > 0 ? inputs : nil }

    /// Returns whether ``replay(_:)`` can go to a place.
    func canReplay(_ count: Int) -> Bool { count > 0 && count < replayableRows }

    /// Goes on from behind the first rows of the latest pass.
    func replay(_ count: Int) {
        guard canReplay(count), let inputs else { return }
        revert()
        inputs.run(count, before: before, after: after)
        commit()
    }

    /// Takes what a pass wrote for the state.
    func commit() {
        current = 1 - current
        (wasClear, isClear) = (isClear, false)
        checkpoints = []
    }

    /// Goes back to the state before the latest pass, over which nothing was written since.
    func revert() {
        current = 1 - current
        isClear = wasClear
        replayableRows = 0
    }

    /// Goes back to the state of an empty sequence.
    func clear() {
        isClear = true
        replayableRows = 0
    }

    /// Copies the state.
    func copy(to tail: StateTail) {
        if let before { memcpy(tail.values, before, byteCount) } else { memset(tail.values, 0, byteCount) }
    }

    /// Goes on from a copy.
    func restore(_ tail: StateTail) {
        memcpy(place(current), tail.values, byteCount)
        isClear = false
        replayableRows = 0
    }
}
