/// The memory that encoding one text needs besides the model: reused from call to call, by one call at a time.
final class EncodingScratch {
    /// Pieces met before.
    let cache = WordCache()
    /// The symbols of the piece at hand.
    var merger = SymbolMerger()
    /// The pieces at hand.
    let pieces = PieceEnds()
    /// The pieces a step of pre-tokenizing makes of them.
    let sparePieces = PieceEnds()
    /// The text as a model rewrites it before it looks for tokens.
    var text: [UInt8] = []
    /// The offset in the text at which each symbol of the current piece starts.
    var starts: [Int32] = []

    /// Gives back what one large text needed and the next one will not.
    func trim() {
        if merger.isOversized { merger = SymbolMerger() }
        if text.capacity > 1 << 18 { text = [] }
        if starts.capacity > 1 << 16 { starts = [] }
    }
}

/// The tokens of a text while they grow.
///
/// A plain block of memory: appending to it is a comparison and a store, which an array's uniqueness check would
/// double.
final class TokenBuffer {
    private var tokens: UnsafeMutablePointer<TokenID>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        tokens = .allocate(capacity: self.capacity)
    }

    deinit { tokens.deallocate() }

    /// The tokens from `start` on; valid until the buffer changes.
    func pointer(from start: Int) -> UnsafePointer<TokenID> { UnsafePointer(tokens + start) }

    @inline(__always)
    func append(_ token: TokenID) {
        if count == capacity { grow(by: 1) }
        tokens[count] = token
        count += 1
    }

    @inline(__always)
    func append(_ other: UnsafePointer<TokenID>, _ otherCount: Int) {
        if count + otherCount > capacity { grow(by: otherCount) }
        for index in 0..<otherCount { tokens[count + index] = other[index] }
        count += otherCount
    }

    /// Removes all tokens from `newCount` on.
    func truncate(to newCount: Int) { count = min(count, newCount) }

    /// Reverses the tokens from `start` on.
    func reverse(from start: Int) {
        var tail = UnsafeMutableBufferPointer(start: tokens + start, count: count - start)
        tail.reverse()
    }

    @inline(never)
    private func grow(by extra: Int) {
        let size = max(capacity * 2, count + extra)
        let larger = UnsafeMutablePointer<TokenID>.allocate(capacity: size)
        larger.update(from: tokens, count: count)
        tokens.deallocate()
        tokens = larger
        capacity = size
    }

    /// The tokens as an array.
    var array: [TokenID] { Array(UnsafeBufferPointer(start: tokens, count: count)) }
}
