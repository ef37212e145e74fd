import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Errors name the field as the client wrote it, in each protocol; none is a name of chat completions.
@Suite(.inTurns)
struct FieldNameTests {
    /// A request that is refused.
    struct Refused: Sendable, CustomTestStringConvertible {
        let path: String
        let members: String
        let words: String
        var testDescription: String { "\(path) \(members)" }
    }

    static let refused: [Refused] = [
        Refused(
            path: "/v1/responses", members: #""input": "Hi", "max_output_tokens": 0"#,
            words: "'max_output_tokens' is 0; expected 1 to 2147483647, or -1 for no limit"),
        Refused(
            path: "/v1/responses", members: #""input": "Hi", "text": {"format": {"type": "xml"}}"#,
            words: "'text.format.type' is 'xml'; expected 'text', 'json_object' or 'json_schema'"),
        Refused(
            path: "/v1/responses", members: #""input": "Hi", "text": {"format": {"type": "json_schema", "name": "n"}}"#,
            words: "'text.format.schema' is missing"),
        Refused(
            path: "/v1/responses",
            members: #""input": "Hi", "regex": "a", "text": {"format": {"type": "json_schema", "schema": {}}}"#,
            words: "'text.format' cannot be combined with 'grammar' or 'regex'"),
        Refused(
            path: "/v1/messages",
            members: #""max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}], "stop_sequences": 1"#,
            words: "'stop_sequences' is a number; expected a string or an array of at most 16 strings"),
        Refused(
            path: "/v1/messages",
            members:
                #""max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}], "output_config": {"format": {"type": "json_schema"}}"#,
            words: "'output_config.format.schema' is missing"),
        Refused(
            path: "/api/generate", members: #""prompt": "Hi", "options": {"num_predict": "9"}"#,
            words: "'num_predict' is a string; expected a whole number"),
        Refused(
            path: "/api/generate", members: #""prompt": "Hi", "think": "very""#,
            words: "'think' is 'very'; expected none, minimal, low, medium, high, xhigh, max"),
        Refused(
            path: "/api/generate",
            members: #""prompt": "Hi", "format": "json", "options": {"grammar": "root ::= \"a\""}"#,
            words: "'format' cannot be combined with 'grammar' or 'regex'"),
    ]

    @Test("A field that is wrong is named as the client wrote it", arguments: refused)
    func refusals(_ request: Refused) async throws {
        let reply = try await ServingSupport.server().post(request.path, "{\(request.members)}")
        #expect(reply.status == 400)
        let error = reply.body["error"]
        let message = error?["message"]?.string ?? error?.string ?? ""
        #expect(message.contains(request.words), "\(message)")
    }

    @Test("Ollama's options take the limit by the name of chat completions too")
    func otherLimit() throws {
        var fields = RequestFields(["options": .object(["max_tokens": .integer(7)])])
        let options = try OllamaOptions(&fields, hasFunctions: false)
        #expect(options.options.maxTokens == 7 && options.ignored.isEmpty)
    }
}
