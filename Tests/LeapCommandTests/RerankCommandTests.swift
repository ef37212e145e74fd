import Foundation
import Testing

/// `leap rerank` as a program, on a tiny random model.
@Suite(.ownThreads)
struct RerankCommandTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/embeddings")
    private static let model = folder.appendingPathComponent("bert-rank.gguf").path

    private struct Line: Decodable {
        let relevance: Float
        let logit: Float
        let index: Int
        let text: String
        let tokens: Int
    }

    @Test("Lines come in the order in which they answer the query")
    func lines() throws {
        let input = "once upon a time\n\nhow many tokens\na device\n"
        let json = try LeapProgram.run("rerank", Self.model, "time", "-", "--json", input: input)
        #expect(json.status == 0 && json.errors.isEmpty)
        let lines = try json.output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        let texts = ["once upon a time", "how many tokens", "a device"]
        #expect(Set(lines.map(\.index)) == [0, 1, 2] && lines.allSatisfy { $0.text == texts[$0.index] })
        #expect(lines.map(\.relevance) == lines.map(\.relevance).sorted(by: >))
        let plain = try LeapProgram.run("rerank", Self.model, "time", "-", "--top", "1", input: input)
        #expect(plain.output == "\(lines[0].relevance)\t\(lines[0].text)\n")
    }

    @Test("What cannot be ranked is an error of one line")
    func refused() throws {
        let long = String(repeating: "time ", count: 400)
        let tooLong = try LeapProgram.run("rerank", Self.model, "time", "-", input: long)
        #expect(tooLong.status != 0 && tooLong.output.isEmpty && tooLong.errorLine.contains("160"))
        let cut = try LeapProgram.run("rerank", Self.model, "time", "-", "--truncate", input: long)
        #expect(cut.status == 0)
        let other = try LeapProgram.run(
            "rerank", Self.folder.appendingPathComponent("bert-mean.gguf").path, "time", "-", input: "a")
        #expect(other.status != 0 && other.errorLine.contains("reranker"))
        let none = try LeapProgram.run("rerank", Self.model, "time", "-", "--top", "0", input: "a")
        #expect(none.status != 0)
    }
}
