import LeapDemoModel
import LeapJSON
import LeapTestSupport
import Testing

@testable import LeapServing

struct ChatCompletionsTests {
    private func server() throws -> Server {
        let catalog = ModelCatalog(
            given: [ModelCatalog.model(path: try LeapDemoModel.url.path, id: "demo")], downloader: nil)
        return Server(pool: ModelPool(catalog: catalog, configuration: .init()), access: AccessRules())
    }

    private func post(_ body: String) async throws -> (status: Int, body: JSONValue, headers: [String: String]) {
        let reply = try await server().reply(
            to: ServerRequest(method: "POST", path: "/v1/chat/completions", body: Array(body.utf8)))
        guard case .bytes(let bytes) = reply.body else { throw APIError.invalid("a stream") }
        return (
            reply.status, try JSONParser.parse(bytes),
            Dictionary(reply.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        )
    }

    @Test("A question is answered, and its tokens are counted")
    func answer() async throws {
        let reply = try await post(
            #"{"model": "demo", "temperature": 0, "messages": [{"role": "user", "content": "What is the capital of Portugal?"}]}"#
        )
        #expect(reply.status == 200)
        let choice = try #require(reply.body["choices"]?.array?.first)
        #expect(choice["message"]?["content"]?.string?.contains("Lisbon") == true)
        #expect(choice["finish_reason"] == "stop")
        #expect((reply.body["usage"]?["completion_tokens"]?.integer ?? 0) > 3)
        #expect(reply.headers["warning"] == nil)
    }

    @Test("A field without effect is named in a header")
    func ignored() async throws {
        let reply = try await post(
            #"{"model": "demo", "max_tokens": 1, "logit_bias": {}, "messages": [{"role": "user", "content": "Hi"}]}"#)
        #expect(reply.headers["warning"] == #"299 open-leap "without effect: logit_bias""#)
        #expect(reply.body["choices"]?.array?.first?["finish_reason"] == "length")
    }

    @Test(
        "A request that is not as it has to be is refused, with the field's name",
        arguments: [
            (#"[]"#, 400, ""), (#"{"#, 400, ""), (#"{"messages": []}"#, 400, "messages"),
            (#"{"messages": [{"role": "user"}], "max_tokens": -1}"#, 400, "max_tokens"),
            (#"{"messages": [{"role": "nobody", "content": ""}]}"#, 400, "messages[0]"),
            (#"{"messages": [{"role": "user", "content": "Hi"}], "model": "../../etc/passwd"}"#, 404, ""),
            (#"{"messages": [{"role": "user", "content": "Hi"}], "tools": [3]}"#, 400, "tools[0]"),
            (
                #"{"messages": [{"role": "user", "content": "Hi"}], "response_format": {"type": "xml"}}"#, 400,
                "response_format"
            ),
        ])
    func refused(body: String, status: Int, parameter: String) async throws {
        let reply = try await post(body)
        #expect(reply.status == status)
        let error = try #require(reply.body["error"])
        #expect(error["message"]?.string?.isEmpty == false)
        #expect(error["param"]?.string ?? "" == parameter)
    }
}
