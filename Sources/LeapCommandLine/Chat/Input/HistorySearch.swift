/// A search through earlier entries, from the newest to the oldest.
struct HistorySearch {
    private let entries: [String]
    /// The line as it was before the search.
    let draft: String
    private(set) var query = ""
    /// The entry that is shown.
    private var index: Int?

    init(entries: [String], draft: String) {
        self.entries = entries
        self.draft = draft
    }

    /// The entry that was found, if one was.
    var match: String? { index.map { entries[$0] } }
    var hasFailed: Bool { index == nil && !query.isEmpty }

    mutating func extend(_ text: String) {
        query += text.filter { !$0.isNewline }
        find(from: index ?? entries.count - 1)
    }

    mutating func shorten() {
        guard !query.isEmpty else { return }
        query.removeLast()
        find(from: entries.count - 1)
    }

    /// The next older entry; the one that is shown stays where there is none.
    mutating func older() {
        guard let current = index, let older = entries[..<current].lastIndex(where: { $0.contains(query) }) else {
            return
        }
        index = older
    }

    private mutating func find(from last: Int) {
        guard !query.isEmpty, last >= 0 else {
            index = nil
            return
        }
        index = entries[...last].lastIndex { $0.contains(query) }
    }
}
