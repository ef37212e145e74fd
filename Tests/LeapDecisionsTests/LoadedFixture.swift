import Foundation
import LeapChat
import LeapCore
import LeapJSON
import LeapTestSupport

/// Runners of tiny models, and what they answer by themselves.
enum LoadedFixture {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures")

    /// A decision model that reads labels.
    static func runner(_ type: String) async throws -> any ModelRunner {
        let fixture = type == "lev" ? "qwen35" : "lfm2"
        return try await Leap.load(
            url: try DecisionModelFile.write(
                folder.appendingPathComponent("\(fixture).gguf").path, type: type))
    }

    /// A model without the keys of decisions.
    static func chat() async throws -> any ModelRunner {
        try await Leap.load(url: folder.appendingPathComponent("lfm2.gguf"))
    }

    /// A decision model that scores options at masks.
    static func laya() async throws -> any ModelRunner {
        try await Leap.load(
            url: try MaskDecisionFile("laya").write(from: folder.appendingPathComponent("embeddings")))
    }

    /// The probabilities of the tests' questions, spam, team and urgency, about their state.
    static func answers(_ runner: any ModelRunner) async throws -> [[Double]] {
        let state = try DecisionState.json(
            text: #"{"count": 3, "rest": [null, true, 0.5], "subject": "Invoice"}"#)
        let questions = [
            Question.yesNo("Is this spam?", yes: "an advertisement", no: "a letter"),
            Question.choice("Which team?", [Question.Option("billing", description: "money"), "sales"]),
            Question.score("How urgent?", levels: ["not", "soon", "now"]),
        ]
        return try await runner.decide(questions, about: state, options: DecisionOptions()).map(\.probabilities)
    }
}
