import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Generating under a constraint.
@Suite(.inTurns)
struct ConstraintTests {
    /// Allows one of several texts.
    private struct Choice: TokenConstraint {
        var texts: [[TokenID]]
        var position = 0
        var forces = false

        mutating func computeMask(into mask: inout TokenMask) {
            for text in texts where position < text.count { mask[text[position]] = true }
        }

        mutating func accept(_ token: TokenID) throws {
            texts = texts.filter { position < $0.count && $0[position] == token }
            position += 1
        }

        mutating func forcedTokens() -> [TokenID] {
            guard forces, texts.count == 1 else { return [] }
            return Array(texts[0][position...])
        }

        var isComplete: Bool { texts.count == 1 && position == texts[0].count }
    }

    private func generate(
        _ constraint: @autoclosure @escaping TokenConstraintFactory
    ) async throws -> ([TokenID], GenerationResult?) {
        let engine = try Engine(model: try Fixture.model("lfm2"))
        let request = GenerationRequest(prompt: [1, 9], sampling: .greedy, makeConstraint: constraint)
        var tokens: [TokenID] = []
        for await event in engine.makeSession().events(request) {
            if case .token(let token) = event { tokens.append(token) }
            if case .finished(let result) = event { return (tokens, result) }
        }
        return (tokens, nil)
    }

    @Test("The text is one that is allowed, and ends when it is whole", arguments: [false, true])
    func textOneAllowedEnds(forces: Bool) async throws {
        let texts: [[TokenID]] = [[5, 6, 7, 8], [300, 301], [20, 21, 22]]
        let (tokens, result) = try await generate(Choice(texts: texts, forces: forces))
        #expect(texts.contains(tokens))
        guard case .constraintComplete? = result?.reason else {
            Issue.record("ended with \(String(describing: result))")
            return
        }
        #expect(result?.completionTokens == tokens.count)
    }

    @Test("Tokens that must follow do not change the text")
    func tokensMustFollowDo() async throws {
        let texts: [[TokenID]] = [[5, 6, 7, 8], [300, 301, 302, 303, 304], [20, 21, 22]]
        let (free, _) = try await generate(Choice(texts: texts))
        let (forced, _) = try await generate(Choice(texts: texts, forces: true))
        #expect(free == forced)
    }

    @Test("A constraint that allows nothing fails")
    func constraintAllowsNothingFails() async throws {
        let (_, result) = try await generate(Choice(texts: [[1000]]))
        guard case .failed(let error)? = result?.reason else {
            Issue.record("ended with \(String(describing: result))")
            return
        }
        #expect((error as? EngineError)?.code == .constraintFailed)
    }
}
