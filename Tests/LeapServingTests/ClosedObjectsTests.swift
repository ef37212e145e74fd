import LeapCore
import LeapGrammar
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Members that a client's schema does not name do not come, and what it says of others is kept to.
@Suite(.inTurns)
struct ClosedObjectsTests {
    private static let person =
        #"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"]}"#

    /// The objects of a reply to a request for a person, asked for in several ways.
    private func reply(_ path: String, _ format: String, server: Server) async throws -> JSONObject? {
        let reply = try await server.post(
            path,
            #"{"model":"demo","stream":false,"temperature":0,"options":{"temperature":0},"max_tokens":90,"messages":[{"role":"user","content":"Give a movie as JSON with name, age and kidFriendly."}],\#(format)}"#
        )
        #expect(reply.status == 200, "\(reply.body)")
        let text =
            reply.body["choices"]?.array?.first?["message"]?["content"]?.string
            ?? reply.body["message"]?["content"]?.string
        return try JSONParser.parse(text ?? "").object
    }

    @Test("An object has the members of its schema, with and without strict, in every protocol")
    func members() async throws {
        let server = try ServingSupport.server()
        for (path, format) in [
            (
                "/v1/chat/completions",
                #""response_format":{"type":"json_schema","json_schema":{"name":"p","schema":\#(Self.person)}}"#
            ),
            (
                "/v1/chat/completions",
                #""response_format":{"type":"json_schema","json_schema":{"name":"p","strict":true,"schema":\#(Self.person)}}"#
            ),
            ("/api/chat", #""format":\#(Self.person)"#),
        ] {
            let object = try #require(try await reply(path, format, server: server))
            #expect(object.keys == ["name", "age"], "\(path): \(object)")
        }
    }

    @Test("A schema that is open by its own word stays open")
    func openByItsOwnWord() throws {
        var fields = RequestFields([
            "response_format": .object([
                "type": "json_schema", "json_schema": .object(["schema": .object(["type": "object"])]),
            ])
        ])
        let options = try SamplingFields(&fields, hasFunctions: false).options(choice: 0)
        #expect(
            options.jsonSchemaConstraint == #"{"type":"object"}"#
                || options.jsonSchemaConstraint == #"{"type": "object"}"#)
        #expect(options.further.grammarOptions.closesObjects)
    }
}
