import Foundation
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
        ["| projector | models | a picture is | names of tensors and keys |", "|---|---|---|---|"]
            + SupportedProjector.all.map {
                "| `\($0.name)` | \($0.models) | \($0.pictures) | \($0.evidence.rawValue) |"
            }
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

    @Test("An architecture is a file of its own and a line in the list; other sources do not ask for one by its name")
    func edits() throws {
        let folder = "Sources/LeapModel/Architectures/"
        let list = try Repository.text(folder + "Architecture.swift")
        let types = list.matches(of: /(\w+)\.self/).map { String($0.1) }
        #expect(types.count == SupportedArchitecture.all.count)
        for type in types {
            let file = try Repository.text("\(folder)\(type).swift")
            #expect(file.contains("\nenum \(type): Architecture {"), "\(type)")
        }
        // A projector, a convention of reranking and heads of decisions that are for some kinds of models.
        let exceptions: [String: Set<String>] = [
            "Gemma4Projector.swift": ["Gemma4"], "AssistantDrafter+Target.swift": ["Gemma4"],
            "RankingMethod+GGUF.swift": ["Qwen3"],
            "DecoderParts+DecisionHead.swift": ["LFM2", "ModernBERT"],
        ]
        for path in Repository.files("Sources", ".swift") where !path.hasPrefix(folder) {
            let text = try Repository.text(path)
            guard text.range(of: ".name") != nil else { continue }
            let name = String(path.split(separator: "/").last ?? "")
            // Foundation's search passes over most files quickly, also without optimisation.
            for type in types where text.range(of: "\(type).name") != nil {
                guard text.firstRange(of: try Regex("\\b\(type)\\.name\\b")) != nil else { continue }
                #expect(exceptions[name]?.contains(type) == true, "\(path) asks for \(type)")
            }
        }
    }
}
