import Foundation
import Testing

/// Links from one page of the repository to another lead somewhere.
struct LinkTests {
    private static let pages =
        [
            "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/Options.md", "docs/Server.md", "docs/CommandLine.md",
            "docs/FoundationModels.md", "docs/GPU.md", "docs/Models.md", "docs/Architecture.md", "SECURITY.md",
        ] + Repository.files("docs/Leaving", ".md")

    @Test("Every relative link of a page leads to a file that is there", arguments: pages)
    func relative(page: String) throws {
        let url = SnippetTests.root.appendingPathComponent(page)
        let text = try String(contentsOf: url, encoding: .utf8)
        for match in text.matches(of: /\]\(([^)\s]+)\)/) {
            let target = String(match.output.1)
            guard !target.contains("://"), !target.hasPrefix("#"), !target.hasPrefix("mailto:") else { continue }
            let path = target.split(separator: "#").first.map(String.init) ?? ""
            let file = url.deletingLastPathComponent().appendingPathComponent(path).standardizedFileURL
            #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(target)")
        }
    }
}
