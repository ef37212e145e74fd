/// Work that may still be done, counted in steps: the same input is judged alike on every machine and in every build.
///
/// A step makes at most a few hundred bytes and takes about a microsecond in an optimised build.
struct WorkBudget: Sendable {
    /// For compiling a schema, pattern or grammar.
    static let compiling = 1_000_000
    /// For one question to a matcher, with the text that it has to read again for it.
    static let matching = 1_000_000

    private(set) var left: Int

    init(_ steps: Int) { left = steps }

    /// More was asked for than there was: whatever was made since is worthless.
    var isExhausted: Bool { left < 0 }

    @inline(__always)
    mutating func spend(_ steps: Int = 1) { left &-= steps }

    /// Ends the budget, where something is found to be out of reach.
    mutating func exhaust() { left = min(left, -1) }
}
