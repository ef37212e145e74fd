import LeapModel
import Testing

/// `docs/Models.md` has the architectures that the engine says it runs.
struct ModelsPageTests {
    /// The table as it has to stand on the page.
    private static var table: [String] {
        ["| architecture | since | models | layers | for |", "|---|---|---|---|---|"]
            + SupportedArchitecture.all.map {
                "| `\($0.name)` | \($0.since) | \($0.models) | \($0.layers) | \($0.purpose.rawValue) |"
            }
    }

    @Test("The table on the page is that of the code")
    func table() throws {
        let lines = try Repository.lines("docs/Models.md")
        let begin = try #require(lines.firstIndex(of: "<!-- architectures: begin -->"))
        let end = try #require(lines.firstIndex(of: "<!-- architectures: end -->"))
        #expect(
            Array(lines[(begin + 1)..<end]) == Self.table,
            "the table has to be:\n\(Self.table.joined(separator: "\n"))")
    }
}
