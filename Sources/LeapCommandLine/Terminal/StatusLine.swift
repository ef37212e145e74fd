/// A line of figures that is drawn over again and again.
enum StatusLine {
    /// A figure, and how much it matters.
    struct Figure {
        let text: String
        /// Figures of less weight are left out first.
        let weight: Int

        init(_ text: String, weight: Int) { (self.text, self.weight) = (text, weight) }
    }

    /// Returns the figures with two spaces between them, without those that matter least where the line would be too
    /// wide: a longer one would wrap, and could not be drawn over.
    static func of(_ figures: [Figure], width: Int) -> String {
        var figures = figures
        while figures.count > 1, line(figures).count > width,
            let least = figures.indices.min(by: { figures[$0].weight < figures[$1].weight })
        {
            figures.remove(at: least)
        }
        return String(line(figures).prefix(max(1, width)))
    }

    private static func line(_ figures: [Figure]) -> String { figures.map(\.text).joined(separator: "  ") }

    /// Seconds as minutes and seconds, or with hours.
    static func duration(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let tail = two(seconds % 60)
        return seconds < 3600
            ? "\(seconds / 60):\(tail)" : "\(seconds / 3600):\(two(seconds / 60 % 60)):\(tail)"
    }
}
