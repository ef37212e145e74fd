/// The name that somebody meant who wrote another one.
enum NearestName {
    /// Returns the name that is nearest to a word; nil where none is near.
    ///
    /// Near is what two thirds of the letters agree with, where letters that are missing, too many, wrong or exchanged
    /// count one each, and what the word begins.
    static func of(_ word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        guard !word.isEmpty, word.count <= 40 else { return nil }
        let near = names.map { ($0, distance(Array(word), Array($0.lowercased()))) }
            .filter { $0.1 <= max(1, min(word.count, $0.0.count) / 3) }
            .min { ($0.1, abs($0.0.count - word.count)) < ($1.1, abs($1.0.count - word.count)) }
        return near?.0 ?? (word.count > 1 ? names.first { $0.lowercased().hasPrefix(word) } : nil)
    }

    /// The number of letters to insert, leave out, replace, or exchange with their neighbour.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
