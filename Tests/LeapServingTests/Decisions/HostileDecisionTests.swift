import LeapChat
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Requests of both protocols at and beyond their limits; each error names the field.
@Suite(.inTurns)
struct HostileDecisionTests {
    private static let yesNo = #"{"type": "noul", "instructions": "b"}"#
    private static let predicate = #"{"type": "predicate", "instructions": "b"}"#

    private static func systemOne(_ questions: String, state: String = #""s""#) -> String {
        #"{"state": \#(state), "questions": {\#(questions)}}"#
    }

    private static func decisions(_ questions: String, input: String = #""s""#) -> String {
        #"{"input": \#(input), "questions": [\#(questions)]}"#
    }

    private static func names(_ count: Int) -> String {
        (0..<count).map { "\"q\($0)\": \(yesNo)" }.joined(separator: ",")
    }

    private static func choices(_ count: Int) -> String {
        let list = (0..<count).map { #"{"value": "o\#($0)"}"# }.joined(separator: ",")
        return #"{"type": "choice", "instructions": "b", "choices": [\#(list)]}"#
    }

    private static func criteria(_ count: Int) -> String {
        let list = (0..<count).map { "\"o\($0)\": null" }.joined(separator: ",")
        return #""a": {"type": "choice", "instructions": "b", "criteria": {\#(list)}}"#
    }

    private static func deep(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static func body(_ text: String) -> RequestBody { RequestBody(Array(text.utf8)) }

    @Test("400 questions and 255 options are read")
    func limits() throws {
        let many = try SystemOneRequest(Self.body(Self.systemOne(Self.names(400))), contentType: nil).order
        #expect(many.questions.count == 400 && many.questions.last?.name == "q399")
        let wide = try SystemOneRequest(Self.body(Self.systemOne(Self.criteria(255))), contentType: nil).order
        #expect(wide.questions.first?.optionCount == 255)
        let list = [String](repeating: Self.predicate, count: 400).joined(separator: ",")
        #expect(try DecisionsRequest(Self.body(Self.decisions(list))).questions.count == 400)
        let other = try DecisionsRequest(Self.body(Self.decisions(Self.choices(255)))).order
        #expect(other.questions.first?.optionCount == 255)
        // Of two members of one name the last counts, as in all of the server's JSON.
        let twice = Self.systemOne(
            #""a": \#(Self.yesNo), "a": {"type": "score", "instructions": "b", "criteria": ["c", "d"]}"#)
        let one = try SystemOneRequest(Self.body(twice), contentType: nil).order
        #expect(one.questions.map(\.optionCount) == [2] && one.questions.map(\.kind.key) == ["score"])
    }

    @Test("What is beyond the limits is refused by its field")
    func beyond() async throws {
        let server = try ServingSupport.server()
        let list = [String](repeating: Self.predicate, count: 401).joined(separator: ",")
        let huge = "\"" + String(repeating: "word ", count: 10_000) + "\""
        let hugeParts = #"[{"role": "user", "content": [{"type": "input_text", "text": \#(huge)}]}]"#
        let cases: [(path: String, body: String, field: String?)] = [
            ("/v1/systemone", Self.systemOne(Self.names(401)), "questions"),
            ("/v1/systemone", Self.systemOne(""), "questions"),
            ("/v1/systemone", Self.systemOne(Self.criteria(256)), "questions.a.options"),
            ("/v1/systemone", Self.systemOne(Self.names(1), state: Self.deep(200)), "state"),
            (
                "/v1/systemone",
                Self.systemOne(#""a": {"type": "noul", "instructions": \#(Self.deep(200))}"#),
                "questions.a.instructions"
            ),
            ("/v1/systemone", Self.systemOne(Self.names(1), state: Self.deep(100_000)), nil),
            ("/v1/systemone", Self.systemOne(Self.names(1), state: huge), "state"),
            ("/v1/systemone", "[]", nil), ("/v1/systemone", "", nil),
            ("/v1/decisions", Self.decisions(list), "questions"),
            ("/v1/decisions", Self.decisions(""), "questions"),
            ("/v1/decisions", Self.decisions(Self.choices(256)), "questions[0].choices"),
            ("/v1/decisions", Self.decisions(Self.predicate, input: Self.deep(100_000)), nil),
            ("/v1/decisions", Self.decisions(Self.predicate, input: huge), "input"),
            ("/v1/decisions", Self.decisions(Self.predicate, input: hugeParts), "input"),
            (
                "/v1/decisions",
                Self.decisions(
                    #"{"type": "choice", "instructions": "b", "choices": [{"value": true}, {"value": true}]}"#),
                "questions[0].choices[1].value"
            ),
            ("/v1/decisions", "[]", nil), ("/v1/decisions", "", nil),
        ]
        for (path, body, field) in cases {
            let reply = try await server.post(path, body)
            let place = "\(path) \(body.prefix(60))"
            #expect(reply.status == 400, "\(place): \(reply.body)")
            if let field { #expect(reply.body["error"]?["param"]?.string == field, "\(place): \(reply.body)") }
            #expect(reply.body["error"]?["message"]?.string?.isEmpty == false, "\(place)")
        }
    }

    @Test("Fields of the engine are named as OpenAI's clients have them")
    func places() {
        for (field, place) in [
            ("state", "input"), ("state.media[0]", "input"), ("questions.3", "questions[3]"),
            ("questions.3.options", "questions[3].choices"), ("questions.3.options[1]", "questions[3].choices[1]"),
            ("questions.3.levels", "questions[3].levels"), ("options.rotations", "rotations"), ("model", "model"),
        ] { #expect(DecisionsRequest.place(of: field) == place) }
    }
}
