import Foundation
import LeapBase
import LeapChat
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

/// The parts of a batch.
@Suite(.inTurns)
struct BatchTests {
    private func file(_ bytes: [UInt8]) throws -> (path: String, file: OpenFile) {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("leap-\(UUID().uuidString)").path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return (path, try OpenFile(path, .reading))
    }

    @Test("Lines are those of the whole text, with their places")
    func lines() throws {
        for seed in TestLevel.seeds(2, all: 100) {
            var generator = SeededGenerator(seed: seed)
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<30, using: &generator) {
                let length = [0, 1, 5, 300_000].randomElement(using: &generator) ?? 0
                bytes += [UInt8](repeating: .random(in: 0x61...0x7A, using: &generator), count: length)
                if Bool.random(using: &generator) { bytes.append(0x0A) }
            }
            let (path, file) = try file(bytes)
            defer { unlink(path) }
            let reader = LineReader(file, maxLineBytes: 1 << 20)
            var place = 0
            var number = 0
            while let line = try reader.next() {
                let end = bytes[place...].firstIndex(of: 0x0A)
                let expected = bytes[place..<(end ?? bytes.count)]
                number += 1
                #expect(line.offset == place && line.number == number && line.isComplete == (end != nil))
                if expected.count <= 1 << 20 { #expect(line.bytes.elementsEqual(expected)) }
                #expect(line.isTooLong == (expected.count > 1 << 20))
                place = end.map { $0 + 1 } ?? bytes.count
            }
            #expect(place == bytes.count)
        }
    }

    @Test("A name is found twice in files of any size, with a bound on the names that are kept")
    func duplicates() throws {
        let count = TestLevel.rounds(60, all: 200)
        let lines = (0..<count).map { "{\"custom_id\":\"n\($0)\"}" }
        let (path, _) = try file(Array(lines.joined(separator: "\n").utf8))
        defer { unlink(path) }
        for maxNames in [1, 3, 50, 1000] { #expect(try BatchInput(path: path, maxNames: maxNames).lineCount == count) }
        let (twice, _) = try file(Array((lines + ["", lines[17]]).joined(separator: "\n").utf8))
        defer { unlink(twice) }
        for maxNames in [1, 3, 50, 1000] {
            let error = #expect(throws: CommandError.self) { try BatchInput(path: twice, maxNames: maxNames) }
            #expect(error?.description.contains("'n17' in lines 18 and \(count + 2)") == true)
        }
    }

    private func line(_ text: String, model: String? = nil) -> BatchLine {
        BatchLine(
            LineReader.Line(number: 9, offset: 0, bytes: Array(text.utf8), isTooLong: false, isComplete: true),
            model: model)
    }

    @Test("The request of a line has the members of its body, and a model that takes the place of the line's")
    func bodies() throws {
        let text =
            #"{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"x","temperature":1e-1,"messages":[{"role":"user","content":"Hi"}]}}"#
        for model in ["other", nil] {
            let request = try line(text, model: model).request.get()
            #expect(request.path == "/v1/chat/completions" && request.body.byteCount == text.utf8.count)
            let members = try request.body.members()
            #expect(members.keys == ["model", "temperature", "messages"])
            #expect(members["model"]?.string == model ?? "x" && members["temperature"]?.number?.spelling == "1e-1")
            let chat = try ChatRequest(request.body)
            #expect(chat.order.model == model ?? "x" && chat.order.messages.map(\.text) == ["Hi"])
        }
    }

    @Test("A line's body may have as many values as the body of any request, and gets the same error")
    func values() async throws {
        func body(_ count: Int) -> RequestBody {
            // With the object and the array.
            let tokens = [JSONValue](repeating: .null, count: count - 2)
            return RequestBody(["tokens": .array(tokens)], byteCount: 9)
        }
        #expect(try body(RequestBody.maxValues).members().keys == ["tokens"])
        #expect(throws: APIError.self) { try body(RequestBody.maxValues + 1).members() }

        let text = #"{"tokens":["# + String(repeating: "7,", count: RequestBody.maxValues - 2) + "7]}"
        let request = try line(
            #"{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":\#(text)}"#
        ).request.get()
        let server = try ServingSupport.server()
        for reply in [
            try await WholeReply(server.reply(to: request)), try await server.post("/v1/embeddings", text),
        ] {
            let error = reply.body["error"]
            #expect(reply.status == 400 && error?["type"] == "invalid_request_error" && error?["code"] == .null)
            let message = error?["message"]?.string ?? ""
            #expect(message.hasPrefix("the request's body is not JSON: too many values"), "\(message)")
        }
    }

    @Test("A line may ask typed questions, in both protocols")
    func decisions() async throws {
        let server = try ServingSupport.server()
        for (path, body) in [
            ("/v1/systemone", #"{"state":"s","questions":{"a":{"type":"noul","instructions":"b"}}}"#),
            ("/v1/decisions", #"{"input":"s","questions":[{"type":"predicate","instructions":"b"}]}"#),
        ] {
            let request = try line(#"{"custom_id":"a","method":"POST","url":"\#(path)","body":\#(body)}"#).request.get()
            let reply = try await WholeReply(server.reply(to: request))
            #expect(reply.status == 200 && reply.body["answers"] != nil, "\(reply.body)")
        }
    }

    @Test("Lines that are no requests say what is wrong with them")
    func faults() throws {
        for (text, word) in [
            ("[]", "object"), ("1", "object"), ("{}", "custom_id"), ("{\"custom_id\":7}", "custom_id"),
            ("{\"custom_id\":\"\"}", "custom_id"), ("{\"custom_id\":\"a\"}", "method"),
            ("{\"custom_id\":\"a\",\"method\":\"POST\"}", "url"),
            ("{\"custom_id\":\"a\",\"method\":\"POST\",\"url\":\"/v1/embeddings\"}", "body"),
            (
                "{\"custom_id\":\"a\",\"method\":\"POST\",\"url\":\"/v1/chat/completions\",\"body\":{\"stream\":true}}",
                "stream"
            ),
        ] {
            let line = line(text)
            guard case .failure(let fault) = line.request else {
                Issue.record("\(text)")
                continue
            }
            #expect(fault.message.contains("line 9") && fault.message.contains(word), "\(text): \(fault.message)")
        }
    }
}
