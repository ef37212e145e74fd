import LeapCore
import LeapTransfers

/// The figures of what a model computed since it was loaded, for people.
enum ModelFigures {
    /// One line; what is 0 because an option is off is left out.
    static func line(_ statistics: ModelStatistics) -> String {
        var parts = [
            "\(statistics.computedPromptTokens) prompt tokens computed, \(statistics.cachedPromptTokens) kept",
            "\(statistics.generatedTokens) tokens generated in \(count(statistics.generations, "answer"))",
        ]
        if statistics.draftedTokens > 0 {
            let places = zip(statistics.acceptedTokensByPosition, statistics.draftedTokensByPosition).prefix(4)
            let shares = places.map { "\(100 * $0 / max($1, 1))%" }.joined(separator: ", ")
            parts.append(
                "\(statistics.acceptedTokens) of \(statistics.draftedTokens) proposed tokens accepted"
                    + (shares.isEmpty ? "" : " (by position: \(shares))"))
        }
        parts.append("\(ByteText.of(Int64(statistics.memoryBytes))) of state")
        return "since loading: " + parts.joined(separator: "; ")
    }

    private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
