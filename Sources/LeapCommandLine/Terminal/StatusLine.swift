/// A line of figures that is drawn over again and again.
enum StatusLine {
    /// A figure, and how much it matters.
    struct Part {
        let text: String
        /// Parts of less weight are left out first.
        let weight: Int

        init(_ text: String, weight: Int) { (self.text, self.weight) = (text, weight) }
    }

    /// The parts with two spaces between them, without those that matter least where the line would be too wide: a
    /// longer one would wrap, and could not be drawn over.
    static func of(_ parts: [Part], width: Int) -> String {
        var parts = parts
        while parts.count > 1, line(parts).count > width,
            let least = parts.indices.min(by: { parts[$0].weight < parts[$1].weight })
        {
            parts.remove(at: least)
        }
        return String(line(parts).prefix(max(1, width)))
    }

    private static func line(_ parts: [Part]) -> String { parts.map(\.text).joined(separator: "  ") }

    /// Seconds as minutes and seconds, or with hours.
    static func duration(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let tail = two(seconds % 60)
        return seconds < 3600
            ? "\(seconds / 60):\(tail)" : "\(seconds / 3600):\(two(seconds / 60 % 60)):\(tail)"
    }
}
