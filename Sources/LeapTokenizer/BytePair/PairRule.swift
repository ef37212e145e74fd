/// The rule by which neighbouring symbols merge: the difference between byte-pair encoding and SentencePiece's variant
/// of it.
protocol PairRule {
    /// True if the rule looks at places; where it does not, they are not kept.
    static var usesPlaces: Bool { get }

    /// Returns the priority and the result of merging the symbol `leftID` at place `left` with `rightID` at place
    /// `right`.
    ///
    /// The symbol after them starts at `end`. Places count the symbols the merging began with.
    ///
    /// The upper half of the result is the priority, lower first, and the lower half the resulting symbol;
    /// ``MergeTable/none`` if they do not merge.
    func pair(_ left: Int, _ leftID: TokenID, _ right: Int, _ rightID: TokenID, _ end: Int) -> UInt64
}
