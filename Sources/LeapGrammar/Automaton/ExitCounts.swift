/// The numbers of tokens of the ways out of states, as far as they were found.
struct ExitCounts {
    private var counts: [Int32: Int] = [:]

    /// The number of tokens from a state to the end of the text; nil where no way was looked for.
    subscript(state: Int32) -> Int? { counts[state] }

    /// Keeps a number of tokens where no smaller one is known.
    mutating func lower(_ state: Int32, to count: Int) { counts[state] = min(count, counts[state] ?? .max) }
}
