import Foundation
import LeapCore
import LeapDemoModel
import LeapJSON
import LeapTestTraits
import Testing

/// The effects of `logprobs` in the extras, and scores of texts, on the embedded model.
@Suite(.inTurns)
struct LogprobTests {
    private static func reply(
        _ question: String, _ extras: String?, to runner: any ModelRunner,
        _ change: (GenerationOptions) -> Void = { _ in }
    ) async throws -> (text: String, completion: MessageCompletion) {
        let options = GenerationOptions(temperature: 0, extras: extras)
        change(options)
        var text = ""
        for try await response in runner.createConversation().generateResponse(
            userTextMessage: question, generationOptions: options)
        {
            switch response {
            case .chunk(let chunk): text += chunk
            case .complete(let completion): return (text, completion)
            default: break
            }
        }
        throw CancellationError()
    }

    @Test("Every token of a reply has its log probability, and the text is the same as without")
    func logprobs() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let question = "What is the capital of Portugal?"
        let plain = try await Self.reply(question, nil, to: runner)
        #expect(plain.completion.logprobs == nil)
        for extras in [#"{"logprobs":true}"#, #"{"logprobs":true,"speculation":"lookup"}"#] {
            let (text, completion) = try await Self.reply(question, extras, to: runner)
            let logprobs = try #require(completion.logprobs)
            #expect(text == plain.text)
            #expect(logprobs.count == Int(completion.stats?.completionTokens ?? 0))
            #expect(String(decoding: logprobs.flatMap(\.bytes), as: UTF8.self) == text)
            #expect(logprobs.allSatisfy { $0.logprob <= 0 && $0.logprob.isFinite && $0.alternatives.isEmpty })
            // The same reply, read rather than written.
            let score = try await runner.score(text, after: [ChatMessage(role: .user, textContent: question)])
            #expect(score.tokens == logprobs)
        }
    }

    @Test("The most likely tokens come with each, most likely first")
    func topLogprobs() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        for key in ["topLogprobs", "top_logprobs"] {
            let (_, completion) = try await Self.reply(
                "Count to 5.", #"{"logprobs":true,"\#(key)":3}"#, to: runner)
            let logprobs = try #require(completion.logprobs)
            #expect(!logprobs.isEmpty)
            for token in logprobs {
                #expect(token.alternatives.count == 3)
                // At temperature 0 the most likely token is drawn.
                #expect(token.alternatives[0].id == token.id && token.alternatives[0].logprob == token.logprob)
                #expect(token.alternatives[0].logprob >= token.alternatives[1].logprob)
            }
        }
    }

    @Test("A schema's forced tokens have log probabilities too, and the reply is the same")
    func forced() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let schema = #"{"type":"object","properties":{"capital":{"enum":["Lisbon","Paris"]}},"required":["capital"]}"#
        func ask(_ extras: String?) async throws -> (text: String, completion: MessageCompletion) {
            try await Self.reply("What is the capital of France?", extras, to: runner) {
                $0.jsonSchemaConstraint = schema
            }
        }
        let plain = try await ask(nil)
        let (text, completion) = try await ask(#"{"logprobs":true}"#)
        #expect(text == plain.text && text.hasPrefix("{"))
        let logprobs = try #require(completion.logprobs)
        #expect(String(decoding: logprobs.flatMap(\.bytes), as: UTF8.self) == text)
        // Before the constraint, which the model would not have chosen by itself.
        #expect((logprobs.first?.logprob ?? 0) < -1)
    }

    @Test("A stop sequence ends the log probabilities with the tokens of the reply")
    func stopSequence() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let (text, completion) = try await Self.reply("Count to 5.", #"{"logprobs":true,"stop":"3"}"#, to: runner)
        let logprobs = try #require(completion.logprobs)
        #expect(text == "1, 2, ")
        #expect(String(decoding: logprobs.flatMap(\.bytes), as: UTF8.self).hasPrefix("1, 2, 3"))
        #expect(logprobs.count < 12)
    }

    @Test("As JSON they have OpenAI's keys, and come back")
    func json() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let (_, completion) = try await Self.reply("Count to 5.", #"{"logprobs":true,"topLogprobs":1}"#, to: runner)
        let first = try #require(completion.logprobs?.first)
        let data = try JSONEncoder().encode(first)
        #expect(try JSONDecoder().decode(TokenLogprob.self, from: data) == first)
        let object = try #require(try JSONParser.parse(String(decoding: data, as: UTF8.self)).object)
        #expect(Set(object.members.map(\.0)) == ["id", "token", "bytes", "logprob", "top_logprobs"])
    }

    @Test(
        "Values that are none of the expected ones are named",
        arguments: [
            #"{"logprobs":1}"#, #"{"logprobs":true,"topLogprobs":21}"#, #"{"logprobs":true,"top_logprobs":-1}"#,
            #"{"logprobs":true,"topLogprobs":1.5}"#, #"{"topLogprobs":2}"#,
        ])
    func wrong(extras: String) async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let error = await #expect(throws: LeapGenerationException.self) {
            try await Self.reply("Count to 5.", extras, to: runner)
        }
        #expect(error?.message.contains("ogprobs' in the extras is") == true)
    }
}
