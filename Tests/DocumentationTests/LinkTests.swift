import Foundation
import Testing

/// Links of the repository's pages lead somewhere.
///
/// Those to symbols are followed by docc, which `Scripts/site` runs.
struct LinkTests {
    private static let pages =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
        + ["Benchmarks", "DemoModel", "Examples", "Sources", "docs"].flatMap {
            Repository.files($0, ".md", ".tutorial")
        }

    /// A page without its fenced blocks and code spans: what stands there is no link.
    static func prose(_ text: String) -> String {
        var isFenced = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            let isFence = line.trimmingCharacters(in: .whitespaces).hasPrefix("```")
            if isFence { isFenced.toggle() }
            return !isFenced && !isFence
        }
        // The text of a link may be code; its target is not.
        return lines.joined(separator: "\n").replacing(/`[^`\n]*`/, with: "")
    }

    /// The targets of a page's links, with those of its articles and pictures.
    static func targets(_ text: String) -> [String] {
        let prose = prose(text)
        return prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
            + prose.matches(of: /<(doc:[^>\s]+)>/).map { String($0.output.1) }
            + text.matches(of: /tutorial: "(doc:[^"]+)"/).map { String($0.output.1) }
    }

    /// The anchors of a page's headings, as GitHub makes them.
    static func anchors(_ text: String) -> Set<String> {
        var isFenced = false
        var found: Set<String> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") { isFenced.toggle() }
            guard !isFenced, let heading = line.firstMatch(of: /^#{1,6} (.*)$/)?.output.1 else { continue }
            let plain = heading.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }.lowercased()
            let kept = plain.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
            found.insert(kept.replacingOccurrences(of: " ", with: "-"))
        }
        return found
    }

    /// Returns what is wrong with an address; nil where its form is right.
    static func problem(ofAddress address: String) -> String? {
        guard let parts = URLComponents(string: address), let host = parts.host else { return "no address" }
        let isLocal = host == "localhost" || host.hasPrefix("127.")
        if !isLocal, parts.scheme != "https" { return "not https" }
        if !isLocal, host.wholeMatch(of: /([a-z0-9-]+\.)+[a-z]{2,}/) == nil { return "no host" }
        return address.last.map { ".,;:".contains($0) } == true ? "ends in punctuation" : nil
    }

    /// The pages of folders that are asked for again and again.
    private static let docs = Repository.files("docs", ".md")
    private static let sources = Repository.files("Sources", ".md")

    /// Names that `doc:` links of a page's catalogue may have.
    private static func articles(of page: String) -> Set<String> {
        guard let end = page.range(of: ".docc/") else { return [] }
        let catalogue = String(page[..<end.lowerBound]) + ".docc"
        var names = Set(Repository.files(catalogue, ".md", ".tutorial").map(name))
        // The site's catalogue has the pages of docs too, as Scripts/site_articles.py names them, and follows links to
        // other modules.
        if catalogue.hasPrefix("docs/") {
            names.formUnion(
                docs.filter { !$0.contains(".docc/") }.map { path in
                    path.dropFirst(5).dropLast(3).split(separator: "/").filter { $0 != "README" }.joined()
                })
        }
        for path in sources where path.contains(".docc/") {
            let module = path.split(separator: "/")[1]
            names.insert("/\(module)" + (name(path) == module ? "" : "/\(name(path))"))
        }
        return names
    }

    private static func name(_ path: String) -> String {
        String((path.split(separator: "/").last ?? "").prefix { $0 != "." })
    }

    /// Returns what is wrong with a link; nil where it leads somewhere.
    private static func problem(of target: String, on page: String, _ text: String) throws -> String? {
        if target.hasPrefix("doc:") {
            let path = target.dropFirst(4).prefix { $0 != "#" }
            return articles(of: page).contains(String(path)) ? nil : "no such article"
        }
        if target.contains("://") { return problem(ofAddress: target) }
        if target.hasPrefix("mailto:") { return nil }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let from = Repository.root.appendingPathComponent(page)
        let file = from.deletingLastPathComponent().appendingPathComponent(parts[0]).standardizedFileURL
        guard parts[0].isEmpty || FileManager.default.fileExists(atPath: file.path) else { return "no such file" }
        guard parts.count > 1, parts[0].isEmpty || parts[0].hasSuffix(".md") else { return nil }
        let there = parts[0].isEmpty ? text : try String(contentsOf: file, encoding: .utf8)
        return anchors(there).contains(parts[1]) ? nil : "no such heading"
    }

    @Test("Every link of a page leads to a file, a heading or an article that is there, or has the form of an address")
    func links() throws {
        var count = 0
        for page in Self.pages {
            let text = try Repository.text(page)
            for target in Self.targets(text) {
                count += 1
                if let problem = try Self.problem(of: target, on: page, text) {
                    Issue.record("\(page): \(target): \(problem)")
                }
            }
        }
        #expect(count > 100, "links were found")
    }

    @Test("Links in code are none; those to nothing are noticed, whatever they are to")
    func detection() throws {
        let text = "# A `b` c's\n[x](y.md) `[x](no.md)` <doc:Z>\n```\n[x](no.md)\n```\n"
        #expect(Self.targets(text) == ["y.md", "doc:Z"])
        #expect(Self.anchors(text) == ["a-b-cs"])
        #expect(try Self.problem(of: "README.md", on: "CHANGELOG.md", "") == nil)
        #expect(try Self.problem(of: "none.md", on: "docs/Chat.md", "") == "no such file")
        #expect(try Self.problem(of: "#none", on: "docs/Chat.md", "# Some") == "no such heading")
        #expect(try Self.problem(of: "../README.md#none", on: "docs/Chat.md", "") == "no such heading")
        let page = "Sources/LeapSDK/LeapSDK.docc/LeapSDK.md"
        #expect(try Self.problem(of: "doc:Conversations#Threads", on: page, "") == nil)
        #expect(try Self.problem(of: "doc:NoSuchArticle", on: page, "") == "no such article")
        for address in ["http://example.com", "https://example", "https:// x", "https://example.com/a."] {
            #expect(Self.problem(ofAddress: address) != nil, "\(address)")
        }
        #expect(Self.problem(ofAddress: "http://127.0.0.1:8080/") == nil)
        #expect(Self.problem(ofAddress: "https://docs.example.com/a?b=c#d") == nil)
    }
}
