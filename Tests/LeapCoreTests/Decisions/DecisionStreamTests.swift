import Foundation
import LeapBase
import LeapCore
import LeapTestSupport
import LeapTestTraits
import Testing

/// Answers about streams of states, and typed ones.
@Suite(.inTurns)
struct DecisionStreamTests {
    private enum Team: String, CaseIterable {
        case billing, support, sales
    }

    private struct Mail: DecisionType {
        let team: ChoiceAnswer<Team>
        let isSpam: YesNoAnswer

        static let questions: [Question] = [
            .choice("Which team?", of: Team.self, name: "team"), .yesNo("Is this spam?", name: "isSpam"),
        ]

        init(decisions: Decisions) throws {
            team = try ChoiceAnswer(decisions.answer(named: "team"))
            isSpam = YesNoAnswer(try decisions.answer(named: "isSpam"))
        }
    }

    private func runner() async throws -> any ModelRunner {
        let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/lfm2.gguf")
        return try await Leap.load(url: try DecisionModelFile.write(fixture.path, type: "openjev"))
    }

    private static let texts = ["Once", "upon a", "time there", "was a", "little engine"]

    private func states(_ states: [DecisionState]) -> AsyncStream<DecisionState> {
        AsyncStream { continuation in
            for state in states { continuation.yield(state) }
            continuation.finish()
        }
    }

    @Test("A stream of states has the answers of each, in their order and with the same bits", arguments: [1, 3])
    func order(ahead: Int) async throws {
        let runner = try await runner()
        let all = Self.texts.map { DecisionState.text($0) }
        var found: [[DecisionAnswer]] = []
        for try await answers in runner.decisions(Mail.questions, about: states(all), ahead: ahead) {
            found.append(answers.answers)
        }
        var alone: [[DecisionAnswer]] = []
        for state in all {
            alone.append(try await runner.decide(Mail.questions, about: state, options: DecisionOptions()).answers)
        }
        #expect(found == alone && Set(found).count == all.count)
        #expect(try await runner.decide(Mail.questions, about: all).map(\.answers) == alone)
    }

    @Test("Typed answers are those of the names of their questions, alone and of streams")
    func typed() async throws {
        let runner = try await runner()
        let plain = try await runner.decide(Mail.questions, about: "Once", options: DecisionOptions())
        let mail = try await runner.decide(Mail.self, about: "Once")
        #expect(mail.team.value.rawValue == plain["team"]?.choice && mail.team.answer == plain["team"])
        #expect(mail.isSpam.probability == plain["isSpam"]?.probability)
        var streamed: [YesNoAnswer] = []
        for try await mail in runner.decisions(Mail.self, about: states(["Once"])) { streamed.append(mail.isSpam) }
        #expect(streamed == [mail.isSpam])
    }

    @Test("An answer does not wait for the next state, and no more states are read than are asked for")
    func ahead() async throws {
        let runner = try await runner()
        let (states, input) = AsyncStream<DecisionState>.makeStream()
        var iterator = runner.decisions(Mail.questions, about: states, ahead: 4).makeAsyncIterator()
        input.yield("Once")
        #expect(try await iterator.next()?.count == 2)
        input.finish()
        #expect(try await iterator.next() == nil)

        let count = Locked(0)
        let counted = AsyncStream<DecisionState>(unfolding: {
            count.withLock { $0 += 1 }
            return "Once"
        })
        var endless = runner.decisions(Mail.questions, about: counted, ahead: 2).makeAsyncIterator()
        for _ in 0..<3 { _ = try await endless.next() }
        #expect((3...5).contains(count.withLock { $0 }))
    }

    @Test("The first error ends a stream, and a cancelled task throws")
    func errors() async throws {
        let runner = try await runner()
        let long = DecisionState.text(String(repeating: "time ", count: 5_000))
        var iterator = runner.decisions(Mail.questions, about: states(["Once", long, "upon"])).makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)

        let (silent, input) = AsyncStream<DecisionState>.makeStream()
        let waiting = Task {
            for try await _ in runner.decisions(Mail.questions, about: silent) {}
        }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        input.finish()
    }

    @Test("Cases are options, by their strings or names, and an answer is a case again")
    func cases() throws {
        enum Tone: CaseIterable {
            case calm, angry
        }
        let question = Question.choice("Which?", among: [Tone.angry, .calm])
        #expect(question.optionNames == ["angry", "calm"])
        let answer = DecisionAnswer(question, probabilities: [0.25, 0.75], reading: .trained)
        #expect(answer.choice(as: Tone.self) == .calm && answer.choice(as: Team.self) == nil)
        #expect(throws: LeapDecisionException.self) { try ChoiceAnswer<Team>(answer) }
    }
}
