import Foundation
import LeapDemoModel
import LeapGGUF
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// A model whose output is no number: a damaged file that loads.
@Suite(.inTurns)
struct NoNumberTests {
    /// The demo model with scales that are no numbers in the matrix that its output is made with.
    private static func damagedModel() throws -> URL {
        var bytes = try Data(contentsOf: LeapDemoModel.url)
        let file = try GGUFFile.open(path: LeapDemoModel.url.path)
        let tensor = try #require(file.tensors.first { $0.name == "token_embd.weight" })
        bytes.replaceSubrange(
            tensor.fileOffset..<tensor.fileOffset + tensor.byteCount,
            with: repeatElement(0xFF, count: tensor.byteCount))
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("leap-\(UUID().uuidString).gguf")
        try bytes.write(to: url)
        return url
    }

    private static let question = #""messages":[{"role":"user","content":"Hi"}],"max_tokens":60"#
    private static let tool =
        #"[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}]"#

    @Test("Every kind of reply is an error that says so")
    func replies() async throws {
        let file = try Self.damagedModel()
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try ServingSupport.server([ModelCatalog.model(path: file.path, id: "damaged")])
        for (path, body) in [
            ("/v1/chat/completions", "{\(Self.question)}"),
            ("/v1/chat/completions", "{\(Self.question),\"temperature\":0}"),
            (
                "/v1/chat/completions",
                "{\(Self.question),\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"schema\":{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[1]}},\"required\":[\"a\"]}}}}"
            ),
            ("/v1/chat/completions", "{\(Self.question),\"regex\":\"(yes|no)\"}"),
            ("/v1/chat/completions", "{\(Self.question),\"tools\":\(Self.tool)}"),
            ("/v1/chat/completions", "{\(Self.question),\"tools\":\(Self.tool),\"tool_choice\":\"required\"}"),
            ("/v1/completions", #"{"prompt":"Hi","max_tokens":5}"#),
        ] {
            let reply = try await server.post(path, body)
            #expect(reply.status == 500, "\(body): \(reply.body)")
            #expect(reply.body["error"]?["message"]?.string?.contains("not a number") == true, "\(body): \(reply.body)")
        }
    }
}
