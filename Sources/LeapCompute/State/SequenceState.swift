package import LeapBase
package import LeapModel
package import LeapTokenizer

/// The state of one sequence: its tokens, and for each of them what the model's layers need of the positions before.
///
/// An executor makes sequences, with a storage of its own for what it keeps beside the pages. Used by one thread at a
/// time.
package final class SequenceState {
    /// Makes the pages.
    package let memory: any StateMemory
    /// The part of the state that the executor keeps.
    package let storage: any SequenceStorage
    /// The maximum number of positions.
    package let limit: Int
    /// The tokens that the state holds; none of a sequence of vectors.
    package private(set) var tokens: [TokenID] = []
    /// The number of positions that are computed.
    package private(set) var count = 0
    /// The track of positions for rotations that tell rows and columns of images apart.
    package private(set) var rotary = RotaryTrack()
    package private(set) var pages: [StatePage] = []
    /// The adapters that the state is computed with.
    package private(set) var adapters = AdapterSet.none
    /// The key of the adapters that the tokens were computed with; those of a state from a file need not be at hand.
    package private(set) var adapterKey: StableHash?
    /// Inputs that only the latest positions have are kept from this position on.
    package private(set) var historyStart = 0

    /// Places before the end from which the sequence can go on, in ascending order, where its state is recurrent.
    package private(set) var checkpoints: [StateCheckpoint] = []
    /// The positions at which the state is kept when a pass comes by, besides those that every sequence keeps.
    private var plannedCheckpoints: Set<Int> = []
    /// Those that the pass in progress writes.
    private var writtenCheckpoints: [StateCheckpoint] = []
    /// The end before the latest pass, the state of which is there until the next one; nil where it is not.
    private var previousCount: Int?

    /// The number of the latest positions that keep such inputs.
    package static let historyLength = 64

    /// An empty sequence.
    package init(memory: any StateMemory, storage: any SequenceStorage, limit: Int) {
        self.memory = memory
        self.storage = storage
        self.limit = limit
    }

    // MARK: Adapters

    /// Goes on with these adapters: what was computed with others is forgotten.
    package func use(_ adapters: AdapterSet) {
        if adapters.key != adapterKey { truncate(to: 0) }
        self.adapters = adapters
        adapterKey = adapters.key
    }

    /// Takes over a state that was computed elsewhere, with adapters of this key.
    package func restore(_ state: SharedState, of prompt: [TokenID], adapters: StableHash?) throws(EngineError) {
        try adopt(state, of: prompt)
        adapterKey = adapters
    }

    // MARK: Growing

    /// Takes the memory for `added` more positions, and copies of shared pages that would be written into.
    ///
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`; what the state holds stays as it is.
    package func reserve(_ added: Int) throws(EngineError) {
        let end = count + added
        guard end <= limit else { throw .contextExceeded(needed: end, available: limit) }
        guard added > 0 else { return }
        let first = count / StatePage.length
        let last = (end - 1) / StatePage.length
        try storage.reserve(pageCount: last + 1, keepingInputs: true)
        for index in first...last {
            if index == pages.count {
                pages.append(try memory.makePage())
            } else if !isKnownUniquelyReferenced(&pages[index]) {
                pages[index] = try memory.makeCopy(of: pages[index])
            } else {
                continue
            }
            storage.didSet(pages[index], at: index)
        }
    }

    /// Bytes that ``reserve(_:)`` would take.
    package func reserveByteCount(_ added: Int) -> Int {
        guard added > 0 else { return 0 }
        let needed = Self.pageCount(count + added)
        var bytes = max(0, needed - pages.count) * memory.pageByteCount + storage.reserveByteCount(pageCount: needed)
        // A page that is shared and would be written into is copied.
        let first = count / StatePage.length
        if first < pages.count, !isKnownUniquelyReferenced(&pages[first]) { bytes += memory.pageByteCount }
        return bytes
    }

    /// Gives back what was reserved and not used.
    package func releaseReserve() {
        let needed = Self.pageCount(count)
        if pages.count > needed { pages.removeLast(pages.count - needed) }
    }

    /// Gives back what no later position looks at, in models whose attention has a window.
    ///
    /// The sequence can no longer be cut to a shorter one but an empty one.
    package func releasePages(before position: Int) {
        let end = position / StatePage.length
        guard end > 1, pages.count > end, let placeholder = pages.first else { return }
        // Pages before the latest ones were released by earlier calls.
        for index in stride(from: end - 1, to: 0, by: -1) {
            guard pages[index] !== placeholder else { return }
            pages[index] = placeholder
            storage.didSet(placeholder, at: index)
        }
    }

    private static func pageCount(_ positions: Int) -> Int { (positions + StatePage.length - 1) / StatePage.length }

    /// Prepares for a pass over so many positions, which are reserved.
    package func beginPass(_ added: Int) {
        guard memory.isRecurrent, added > 0 else { return }
        let places = count + 1...count + added
        let interval = memory.checkpointInterval
        let regular = stride(from: (count / interval + 1) * interval, through: places.upperBound, by: interval)
        // Where there is no memory for a copy, the sequence can be cut to fewer places.
        writtenCheckpoints = plannedCheckpoints.filter(places.contains).union(regular).sorted().compactMap { place in
            (try? memory.makeTail(positions: 0)).map { StateCheckpoint(count: place, tail: $0) }
        }
        storage.beginPass(checkpoints: writtenCheckpoints)
    }

    /// Counts positions whose state was written after ``reserve(_:)``.
    package func commit(_ inputs: BatchSegment.Inputs) {
        if memory.isRecurrent {
            storage.commitPass()
            previousCount = count
            checkpoints += writtenCheckpoints
            writtenCheckpoints = []
        }
        if case .tokens(let added, _) = inputs {
            tokens.append(contentsOf: added)
            for token in added { _ = rotary.advance(token) }
        }
        count += inputs.count
        if memory.isRecurrent { dropSurplusCheckpoints() }
        historyStart = max(historyStart, count - Self.historyLength)
    }

    /// Gives up `added` positions that may have been written in part after ``reserve(_:)``.
    ///
    /// - Returns: the positions that remain, as ``truncate(to:)``.
    @discardableResult
    package func abandon(_ added: Int) -> Int {
        historyStart = max(historyStart, count + added - Self.historyLength)
        // The pass wrote over what there was before the one before it.
        previousCount = nil
        writtenCheckpoints = []
        storage.beginPass(checkpoints: [])
        return truncate(to: count)
    }

    // MARK: Cutting

    /// Forgets every position from `length` on.
    ///
    /// Attention can be cut anywhere. Layers that look back at recent inputs need those before the cut: where these are
    /// no longer kept, the cut goes back to the start of the page, which costs the recomputation of 63 tokens at most.
    /// Where the state is recurrent, the cut goes back to where it was kept: the start of the latest pass, or a
    /// checkpoint. Within a pass that checked proposals it can be anywhere.
    ///
    /// - Returns: the number of positions that remain.
    @discardableResult
    package func truncate(to length: Int) -> Int {
        let length = longestContinuation(atMost: min(max(length, 0), count))
        let isCut = length < count
        tokens.removeLast(min(tokens.count, count - length))
        count = length
        if isCut { rotary = rotary.hasGrids ? RotaryTrack(tokens) : RotaryTrack(textLength: length) }
        releaseReserve()
        historyStart = min(historyStart, length)
        if isCut, memory.isRecurrent { restoreRecurrentState() }
        return length
    }

    /// Goes on from the state that was kept at the end, which was another one before.
    private func restoreRecurrentState() {
        if count == 0 {
            storage.clearState()
        } else if count == previousCount {
            storage.revertPass()
        } else if let checkpoint = checkpoints.last(where: { $0.count == count }) {
            storage.restore(checkpoint.tail, of: self)
        } else if let previousCount {
            storage.replay(count - previousCount)
        }
        previousCount = nil
        checkpoints.removeAll { $0.count > count }
    }

    /// The longest beginning of at most `length` positions that the sequence can be cut to and go on from.
    private func longestContinuation(atMost length: Int) -> Int {
        if canContinue(at: length) { return length }
        guard memory.isRecurrent else { return length - length % StatePage.length }
        let places = checkpoints.map(\.count) + [previousCount ?? 0]
        return places.filter { $0 <= length }.max() ?? 0
    }

    /// True if the state takes memory.
    package var holdsMemory: Bool { !pages.isEmpty || storage.holdsMemory }

    /// Forgets everything and gives the memory back.
    package func releaseMemory() {
        tokens = []
        count = 0
        rotary = RotaryTrack()
        pages = []
        historyStart = 0
        checkpoints = []
        previousCount = nil
        storage.releaseMemory()
    }

    /// Returns the number of these tokens, of at most `limit`, that the state could keep and go on from.
    package func reusablePrefix(of prompt: [TokenID], limit: Int) -> Int {
        var shared = 0
        let end = min(prompt.count, tokens.count, limit)
        while shared < end, prompt[shared] == tokens[shared] { shared += 1 }
        return longestContinuation(atMost: shared)
    }

    /// Returns true if all that layers need to go on from a position is still kept.
    package func canContinue(at length: Int) -> Bool {
        if memory.isRecurrent {
            return [0, count, previousCount].contains(length) || checkpoints.contains { $0.count == length }
                || canReplay(to: length)
        }
        let reach = memory.reach
        guard reach > 0 else { return true }
        return (max(0, length - reach)..<length).allSatisfy { indexInPage($0) != nil || $0 >= historyStart }
    }

    /// True if the position is within the latest pass, and what recurrent layers got in that is still there.
    private func canReplay(to length: Int) -> Bool {
        guard let previousCount, length > previousCount, length < count else { return false }
        return storage.canReplay(length - previousCount)
    }

    /// The index among its page's inputs of a position whose inputs are kept there for good, or nil.
    package func indexInPage(_ position: Int) -> Int? {
        let index = position % StatePage.length - (StatePage.length - memory.reach)
        return index >= 0 ? index : nil
    }

    // MARK: Sharing

    /// Returns the state that another sequence can go on from: all of it, or its full pages where the end within a page
    /// is no longer kept.
    package func shared() -> SharedState {
        if memory.isRecurrent { return sharedRecurrentState() }
        let tail = count % StatePage.length == 0 ? nil : storage.makeTail(of: self)
        var count = count
        // Without its inputs the end of a sequence is of no use to layers that look back at them; its full pages still
        // are.
        if tail == nil, memory.reach > 0 { count -= count % StatePage.length }
        let pages = Array(pages.prefix(Self.pageCount(count)))
        return SharedState(pages: pages, count: count, tail: tail)
    }

    private func sharedRecurrentState() -> SharedState {
        guard count > 0 else { return SharedState() }
        let all = shared(upTo: count)
        guard all.count < count, let tail = storage.makeTail(of: self) else { return all }
        return SharedState(
            pages: Array(pages.prefix(Self.pageCount(count))), count: count, tail: tail, checkpoints: checkpoints)
    }

    /// Returns the state of the first `length` positions that another sequence can go on from without a copy of
    /// anything: their full pages, or the last checkpoint of a recurrent state.
    package func shared(upTo length: Int) -> SharedState {
        let length = min(length, count)
        guard memory.isRecurrent else {
            let full = length / StatePage.length
            return SharedState(pages: Array(pages.prefix(full)), count: full * StatePage.length)
        }
        let kept = checkpoints.filter { $0.count <= length }
        guard let last = kept.last else { return SharedState() }
        return SharedState(
            pages: Array(pages.prefix(Self.pageCount(last.count))), count: last.count, tail: last.tail,
            checkpoints: kept.dropLast())
    }

    /// Takes over shared pages that hold these tokens.
    ///
    /// All are full but the last, which needs the inputs before its end.
    package func adopt(_ state: SharedState, of prompt: [TokenID]) throws(EngineError) {
        try storage.reserve(pageCount: state.pages.count, keepingInputs: state.tail != nil)
        let state = state.continuable(isRecurrent: memory.isRecurrent)
        pages = state.pages
        tokens = Array(prompt[..<state.count])
        count = state.count
        rotary = RotaryTrack(tokens)
        for (index, page) in pages.enumerated() { storage.didSet(page, at: index) }
        historyStart = count
        previousCount = nil
        checkpoints = memory.isRecurrent ? state.checkpoints : []
        guard let tail = state.tail else { return storage.clearState() }
        if memory.isRecurrent { checkpoints.append(StateCheckpoint(count: count, tail: tail)) }
        historyStart = max(0, count - memory.reach)
        storage.restore(tail, of: self)
    }
}

// MARK: Checkpoints

extension SequenceState {
    /// The maximum number of checkpoints at other places than the regular ones in a sequence: those of its latest
    /// turns.
    private static let maxIrregularCheckpoints = 4

    /// Keeps a recurrent state where a later prompt is likely to part from this one: in front of the last token, which
    /// is computed again where the same prompt comes a second time, and at the end of a page before that, as what
    /// templates put behind a prompt for the reply to begin with is not always what they put in front of a reply of the
    /// past.
    package func planCheckpoints(promptCount: Int) {
        let last = promptCount - 1
        plannedCheckpoints = []
        planCheckpoint(at: last)
        planCheckpoint(at: (last - 1) / StatePage.length * StatePage.length)
    }

    /// Keeps a recurrent state when a pass comes by at a position.
    package func planCheckpoint(at position: Int) {
        guard memory.isRecurrent, position > count else { return }
        plannedCheckpoints.insert(position)
    }

    /// Forgets the oldest of too many checkpoints at other places than the regular ones.
    private func dropSurplusCheckpoints() {
        plannedCheckpoints = plannedCheckpoints.filter { $0 > count }
        let irregular = checkpoints.filter { $0.count % memory.checkpointInterval != 0 }
        guard irregular.count > Self.maxIrregularCheckpoints else { return }
        let surplus = Set(irregular.dropLast(Self.maxIrregularCheckpoints).map(\.count))
        checkpoints.removeAll { surplus.contains($0.count) }
    }
}
