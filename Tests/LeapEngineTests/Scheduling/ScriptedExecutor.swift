import LeapModel
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute

/// A device that computes nothing: what a step gives follows from the tokens by a rule, and what goes wrong by a
/// script.
final class ScriptedDevice: Device {
    /// The executor that the engine was given.
    private(set) var executor: ScriptedExecutor?
    /// True if sequences have a state of the whole, which is there for some positions only.
    private let isRecurrent: Bool

    init(isRecurrent: Bool = false) { self.isRecurrent = isRecurrent }

    func makeExecutor(
        for model: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any Executor {
        let executor = ScriptedExecutor(vocabularySize: model.vocabularySize, pool: memory, isRecurrent: isRecurrent)
        self.executor = executor
        return executor
    }

    func makePass(for encoder: any MediaEncoder, memory: MemoryPool) throws(EngineError) -> any MediaPass {
        throw EngineError(.unsupportedTask, "the scripted device reads no pictures")
    }

    func makeSpeechExecutor(for decoder: SpeechDecoder, memory: MemoryPool) throws(EngineError) -> any SpeechExecutor {
        throw EngineError(.unsupportedTask, "the scripted device does not speak")
    }
}

/// The likeliest token behind a position is a hash of all tokens up to it.
///
/// They are read where they stand in the sequence's pages, or as its state of the whole has them: one that is wrong,
/// missing or shared with what it does not belong to changes the text.
final class ScriptedExecutor: Executor {
    /// The request for a step.
    struct Step {
        let sequences: [ObjectIdentifier]
        let counts: [Int]
    }

    /// Asked before a step is computed, with its number from 0 and its segments: returns the error that ends it.
    var fault: (_ step: Int, [BatchSegment]) -> EngineError? = { _, _ in nil }
    /// Called in the middle of a step; false stops it there, as cancelling does.
    var middle: (_ step: Int) -> Bool = { _ in true }
    /// Steps that were computed.
    private(set) var steps: [Step] = []
    /// Steps that were asked for.
    private(set) var count = 0

    let vocabularySize: Int
    let memory: any StateMemory
    private let work: ScriptedScratch
    private let isRecurrent: Bool
    private var outputs: UnsafeMutableBufferPointer<Float> = .allocate(capacity: 0)

    init(vocabularySize: Int, pool: MemoryPool, isRecurrent: Bool) {
        self.vocabularySize = vocabularySize
        self.isRecurrent = isRecurrent
        memory = ScriptedMemory(pool: pool, recurrentByteCount: isRecurrent ? ScriptedTail.byteCount : 0)
        work = ScriptedScratch(pool: pool)
    }

    deinit { outputs.deallocate() }

    var scratch: any ScratchMemory { work }

    func makeSequence(limit: Int) -> SequenceState {
        SequenceState(memory: memory, storage: ScriptedStorage(memory: memory), limit: limit)
    }

    func run(_ segments: [BatchSegment], shouldContinue: () -> Bool) throws(EngineError) -> [Rows]? {
        let step = count
        count += 1
        try work.take(rows: segments.reduce(0) { $0 + $1.count })
        for segment in segments { try segment.sequence.reserve(segment.count) }
        let hashes = segments.map(write)
        let error = fault(step, segments)
        guard error == nil, middle(step), shouldContinue() else {
            for segment in segments { segment.sequence.abandon(segment.count) }
            if let error { throw error }
            return nil
        }
        for segment in segments { segment.sequence.commit(segment.inputs) }
        steps.append(
            Step(sequences: segments.map { ObjectIdentifier($0.sequence) }, counts: segments.map(\.count)))
        return rows(of: segments, hashes)
    }

    /// Writes the tokens of a segment.
    ///
    /// - Returns: the hash behind each of its positions.
    private func write(_ segment: BatchSegment) -> [UInt64] {
        guard case .tokens(let tokens, _) = segment.inputs else { return [] }
        let (sequence, start) = (segment.sequence, segment.sequence.count)
        sequence.beginPass(segment.count)
        let storage = unsafeDowncast(sequence.storage, to: ScriptedStorage.self)
        var hash = isRecurrent ? storage.state : ScriptedStorage.empty
        if !isRecurrent {
            for position in 0..<start { hash = Self.hash(hash, sequence.scriptedToken(at: position)) }
        }
        var hashes: [UInt64] = []
        for (index, token) in tokens.enumerated() {
            let position = start + index
            sequence.scripted(position / StatePage.length).tokens[position % StatePage.length] = token
            hash = Self.hash(hash, token)
            hashes.append(hash)
            storage.note(hash, behind: position + 1)
        }
        return hashes
    }

    private static func hash(_ hash: UInt64, _ token: TokenID) -> UInt64 {
        (hash ^ UInt64(truncatingIfNeeded: token)) &* 0x100_0000_01b3
    }

    private func rows(of segments: [BatchSegment], _ hashes: [[UInt64]]) -> [Rows] {
        let total = segments.reduce(0) { $0 + $1.wantedIndices.count }
        outputs.deallocate()
        outputs = .allocate(capacity: total * vocabularySize)
        outputs.initialize(repeating: 0)
        var offset = 0
        return zip(segments, hashes).map { segment, hashes in
            let base = outputs.baseAddress.unsafelyUnwrapped + offset
            let rows = Rows(base: base, count: segment.wantedIndices.count, length: vocabularySize)
            offset += rows.count * vocabularySize
            for (row, index) in segment.wantedIndices.enumerated() {
                // The first tokens of a vocabulary may end a text.
                rows.row(row)[100 + Int(hashes[index] % UInt64(vocabularySize - 100))] = 20
            }
            return rows
        }
    }

    func logits(of vectors: Rows) throws(EngineError) -> Rows { vectors }
    func project(_ vectors: [[Float]]) throws(EngineError) -> [[Float]]? { nil }
    func classify(_ vectors: [[Float]]) throws(EngineError) -> [[Float]]? { nil }
    func maskedWords(_ vectors: [[Float]]) throws(EngineError) -> [[Float]]? { nil }
    func logSumExp(_ rows: Rows) -> [Float] { [Float](repeating: 0, count: rows.count) }
}

extension SequenceState {
    /// The contents of a page.
    fileprivate func scripted(_ page: Int) -> ScriptedPage {
        unsafeDowncast(pages[page].contents, to: ScriptedPage.self)
    }

    fileprivate func scriptedToken(at position: Int) -> TokenID {
        scripted(position / StatePage.length).tokens[position % StatePage.length]
    }
}

/// The tokens of a page, and the bytes that are counted for it.
private final class ScriptedPage {
    static let byteCount = 1024
    var tokens = [TokenID](repeating: -1, count: StatePage.length)
    private let pool: MemoryPool

    init(pool: MemoryPool) throws(EngineError) {
        try pool.take(Self.byteCount)
        self.pool = pool
    }

    deinit { pool.giveBack(Self.byteCount) }
}

/// A state of the whole that was kept, and the bytes that are counted for it.
private final class ScriptedTail {
    static let byteCount = 256
    var state = ScriptedStorage.empty
    private let pool: MemoryPool

    init(pool: MemoryPool) throws(EngineError) {
        try pool.take(Self.byteCount)
        self.pool = pool
    }

    deinit { pool.giveBack(Self.byteCount) }
}

private struct ScriptedMemory: StateMemory {
    let pool: MemoryPool
    let recurrentByteCount: Int
    var keyValueType: KeyValueType { .f32 }
    var arithmetic: String { "scripted" }
    var pageByteCount: Int { ScriptedPage.byteCount }
    var reach: Int { 0 }

    func tailByteCount(positions: Int) -> Int { recurrentByteCount }

    func makePage() throws(EngineError) -> StatePage {
        StatePage(byteCount: ScriptedPage.byteCount, contents: try ScriptedPage(pool: pool))
    }

    func makeCopy(of page: StatePage) throws(EngineError) -> StatePage {
        let copy = try ScriptedPage(pool: pool)
        copy.tokens = unsafeDowncast(page.contents, to: ScriptedPage.self).tokens
        return StatePage(byteCount: ScriptedPage.byteCount, contents: copy)
    }

    func makeTail(positions: Int) throws(EngineError) -> StateTail {
        StateTail(byteCount: ScriptedTail.byteCount, contents: try ScriptedTail(pool: pool))
    }

    func withBytes<R>(of page: StatePage, _ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
        try unsafeDowncast(page.contents, to: ScriptedPage.self).tokens.withUnsafeMutableBytes(body)
    }

    func withBytes<R>(of tail: StateTail, _ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
        try withUnsafeMutableBytes(of: &unsafeDowncast(tail.contents, to: ScriptedTail.self).state, body)
    }
}

private final class ScriptedStorage: SequenceStorage {
    static let empty: UInt64 = 0xcbf2_9ce4_8422_2325
    private(set) var state = ScriptedStorage.empty
    private var previous = ScriptedStorage.empty
    private var pending = ScriptedStorage.empty
    private var checkpoints: [StateCheckpoint] = []
    private let memory: any StateMemory

    init(memory: any StateMemory) { self.memory = memory }

    /// Takes note of the state behind so many positions, of the pass in progress.
    func note(_ hash: UInt64, behind count: Int) {
        pending = hash
        for checkpoint in checkpoints where checkpoint.count == count {
            unsafeDowncast(checkpoint.tail.contents, to: ScriptedTail.self).state = hash
        }
    }

    var holdsMemory: Bool { false }
    func reserve(pageCount: Int, keepingInputs: Bool) throws(EngineError) {}
    func reserveByteCount(pageCount: Int) -> Int { 0 }
    func didSet(_ page: StatePage, at index: Int) {}
    func releaseMemory() { clearState() }

    func beginPass(checkpoints: [StateCheckpoint]) { self.checkpoints = checkpoints }

    func commitPass() { (previous, state) = (state, pending) }

    func revertPass() { state = previous }

    func clearState() { state = Self.empty }

    func makeTail(of sequence: SequenceState) -> StateTail? {
        guard memory.isRecurrent, let tail = try? memory.makeTail(positions: 0) else { return nil }
        unsafeDowncast(tail.contents, to: ScriptedTail.self).state = state
        return tail
    }

    func restore(_ tail: StateTail, of sequence: SequenceState) {
        state = unsafeDowncast(tail.contents, to: ScriptedTail.self).state
    }
}

/// Takes so many bytes a row, and keeps them for the next batch.
final class ScriptedScratch: ScratchMemory {
    static let bytesPerRow = 64
    private let pool: MemoryPool
    private(set) var byteCount = 0
    private(set) var largestRows = 0

    init(pool: MemoryPool) { self.pool = pool }

    deinit { pool.giveBack(byteCount) }

    func take(rows: Int) throws(EngineError) {
        let missing = rows * Self.bytesPerRow - byteCount
        if missing > 0 {
            try pool.take(missing)
            byteCount += missing
        }
        largestRows = max(largestRows, rows)
    }

    func estimatedByteCount(rows: Int, vocabularySize: Int) -> Int { rows * Self.bytesPerRow }

    func removeAll() {
        pool.giveBack(byteCount)
        byteCount = 0
        largestRows = 0
    }
}
