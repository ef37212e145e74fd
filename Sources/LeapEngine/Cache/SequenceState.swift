import LeapBase
import LeapTokenizer

/// What the model remembers of one sequence: its tokens, and for each of them keys, values and convolution inputs.
///
/// Used by one thread at a time.
package final class SequenceState {
    let layout: CacheLayout
    /// The maximum number of positions.
    let limit: Int
    /// The tokens that the state holds.
    private(set) var tokens: [TokenID] = []
    private(set) var pages: [CachePage] = []
    let table: PageTable
    private var history: ConvolutionHistory?
    /// What the state is computed with, beside the model.
    private(set) var adapters = AdapterSet.none
    /// The key of the adapters that the tokens were computed with; those of a state from a file need not be at hand.
    private(set) var adapterKey: StableHash?
    /// Convolution inputs from this position on are in the history.
    private var historyStart = 0

    /// An empty sequence.
    package init(layout: CacheLayout, limit: Int) {
        self.layout = layout
        self.limit = limit
        table = PageTable(layout)
    }

    /// The number of positions that are computed.
    package var count: Int { tokens.count }

    /// Goes on with these adapters: what was computed with others is forgotten.
    package func use(_ adapters: AdapterSet) {
        if adapters.key != adapterKey { truncate(to: 0) }
        self.adapters = adapters
        adapterKey = adapters.key
    }

    /// Takes over a state that was computed elsewhere, with adapters of this key.
    func restore(_ match: PrefixCache.Match, of prompt: [TokenID], adapters: StableHash?) throws(EngineError) {
        try adopt(match, of: prompt)
        adapterKey = adapters
    }

    // MARK: Growing

    /// Takes the memory for `added` more positions, and copies of shared pages that would be written into.
    ///
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`; what the state holds stays as it is.
    func reserve(_ added: Int) throws(EngineError) {
        let end = count + added
        guard end <= limit else { throw .contextExceeded(needed: end, available: limit) }
        if history == nil, !layout.convolution.isEmpty { history = try ConvolutionHistory(layout) }
        guard added > 0 else { return }
        let first = count / CacheLayout.pageLength
        let last = (end - 1) / CacheLayout.pageLength
        try table.reserve(last + 1)
        for index in first...last {
            if index == pages.count {
                pages.append(try CachePage(layout))
            } else if !isKnownUniquelyReferenced(&pages[index]) {
                pages[index] = try CachePage(copying: pages[index], layout)
            } else {
                continue
            }
            table.set(index, pages[index])
        }
    }

    /// Bytes that ``reserve(_:)`` would take.
    func reserveByteCount(_ added: Int) -> Int {
        guard added > 0 else { return 0 }
        let needed = Self.pageCount(count + added)
        var bytes = max(0, needed - pages.count) * layout.pageByteCount + table.addedByteCount(for: needed)
        if history == nil { bytes += layout.tailInputByteCount(positions: ConvolutionHistory.length) }
        // A page that is shared and would be written into is copied.
        let first = count / CacheLayout.pageLength
        if first < pages.count, !isKnownUniquelyReferenced(&pages[first]) { bytes += layout.pageByteCount }
        return bytes
    }

    /// Gives back what was reserved and not used.
    func releaseReserve() {
        let needed = Self.pageCount(count)
        if pages.count > needed { pages.removeLast(pages.count - needed) }
    }

    /// Gives back what no later position looks at, in models whose attention has a window.
    ///
    /// The sequence can no longer be cut to a shorter one but an empty one.
    func releasePages(before position: Int) {
        let end = position / CacheLayout.pageLength
        guard end > 1, pages.count > end, let placeholder = pages.first else { return }
        // Pages before the latest ones were released by earlier calls.
        for index in stride(from: end - 1, to: 0, by: -1) {
            guard pages[index] !== placeholder else { return }
            pages[index] = placeholder
            table.set(index, placeholder)
        }
    }

    private static func pageCount(_ positions: Int) -> Int {
        (positions + CacheLayout.pageLength - 1) / CacheLayout.pageLength
    }

    /// Counts positions whose state was written after ``reserve(_:)``.
    func commit(_ added: ArraySlice<TokenID>) {
        tokens.append(contentsOf: added)
        historyStart = max(historyStart, count - ConvolutionHistory.length)
    }

    /// Gives up `added` positions that may have been written in part after ``reserve(_:)``.
    ///
    /// - Returns: the positions that remain, as ``truncate(to:)``.
    @discardableResult
    func abandon(_ added: Int) -> Int {
        historyStart = max(historyStart, count + added - ConvolutionHistory.length)
        return truncate(to: count)
    }

    // MARK: Cutting

    /// Forgets every position from `length` on.
    ///
    /// Attention can be cut anywhere. Convolutions need their inputs before the cut: where these are no longer kept, the cut
    /// goes back to the start of the page, which costs the recomputation of 63 tokens at most.
    ///
    /// - Returns: the number of positions that remain.
    @discardableResult
    func truncate(to length: Int) -> Int {
        var length = min(max(length, 0), count)
        if !canContinue(at: length) { length -= length % CacheLayout.pageLength }
        tokens.removeLast(count - length)
        releaseReserve()
        historyStart = min(historyStart, length)
        return length
    }

    /// Whether the state takes memory.
    var holdsMemory: Bool { !pages.isEmpty || history != nil }

    /// Forgets everything and gives the memory back.
    func releaseMemory() {
        tokens = []
        pages = []
        history = nil
        historyStart = 0
        table.removeAll()
    }

    /// How many of these tokens, of at most `limit`, the state could keep and go on from.
    func reusablePrefix(of prompt: [TokenID], limit: Int) -> Int {
        var shared = 0
        let end = min(prompt.count, count, limit)
        while shared < end, prompt[shared] == tokens[shared] { shared += 1 }
        return canContinue(at: shared) ? shared : shared - shared % CacheLayout.pageLength
    }

    /// Whether the convolutions' inputs before a position are still kept.
    func canContinue(at length: Int) -> Bool {
        let reach = layout.convolutionReach
        guard reach > 0 else { return true }
        return (max(0, length - reach)..<length).allSatisfy { indexInPage($0) != nil || $0 >= historyStart }
    }

    /// Whether a position's inputs are kept in its page for good.
    func isInPage(_ position: Int) -> Bool { indexInPage(position) != nil }

    /// The index among its page's inputs of a position whose inputs are kept there for good, or nil.
    private func indexInPage(_ position: Int) -> Int? {
        let index = position % CacheLayout.pageLength - (CacheLayout.pageLength - layout.convolutionReach)
        return index >= 0 ? index : nil
    }

    // MARK: Convolution inputs

    /// Where a convolution layer's input at a position is, or is to be written: in the page for its last positions, in the
    /// history for the others.
    func convolutionInput(layer: Int, position: Int) -> UnsafeMutablePointer<Float> {
        let convolution = layout.convolution[layer]
        guard let index = indexInPage(position) else {
            return history.unsafelyUnwrapped.input(  // made by reserve(_:), before any layer runs
                layer: layer, position: position, channels: convolution.channels)
        }
        return (pages[position / CacheLayout.pageLength].base + convolution.inputs)
            .assumingMemoryBound(to: Float.self) + index * convolution.channels
    }

    // MARK: Sharing

    /// Takes over shared pages that hold these tokens.
    ///
    /// All are full but the last, which needs the convolution inputs before its end.
    func adopt(_ match: PrefixCache.Match, of prompt: [TokenID]) throws(EngineError) {
        if match.tail != nil, history == nil { history = try ConvolutionHistory(layout) }
        try table.reserve(match.pages.count)
        pages = match.pages
        tokens = Array(prompt[..<match.count])
        for (index, page) in pages.enumerated() { table.set(index, page) }
        historyStart = count
        guard let tail = match.tail else { return }
        historyStart = max(0, count - layout.convolutionReach)
        restore(tail)
    }
}
