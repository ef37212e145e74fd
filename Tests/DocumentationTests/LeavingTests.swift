import Foundation
import Testing

/// The guides for those who leave other libraries name what is there.
struct LeavingTests {
    private static let folder = "docs/Leaving"
    private static let guides = Repository.files(folder, ".md").filter { !$0.hasSuffix("/README.md") }

    /// The identifiers of the package's sources.
    private static let identifiers: Set<Substring> = {
        var found: Set<Substring> = []
        for path in Repository.files("Sources", ".swift") {
            let text = (try? Repository.text(path)) ?? ""
            found.formUnion(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
        }
        return found
    }()

    /// The words of four letters and more in code of a row's second cell, which names what is here.
    private static func named(in row: String) -> [Substring] {
        let cells = row.split(separator: "|", omittingEmptySubsequences: true)
        guard cells.count > 1 else { return [] }
        return cells[1].matches(of: /`([^`]+)`/).flatMap { code in
            code.output.1.matches(of: /[A-Za-z_]\w{3,}/).map(\.output)
        }
    }

    @Test("The index links to every guide, and each has a table and a block that is compiled")
    func complete() throws {
        let index = try Repository.text("\(Self.folder)/README.md")
        #expect(Self.guides.count == 8)
        for path in Self.guides {
            let name = try #require(path.split(separator: "/").last)
            #expect(index.contains("](\(name))"), "\(path)")
            let text = try Repository.text(path)
            #expect(text.contains("```swift") && text.contains("| Open Leap |"), "\(path)")
        }
    }

    @Test("What a row names as ours is in the sources")
    func names() throws {
        for path in Self.guides {
            let rows = try Repository.lines(path).filter { $0.hasPrefix("| ") }
            #expect(rows.count > 8, "\(path)")
            for row in rows {
                for word in Self.named(in: row) {
                    #expect(Self.identifiers.contains(word), "\(path): nothing is called \(word)")
                }
            }
        }
    }

    @Test("A name that is nowhere would be noticed")
    func detection() {
        #expect(Self.named(in: "| `theirs()` | `noSuchCallAnywhere(of:)`, later | |") == ["noSuchCallAnywhere"])
        #expect(!Self.identifiers.contains("noSuchCallAnywhere"))
    }
}
