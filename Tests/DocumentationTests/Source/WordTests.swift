import Foundation
import Testing

/// Words of our own making that stand for a term of the field; the term is used instead.
struct WordTests {
    /// A word, as a regular expression in any case, and what to write.
    ///
    /// Words with another use in this repository are not in the table.
    static let words = [
        ("borders?", "boundary"), ("hurried\\w*", "budgetLimited"),
        ("circles?", "cycle, or strongly connected component"),
        ("held against", "compared with"), ("quiet hours", "what it stands for"),
    ]
    /// The same for identifiers, whose case counts.
    static let identifiers = [("most[A-Z][a-z]\\w*", "max…")]

    /// The words of the tables in a text, each with what to write instead.
    static func found(in text: String) throws -> [String] {
        let tables: [([(String, String)], NSRegularExpression.Options)] = [
            (words, .caseInsensitive), (identifiers, []),
        ]
        return try tables.flatMap { table, options in
            try table.flatMap { pattern, instead in
                let expression = try NSRegularExpression(pattern: "\\b(?:\(pattern))\\b", options: options)
                return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
                    Range(match.range, in: text).map { "'\(text[$0])': write \(instead)" }
                }
            }
        }
    }

    @Test("Code and documents use the terms of the field")
    func words() throws {
        var paths = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Package.swift"]
        for folder in ["Sources", "Tests", "Examples", "docs"] {
            paths += Repository.files(folder, ".swift", ".c", ".h", ".md")
        }
        #expect(paths.count > 500)
        // Style sheets and drawings have borders and circles, and so have the pictures of the vision demo model.
        let drawn = ["/LeapVisionDemoModel.swift", "/VisionDemoModelTests.swift"]
        for path in paths where !(drawn + ["/WordTests.swift"]).contains(where: path.hasSuffix) {
            for word in try Self.found(in: try Repository.text(path)) { Issue.record("\(path): \(word)") }
        }
    }

    @Test("A word is found in any case, an identifier by its case, neither inside of other words")
    func detection() throws {
        #expect(try Self.found(in: "At the Border of two circles, held against it").count == 3)
        #expect(try Self.found(in: "let mostTokens = 1") == ["'mostTokens': write max…"])
        #expect(try Self.found(in: "bordering, encircles, at most Tokens, utmostValue, mostly").isEmpty)
    }
}
