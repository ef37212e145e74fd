import Foundation
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// A model whose output is no number.
@Suite(.inTurns)
struct NoNumberTests {
    /// Allows two tokens at every position.
    private struct Two: TokenConstraint {
        mutating func computeMask(into mask: inout TokenMask) {
            mask[5] = true
            mask[6] = true
        }
        mutating func accept(_ token: TokenID) throws {}
        mutating func forcedTokens() -> [TokenID] { [] }
        var isComplete: Bool { false }
    }

    @Test("A generation fails with an error that says so, constrained or not", arguments: [false, true], [0.0, 0.8])
    func generation(isConstrained: Bool, temperature: Double) async throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: Fixture.path("lfm2")))
        let start = bytes.count * 3 / 4
        bytes.replaceSubrange(start..., with: repeatElement(0xFF, count: bytes.count - start))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("leap-\(UUID().uuidString).gguf")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let engine = try Engine(model: try Model.load(path: file.path))
        let makeConstraint: TokenConstraintFactory = { Two() }
        let request = GenerationRequest(
            prompt: [1, 9], sampling: [.temperature: temperature], maxTokens: 4,
            makeConstraint: isConstrained ? makeConstraint : nil)
        var end: GenerationResult.Reason?
        for await event in engine.makeSession().events(request) {
            if case .finished(let result) = event { end = result.reason }
        }
        guard case .failed(let error as EngineError)? = end else {
            Issue.record("ended with \(String(describing: end))")
            return
        }
        #expect(error == .outputIsNaN && error.message.contains("not a number"))
    }
}
