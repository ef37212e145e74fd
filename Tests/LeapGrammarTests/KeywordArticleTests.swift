import Foundation
import Testing

@testable import LeapGrammar

/// The article on keywords and the table of tests say the same.
@Suite struct KeywordArticleTests {
    private static let article: String? = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        let file = url.appendingPathComponent("Sources/LeapGrammar/LeapGrammar.docc/Keywords.md")
        return try? String(contentsOf: file, encoding: .utf8)
    }()

    private func rows() throws -> [(keyword: String, enforced: String, rows: String)] {
        let text = try #require(Self.article)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 6, cells[1] != "keyword", !cells[1].hasPrefix("-") else { return nil }
            return (cells[1].replacing("`", with: ""), cells[2], cells[4])
        }
    }

    @Test("Each row of the article names tests that exist, and each test is named")
    func eachRowArticleNames() throws {
        let names = Set(KeywordTable.all.map(\.name))
        var named: Set<String> = []
        for row in try rows() {
            // Names hold commas themselves: take the longest name that fits, again and again.
            var rest = Substring(row.rows)
            while !rest.isEmpty {
                let fitting = names.filter { rest == $0 || rest.hasPrefix($0 + ", ") }
                let name = try #require(
                    fitting.max { $0.utf8.count < $1.utf8.count }, "\(row.keyword): no test is called \"\(rest)\"")
                named.insert(name)
                rest = rest.dropFirst(min(rest.count, name.count + 2))
            }
            #expect(!row.rows.isEmpty, "\(row.keyword) names a test")
        }
        #expect(named == names, "not in the article: \(names.subtracting(named))")
    }

    @Test("Every keyword that is read stands in the article")
    func everyKeywordReadStands() throws {
        let listed = Set(try rows().map(\.keyword))
        let annotations: Dialect.Vocabulary = [.metaData, .content]
        let table = SchemaKeyword.all.filter { !annotations.contains($0.vocabulary) && $0.name != "$comment" }
        let missing = SchemaCompiler.directKeywords.union(table.map(\.name)).subtracting(listed)
        #expect(missing.isEmpty, "not in the article: \(missing)")
    }

    @Test("The formats of the article are those that are enforced")
    func formatsArticleThoseEnforced() throws {
        let row = try #require(try rows().first { $0.keyword == "format" })
        for name in Formats.enforcedNames { #expect(row.enforced.contains("`\(name)`"), "\(name)") }
        #expect(row.enforced.filter { $0 == "`" }.count == 2 * Formats.enforcedNames.count)
    }
}
