import GRDB
import LeapSDK

/// Notes in an SQLite file, found by their words (FTS5) and by their meaning (vectors).
struct NoteIndex {
    /// A note that was found.
    struct Hit {
        let text: String
        /// The sum of 1 / (60 + rank) over both searches: reciprocal rank fusion.
        var score = 0.0
        var wordRank: Int?
        var vectorRank: Int?
    }

    private let database: DatabaseQueue
    private let runner: any ModelRunner

    /// Opens or makes the file.
    init(path: String, runner: any ModelRunner) throws {
        database = try DatabaseQueue(path: path)
        self.runner = runner
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, model TEXT NOT NULL,
                        vector BLOB NOT NULL);
                    CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(text, content='note', content_rowid='id', tokenize='porter');
                    """)
        }
    }

    /// Adds the notes that are not in the file yet.
    ///
    /// - Returns: how many were added; only these are computed.
    func add(_ notes: [String]) async throws -> Int {
        let known = try await database.read { db in try Set(String.fetchAll(db, sql: "SELECT text FROM note")) }
        let new = notes.filter { !known.contains($0) }
        if new.isEmpty { return 0 }
        let vectors = try await runner.embed(new).map(\.vector)
        let model = runner.modelId
        try await database.write { db in
            for (text, vector) in zip(new, vectors) {
                let bytes = vector.withUnsafeBytes { Data($0) }
                try db.execute(
                    sql: "INSERT INTO note (text, model, vector) VALUES (?, ?, ?)", arguments: [text, model, bytes])
                try db.execute(
                    sql: "INSERT INTO words (rowid, text) VALUES (?, ?)", arguments: [db.lastInsertedRowID, text])
            }
        }
        return new.count
    }

    /// The best notes for a question.
    func search(_ question: String, limit: Int) async throws -> [Hit] {
        let query = try await runner.embed(question).vector
        let model = runner.modelId
        // Any of the words: FTS5 takes what is quoted as words and never as its own syntax.
        let pattern = FTS5Pattern(matchingAnyTokenIn: question)
        return try await database.read { db in
            var hits: [Int64: Hit] = [:]
            let byWords = try Row.fetchAll(
                db, sql: "SELECT rowid, text FROM words WHERE words MATCH ? ORDER BY bm25(words), rowid LIMIT 20",
                arguments: [pattern])
            for (rank, row) in byWords.enumerated() {
                var hit = Hit(text: row["text"])
                hit.wordRank = rank + 1
                hit.score = 1 / Double(61 + rank)
                hits[row["rowid"]] = hit
            }
            // All vectors are compared, which is fast enough for some 100,000 notes.
            let rows = try Row.fetchAll(
                db, sql: "SELECT id, text, vector FROM note WHERE model = ?", arguments: [model])
            let byMeaning = rows.map { row in (row: row, similarity: Self.similarity(query, row["vector"])) }
                .sorted { $0.similarity > $1.similarity }
            for (rank, found) in byMeaning.prefix(20).enumerated() {
                var hit = hits[found.row["id"]] ?? Hit(text: found.row["text"])
                hit.vectorRank = rank + 1
                hit.score += 1 / Double(61 + rank)
                hits[found.row["id"]] = hit
            }
            return Array(hits.values.sorted { ($1.score, $0.text) < ($0.score, $1.text) }.prefix(limit))
        }
    }

    /// The inner product of a vector and one of the file: the cosine, as vectors have length 1.
    private static func similarity(_ query: [Float], _ stored: Data) -> Float {
        guard stored.count == query.count * MemoryLayout<Float>.stride else { return -1 }
        return stored.withUnsafeBytes { bytes in
            zip(query.indices, query).reduce(into: 0) { sum, pair in
                sum += pair.1 * bytes.loadUnaligned(fromByteOffset: pair.0 * MemoryLayout<Float>.stride, as: Float.self)
            }
        }
    }
}
