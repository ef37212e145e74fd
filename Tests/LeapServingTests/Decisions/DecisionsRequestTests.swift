import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// `/v1/decisions`, as OpenAI's clients ask for it.
@Suite(.inTurns)
struct DecisionsRequestTests {
    private static let questions = """
        [{"type": "predicate", "instructions": "It is about money.", "name": "money"},
         {"type": "choice", "instructions": [{"type": "input_text", "text": "Is it true?"}],
          "choices": [{"value": "true", "description": "a text"}, {"value": true}, {"value": false}]},
         {"type": "score", "instructions": "How urgent?", "levels": [{"label": "low"}, {"label": "high", "description": "today"}], "name": "money"}]
        """

    private func ask(_ input: String, _ questions: String = Self.questions) async throws -> WholeReply {
        try await ServingSupport.server().post("/v1/decisions", #"{"input": \#(input), "questions": \#(questions)}"#)
    }

    @Test("Answers come in the order of the questions, with the values as they were given")
    func answers() async throws {
        let reply = try await ask(#""The bill is too high.""#)
        #expect(reply.status == 200 && reply.body["model"] == "demo", "\(reply.body)")
        let answers = try #require(reply.body["answers"]?.array)
        #expect(answers.map { $0["type"] } == ["predicate", "choice", "score"])
        // Names may be missing and come twice.
        #expect(answers.map { $0["name"] } == ["money", .null, "money"])
        #expect((0...1).contains(try #require(answers[0]["probability"]?.double)))
        let choices = try #require(answers[1]["probabilities"]?.array)
        #expect(choices.map { $0["value"] } == ["true", .bool(true), .bool(false)])
        let shares = choices.compactMap { $0["probability"]?.double }
        #expect(abs(shares.reduce(0, +) - 1) < 1e-12)
        let best = try #require(shares.indices.max { shares[$0] < shares[$1] })
        #expect(answers[1]["choice"] == choices[best]["value"])
        let levels = try #require(answers[2]["probabilities"]?.array)
        #expect(levels.map { $0["label"] } == ["low", "high"] && levels.map { $0["value"]?.integer } == [0, 1])
        #expect(answers[2]["score"]?.double == levels[1]["probability"]?.double)
        let usage = try #require(reply.body["usage"])
        #expect(usage["input_tokens"] == usage["total_tokens"] && usage["output_tokens"]?.integer == 0)
        #expect(usage["output_tokens_details"]?["reasoning_tokens"]?.integer == 0)
        #expect(try #require(usage["input_tokens_details"]?["cached_tokens"]?.integer) > 0)
    }

    @Test("A list of one message is its text, and the same as /v1/systemone")
    func messages() async throws {
        let server = try ServingSupport.server()
        let question = #"[{"type": "choice", "instructions": "b", "choices": [{"value": "x"}, {"value": "y"}]}]"#
        let text = try await server.post("/v1/decisions", #"{"input": "A b", "questions": \#(question)}"#)
        let list = try await server.post(
            "/v1/decisions",
            #"{"input": [{"role": "user", "content": [{"type": "input_text", "text": "A b"}]}], "questions": \#(question)}"#
        )
        let named = try await server.post(
            "/v1/systemone",
            #"{"state": "A b", "questions": {"q": {"type": "choice", "instructions": "b", "criteria": {"x": null, "y": null}}}}"#
        )
        #expect(text.status == 200 && text.body == list.body)
        let shares = text.body["answers"]?.array?.first?["probabilities"]?.array?.map { $0["probability"] }
        #expect(shares != nil && shares == named.body["answers"]?["q"]?["probabilities"]?.object?.values)
    }

    @Test("Conversations with calls, JSON and several turns are states")
    func conversation() async throws {
        let reply = try await ask(
            """
            [{"role": "developer", "content": "You help."},
             {"role": "user", "content": [{"type": "input_json", "data": {"a": 1}}]},
             {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"},
             {"type": "function_call_output", "call_id": "c", "output": "done"},
             {"role": "assistant", "content": [{"type": "output_text", "text": "It is done."}]}]
            """)
        #expect(reply.status == 200 && reply.headers["warning"] == nil, "\(reply.body) \(reply.headers)")
    }

    @Test(
        "What is wrong with a request is named",
        arguments: [
            ("3", questions, "input"), (#""a""#, "[]", "questions"), (#""a""#, "[3]", "questions[0]"),
            (#""a""#, #"[{"type": "noul", "instructions": "b"}]"#, "questions[0].type"),
            (#""a""#, #"[{"type": "predicate"}]"#, "questions[0].instructions"),
            (#""a""#, #"[{"type": "predicate", "name": 3, "instructions": "b"}]"#, "questions[0].name"),
            (
                #""a""#, #"[{"type": "choice", "instructions": "b", "choices": [{"value": "x"}]}]"#,
                "questions[0].choices"
            ),
            (
                #""a""#, #"[{"type": "choice", "instructions": "b", "choices": [{"value": "x"}, {"value": "x"}]}]"#,
                "questions[0].choices[1].value"
            ),
            (
                #""a""#, #"[{"type": "choice", "instructions": "b", "choices": [{"value": "x"}, {"value": 3}]}]"#,
                "questions[0].choices[1].value"
            ),
            (#""a""#, #"[{"type": "score", "instructions": "b", "levels": [{}]}]"#, "questions[0].levels[0].label"),
            (#"[{"type": "function_call_output", "call_id": "c", "output": "d"}]"#, questions, "input[0].call_id"),
        ])
    func refused(input: String, questions: String, field: String) async throws {
        let reply = try await ask(input, questions)
        #expect(reply.status == 400 && reply.body["error"]?["param"]?.string == field, "\(reply.body)")
    }
}
