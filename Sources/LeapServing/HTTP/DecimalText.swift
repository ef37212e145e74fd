/// Numbers in texts from outside.
enum DecimalText {
    /// The number that the whole text is, in decimal digits; nil for any other text.
    ///
    /// `Double` alone reads hexadecimal numbers too, and takes NUL for the end of the text.
    static func number(_ text: some StringProtocol) -> Double? {
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
