/// Which neighbouring symbols merge: what byte-pair encoding and SentencePiece's variant of it differ in.
protocol PairRule {
    /// Whether the rule looks at places; where it does not, they are not kept.
    static var usesPlaces: Bool { get }

    /// What merging the symbol `leftID` that starts at place `left` with `rightID` at place `right` is worth; the symbol
    /// after them starts at `end`. Places count the symbols the merging began with.
    ///
    /// The upper half of the result is the priority, lower first, and the lower half the resulting symbol;
    /// ``MergeTable/none`` if they do not merge.
    func pair(_ left: Int, _ leftID: TokenID, _ right: Int, _ rightID: TokenID, _ end: Int) -> UInt64
}
