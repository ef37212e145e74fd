/// The note on parts of a request that have no effect: in a header over HTTP, in a member of the event over a
/// WebSocket.
enum WithoutEffect {
    /// Places that a note names.
    private static let maxCount = 16

    /// Returns a text in ASCII without quotes; nil where all parts have an effect.
    static func note(on places: [String]) -> String? {
        guard !places.isEmpty else { return nil }
        var told: Set<String> = []
        let places = places.filter { told.insert($0).inserted }
        let names = places.prefix(maxCount).map { HeaderText.safe($0, limit: 160) }.joined(separator: ", ")
        let more = places.count > maxCount ? " and \(places.count - maxCount) more" : ""
        return "without effect: \(names)\(more)"
    }
}
