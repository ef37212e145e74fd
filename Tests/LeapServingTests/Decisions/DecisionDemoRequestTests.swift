import Foundation
import LeapDecisionDemoModel
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

/// `/v1/systemone` with the demo models that were trained for decisions.
@Suite(.inTurns)
struct DecisionDemoRequestTests {
    /// Lines with a state, questions in the wire format and the right answers, of `DemoModel/Decisions/world.py`.
    private static func lines() throws -> [JSONValue] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/decision-demo/questions.jsonl")
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
            .map { try JSONParser.parse(String($0)) }
    }

    /// The index of the likeliest option of an answer.
    private static func index(_ answer: JSONValue) -> Int? {
        if let yes = answer["noul"]?.double { return yes >= 0.5 ? 0 : 1 }
        let shares = answer["probabilities"]?.object?.values.compactMap(\.double) ?? []
        return shares.indices.max { shares[$0] < shares[$1] }
    }

    @Test("Requests about texts never seen before get trained answers, most of them right", arguments: [true, false])
    func heldOut(isLabels: Bool) async throws {
        let path = try (isLabels ? LeapDecisionDemoModel.labels : LeapDecisionDemoModel.masks).path
        let server = try ServingSupport.server([ModelCatalog.model(path: path, id: "decider")])
        var (right, count) = (0, 0)
        for line in TestLevel.cases(try Self.lines(), standard: 10) {
            let (state, questions) = (line["state"] ?? .null, line["questions"] ?? .null)
            let body = JSONWriter.string(.object(["state": state, "questions": questions]))
            let reply = try await server.post("/v1/systemone", body)
            #expect(reply.status == 200 && reply.body["reading"] == "trained", "\(reply.body)")
            for (name, answer) in try #require(reply.body["answers"]?.object).members {
                count += 1
                if Self.index(answer) == line["answers"]?[name]?.integer { right += 1 }
            }
        }
        #expect(count >= 20 && 10 * right >= 7 * count, "\(right) of \(count)")
    }
}
