import Foundation
import Testing

/// Every Swift block of the documentation stands, word for word, in a file that the compiler reads.
struct SnippetTests {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let pages: [String] = {
        var pages = ["README.md", "CONTRIBUTING.md"]
        for folder in ["Sources", "docs"] {
            let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
            while let path = found?.nextObject() as? String {
                if path.hasSuffix(".md") { pages.append("\(folder)/\(path)") }
            }
        }
        return pages.sorted()
    }()

    /// Compiled Swift files, each as its lines without indentation.
    static let compiled: [[String]] = {
        var files: [[String]] = []
        for folder in ["Tests/DocumentationTests/Snippets", "Examples"] {
            let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
            while let path = found?.nextObject() as? String {
                guard path.hasSuffix(".swift"), !path.contains(".build/") else { continue }
                let url = root.appendingPathComponent("\(folder)/\(path)")
                if let text = try? String(contentsOf: url, encoding: .utf8) { files.append(lines(of: text)) }
            }
        }
        return files
    }()

    /// Lines without indentation and without blank ones: a block may be indented deeper where it is compiled.
    static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    static func swiftBlocks(in page: String) -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if let current = block {
                if line == "```" {
                    blocks.append(current)
                    block = nil
                } else if !line.isEmpty {
                    block = current + [line]
                }
            } else if line == "```swift" {
                block = []
            }
        }
        return blocks
    }

    static func isCompiled(_ block: [String]) -> Bool {
        compiled.contains { file in
            guard file.count >= block.count else { return false }
            return (0...(file.count - block.count)).contains { Array(file[$0..<($0 + block.count)]) == block }
        }
    }

    @Test("Every Swift block is compiled", arguments: pages)
    func everySwiftBlockIsCompiled(page: String) throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent(page), encoding: .utf8)
        for block in Self.swiftBlocks(in: text) {
            #expect(Self.isCompiled(block), "\(page): not compiled anywhere:\n\(block.joined(separator: "\n"))")
        }
    }

    @Test("A block that is compiled nowhere would be noticed")
    func aBlockThatIsNotCompiledIsNoticed() {
        #expect(!Self.isCompiled(["let thisLineStandsNowhere = 1"]))
        #expect(Self.swiftBlocks(in: "a\n```swift\nlet x = 1\n```\n").count == 1)
    }
}
