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

    /// Words that open a clause where a summary has to be a sentence of its own: “The number of …”, “Returns …”, “True
    /// if …”.
    static let clauseWords = ["What", "Whether", "How", "Where", "Which", "When", "Why", "Who", "Whom", "Whose"]

    /// The folders in which no doc comment opens with a word of ``clauseWords``; a folder joins once it has none.
    static let summaryFolders =
        [
            "LeapAudio", "LeapAudioDemoModel", "LeapBase", "LeapCPU", "LeapChat", "LeapCommandLine", "LeapCompute",
            "LeapCore", "LeapDecisionDemoModel", "LeapDemoModel", "LeapDevices", "LeapEngine", "LeapFoundationModels",
            "LeapGGUF", "LeapGPU",
            "LeapGrammar",
            "LeapHTTP",
            "LeapHashing", "LeapHybrid", "LeapJSON", "LeapMCP", "LeapMeasurement", "LeapMetal", "LeapModel",
            "LeapModelDownloader", "LeapOpenAIClient", "LeapOpenAIFormat", "LeapSDK", "LeapSDKMacros",
            "LeapSDKMacrosPlugin", "LeapServing", "LeapService", "LeapTemplate", "LeapTemplateTool", "LeapTokenizer",
            "LeapTransfers", "LeapUi", "LeapUiTesting", "LeapVision", "LeapVisionDemoModel", "leap", "leap-server",
            "leap-tools",
        ].map { "Sources/" + $0 }
        + ["Examples", "Tests"]

    /// The first lines of doc comments that open with a word of ``clauseWords``, each with its number in the file.
    static func clauses(in lines: [String]) -> [String] {
        var isInComment = false
        return lines.enumerated().compactMap { index, line in
            let text = line.drop { $0 == " " }
            let isFirst = text.hasPrefix("///") && !isInComment
            isInComment = text.hasPrefix("///")
            guard isFirst else { return nil }
            let word = text.dropFirst(3).drop { $0 == " " }.prefix { $0.isLetter }
            return clauseWords.contains(String(word)) ? "\(index + 1): \(text)" : nil
        }
    }

    @Test("Doc comments open with what a thing is or does, not with a clause", arguments: summaryFolders)
    func summaries(folder: String) throws {
        let paths = Repository.files(folder, ".swift")
        #expect(!paths.isEmpty, "\(folder) has no source files")
        for path in paths {
            for line in Self.clauses(in: try Repository.lines(path)) {
                Issue.record(
                    "\(path):\(line): write a summary such as “The number of …”, “Returns …” or “True if …”")
            }
        }
    }

    @Test("A clause is found at the beginning of a doc comment, and nowhere else")
    func clauseDetection() {
        let lines = [
            "/// Whether it is open.", "var isOpen = false", "    /// What it reads.", "    /// Where it begins.", "",
            "/// The start.", "///", "/// When it ends, nothing follows.", "// How it works.", "/// Whatever is there.",
        ]
        #expect(Self.clauses(in: lines) == ["1: /// Whether it is open.", "3: /// What it reads."])
    }

    @Test("A word is found in any case, an identifier by its case, neither inside of other words")
    func detection() throws {
        #expect(try Self.found(in: "At the Border of two circles, held against it").count == 3)
        #expect(try Self.found(in: "let mostTokens = 1") == ["'mostTokens': write max…"])
        #expect(try Self.found(in: "bordering, encircles, at most Tokens, utmostValue, mostly").isEmpty)
    }
}
