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

    /// The table of projectors.
    private static var projectors: [String] {
        ["| projector | models | a picture is |", "|---|---|---|"]
            + SupportedProjector.all.map { "| `\($0.name)` | \($0.models) | \($0.pictures) |" }
    }

    @Test(
        "The tables on the page are those of the code",
        arguments: [("architectures", table), ("projectors", projectors)])
    func tables(name: String, table: [String]) throws {
        let lines = try Repository.lines("docs/Models.md")
        let begin = try #require(lines.firstIndex(of: "<!-- \(name): begin -->"))
        let end = try #require(lines.firstIndex(of: "<!-- \(name): end -->"))
        #expect(Array(lines[(begin + 1)..<end]) == table, "the table has to be:\n\(table.joined(separator: "\n"))")
    }
}
