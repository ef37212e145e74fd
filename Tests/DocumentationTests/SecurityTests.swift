import Foundation
import Testing

/// The statements of SECURITY.md are shown by tests that exist.
struct SecurityTests {
    /// A test as a row names it: `[Suite.name](path)`.
    struct Named: Hashable {
        let suite: String
        let name: String
        let path: String

        /// Returns whether the file has that test: a function of a suite, or of one of the programs that drive the
        /// server.
        func isFound(in text: String) -> Bool {
            guard path.split(separator: "/").last?.split(separator: ".").first.map(String.init) == suite else {
                return false
            }
            let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            if path.hasSuffix(".py") { return lines.contains { $0.hasPrefix("def \(name)(") } }
            guard lines.contains(where: { $0.contains("struct \(suite) ") }),
                let function = lines.firstIndex(where: { $0.hasPrefix("func \(name)(") })
            else { return false }
            // The attribute is above it, behind the end of the declaration before.
            return lines[..<function].reversed().prefix { $0 != "}" }.contains { $0.hasPrefix("@Test") }
        }
    }

    static func named(in row: String) -> [Named] {
        row.matches(of: /\[(\w+)\.(\w+)\]\(([^)\s]+)\)/).map { match in
            Named(
                suite: String(match.output.1), name: String(match.output.2), path: String(match.output.3))
        }
    }

    static let rows: [String] = ((try? Repository.lines("SECURITY.md")) ?? []).filter { line in
        line.hasPrefix("| ") && !line.hasPrefix("| what comes in |")
    }

    @Test("Every row of SECURITY.md names tests, and each of them exists")
    func tests() throws {
        #expect(Self.rows.count > 12)
        for row in Self.rows {
            let cells = row.split(separator: "|")
            #expect(cells.count == 3, "\(row)")
            let tests = Self.named(in: cells.last.map(String.init) ?? "")
            #expect(!tests.isEmpty, "\(row)")
            for test in tests {
                #expect(test.isFound(in: try Repository.text(test.path)), "there is no test \(test.suite).\(test.name)")
            }
        }
    }

    @Test("SECURITY.md has what comes from files, templates, schemas, prompts, networks and sockets")
    func kinds() {
        for word in ["GGUF", "templates", "Schemas", "messages", "HTTP", "WebSockets", "service", "pictures", "sounds"]
        {
            #expect(Self.rows.contains { $0.contains(word) }, "\(word)")
        }
    }

    @Test("A test that is gone, and a function that is no test, would be noticed")
    func detection() throws {
        let here = "Tests/DocumentationTests/SecurityTests.swift"
        let text = try Repository.text(here)
        #expect(Self.named(in: "| a | b | [SecurityTests.detection](\(here)) |").first?.isFound(in: text) == true)
        for name in ["noSuchTest", "isFound", "named"] {
            #expect(!Named(suite: "SecurityTests", name: name, path: here).isFound(in: text), "\(name)")
        }
        #expect(!Named(suite: "OtherTests", name: "detection", path: here).isFound(in: text))
    }
}
