import Foundation
import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Results of functions that are no plain text.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct FunctionResultTests {
    private static let parts = #"[{"type": "input_text", "text": "24 degrees"}]"#

    /// The request of a protocol that answers with a result.
    private static func request(_ path: String, _ result: String) -> String {
        let function = #"{"name": "get_weather", "arguments": {}}"#
        return switch path {
        case "/v1/responses":
            #"{"temperature": 0, "max_output_tokens": 1, "input": [{"role": "user", "content": "Weather?"}, {"type": "function_call", "call_id": "c", "name": "get_weather", "arguments": "{}"}, {"type": "function_call_output", "call_id": "c", "output": \#(result)}]}"#
        case "/api/chat":
            #"{"stream": false, "options": {"temperature": 0, "num_predict": 1}, "messages": [{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": "", "tool_calls": [{"function": \#(function)}]}, {"role": "tool", "content": \#(result)}]}"#
        default:
            #"{"temperature": 0, "max_tokens": 1, "messages": [{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": \#(function)}]}, {"role": "tool", "tool_call_id": "c", "content": \#(result)}]}"#
        }
    }

    private static let paths = ["/v1/chat/completions", "/v1/responses", "/api/chat"]

    private static func count(_ reply: WholeReply) -> Int? {
        let usage = reply.body["usage"]
        return (usage?["prompt_tokens"] ?? usage?["input_tokens"] ?? reply.body["prompt_eval_count"])?.integer
    }

    /// Returns the place at which a protocol has the result.
    private static func place(_ path: String) -> String {
        path == "/v1/responses" ? "input[2].output" : "messages[2].content"
    }

    @Test("Parts are the text that they hold, in every protocol")
    func text() async throws {
        let server = try ServingSupport.server()
        for path in Self.paths {
            let plain = try await server.post(path, Self.request(path, #""24 degrees""#))
            #expect(plain.status == 200)
            for result in [
                Self.parts, #"[{"type": "text", "text": "24 degrees"}]"#, #"["24 degrees"]"#,
                #"[{"type": "output_text", "text": "24 degrees", "annotations": []}]"#,
                #"{"type": "text", "text": "24 degrees"}"#,
            ] {
                let reply = try await server.post(path, Self.request(path, result))
                #expect(reply.status == 200, "\(path) \(result)")
                #expect(Self.count(reply) == Self.count(plain), "\(path) \(result)")
            }
            let two = try await server.post(
                path, Self.request(path, #"[{"type": "text", "text": "24"}, {"type": "text", "text": "degrees"}]"#))
            let lines = try await server.post(path, Self.request(path, #""24\ndegrees""#))
            #expect(two.status == 200 && Self.count(two) == Self.count(lines), "\(path)")
        }
    }

    @Test("JSON that is no list of parts is read as the text that it is")
    func json() throws {
        for (json, text) in [
            (#"{"temperature": 24}"#, #"{"temperature":24}"#), ("[1, 2]", "[1,2]"), ("24", "24"), ("true", "true"),
            (#"[{"city": "Lisbon"}]"#, #"[{"city":"Lisbon"}]"#), (#"{"type": "sunny"}"#, #"{"type":"sunny"}"#),
        ] {
            let content = try ResultParts.content(try JSONParser.parse(json), at: "x")
            #expect(content == [.text(text)], "\(json)")
        }
        #expect(try ResultParts.content(.null, at: "x").isEmpty)
        #expect(try ResultParts.content(.array([]), at: "x").isEmpty)
    }

    private static func picture() throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = try Data(contentsOf: tests.appendingPathComponent("LeapVisionTests/Fixtures/17x9-RGB.png"))
        return "data:image/png;base64," + file.base64EncodedString()
    }

    @Test("A picture in a result is seen as one, in every protocol")
    func pictures() async throws {
        let server = try ServingSupport.server([ServingSupport.fixture("vision/vision")])
        let url = try Self.picture()
        for path in Self.paths {
            let plain = try #require(Self.count(try await server.post(path, Self.request(path, #""24 degrees""#))))
            for part in [
                #"{"type": "input_image", "image_url": "\#(url)"}"#,
                #"{"type": "image_url", "image_url": {"url": "\#(url)"}}"#,
            ] {
                let reply = try await server.post(
                    path, Self.request(path, #"[{"type": "text", "text": "24 degrees"}, \#(part)]"#))
                #expect(reply.status == 200, "\(path): \(JSONWriter.string(reply.body))")
                let added = try #require(Self.count(reply)) - plain
                // The picture's own tokens; as Base64 it would be hundreds of others.
                #expect((64...80).contains(added), "\(path): \(added)")
            }
        }
    }

    @Test("A picture or sound that the model does not read is left out, with its place in Warning")
    func unread() async throws {
        let server = try ServingSupport.server()
        let picture = #"{"type": "input_image", "image_url": "\#(try Self.picture())"}"#
        let sound = #"{"type": "input_audio", "input_audio": {"data": "AAAA", "format": "mp3"}}"#
        for part in [picture, sound] {
            for path in Self.paths {
                let reply = try await server.post(
                    path, Self.request(path, #"[{"type": "text", "text": "a"}, \#(part)]"#))
                #expect(reply.status == 200, "\(path): \(reply.body)")
                #expect(reply.headers["warning"]?.contains(Self.place(path) + "[1]") == true, "\(reply.headers)")
            }
        }
    }

    @Test(
        "A part of another type is left out, with its place in Warning",
        arguments: [#"{"type": "input_file", "file_id": "f"}"#, #"{"type": "hologram"}"#])
    func otherTypes(part: String) async throws {
        let server = try ServingSupport.server()
        for path in Self.paths {
            let reply = try await server.post(
                path, Self.request(path, #"[{"type": "text", "text": "a"}, \#(part)]"#))
            #expect(reply.status == 200, "\(path): \(reply.body)")
            #expect(reply.headers["warning"]?.contains(Self.place(path) + "[1].type=") == true, "\(reply.headers)")
        }
    }

    @Test(
        "A part that is damaged is refused with its place",
        arguments: [
            #"{"type": "input_image", "file_id": "f"}"#,
            #"{"type": "image_url", "image_url": {"url": "ftp://example.org/a.png"}}"#,
        ])
    func unsupported(part: String) async throws {
        let server = try ServingSupport.server()
        for path in Self.paths {
            let reply = try await server.post(
                path, Self.request(path, #"[{"type": "text", "text": "a"}, \#(part)]"#))
            #expect(reply.status == 400)
            try expectRefused(reply, at: Self.place(path) + "[1]")
        }
    }

    /// An error under /api/ may be a text alone.
    private func expectRefused(_ reply: WholeReply, at place: String) throws {
        let error = try #require(reply.body["error"])
        if let text = error.string {
            #expect(text.contains(place), "\(text)")
        } else {
            #expect(error["code"] == "unsupported_content" && error["param"]?.string == place, "\(place)")
        }
    }

    @Test("Ollama's pictures stand beside the result's text")
    func ollamaImages() async throws {
        let server = try ServingSupport.server([ServingSupport.fixture("vision/vision")])
        let data = try Self.picture().dropFirst("data:image/png;base64,".count)
        let plain = try await server.post("/api/chat", Self.request("/api/chat", #""24 degrees""#))
        for result in [#""24 degrees""#, Self.parts] {
            let reply = try await server.post(
                "/api/chat", Self.request("/api/chat", #"\#(result), "images": ["\#(data)"]"#))
            #expect(reply.status == 200)
            let added = try #require(Self.count(reply)) - (Self.count(plain) ?? 0)
            #expect((64...80).contains(added), "\(added)")
        }
    }

    @Test("A realtime item's result may be parts too")
    func realtime() throws {
        let value = try JSONParser.parse(
            #"{"type": "function_call_output", "call_id": "c", "output": \#(Self.parts)}"#)
        #expect(try RealtimeItem(value, "item").message.content == [.text("24 degrees")])
        let file = try JSONParser.parse(
            #"{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_file"}]}"#)
        let error = #expect(throws: APIError.self) { try RealtimeItem(file, "item") }
        #expect(error?.code == "unsupported_content" && error?.parameter == "item.output[0]")
    }

    @Test("Responses have every count of tokens that clients' types demand")
    func usage() async throws {
        let reply = try await ServingSupport.server().post(
            "/v1/responses", #"{"input": "Hi", "max_output_tokens": 1}"#)
        let details = try #require(reply.body["usage"]?["input_tokens_details"])
        #expect(details["cached_tokens"]?.integer != nil && details["cache_write_tokens"] == .integer(0))
        #expect(reply.body["usage"]?["output_tokens_details"]?["reasoning_tokens"]?.integer != nil)
    }
}
