import Foundation
import LeapAudio
import LeapChat
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

/// `/v1/systemone`, as clients of TypeSafe's API and of llama-server ask for it.
@Suite(.inTurns)
struct SystemOneTests {
    private static let questions = """
        "spam": {"type": "noul", "instructions": "Is this spam?", "criteria": {"true": "An advertisement"}},
        "team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "Invoices", "sales": null, "support": null}},
        "urgency": {"type": "score", "instructions": {"task": "How urgent?"}, "criteria": ["not", "soon", "now"]}
        """

    private func ask(_ members: String, _ server: Server? = nil) async throws -> WholeReply {
        try await (server ?? ServingSupport.server()).post("/v1/systemone", "{\(members)}")
    }

    @Test("Every type has its answer, in the order of the questions")
    func answers() async throws {
        let reply = try await ask(#""state": "The bill is too high.", "questions": {\#(Self.questions)}"#)
        #expect(reply.status == 200 && reply.body["model"] == "demo", "\(reply.body)")
        // Nobody takes a chat model for a trained one.
        #expect(reply.body["reading"] == "readout")
        let answers = try #require(reply.body["answers"]?.object)
        #expect(answers.keys == ["spam", "team", "urgency"])
        let spam = try #require(answers["spam"])
        let noul = try #require(spam["noul"]?.double)
        #expect(spam["type"] == "noul" && (0...1).contains(noul))
        #expect(spam.object?.keys == ["type", "noul"])

        let team = try #require(answers["team"])
        let shares = try #require(team["probabilities"]?.object)
        #expect(shares.keys == ["billing", "sales", "support"])
        let values = shares.values.compactMap(\.double)
        #expect(abs(values.reduce(0, +) - 1) < 1e-12)
        let best = try #require(values.indices.max { values[$0] < values[$1] })
        #expect(team["choice"]?.string == shares.keys[best])
        let confidence = try #require(team["confidence"]?.double)
        #expect(abs(confidence - (values[best] - 1.0 / 3) / (2.0 / 3)) < 1e-12)

        let urgency = try #require(answers["urgency"])
        #expect(urgency["legend"] == .object(["0": "not", "1": "soon", "2": "now"]))
        let levels = try #require(urgency["probabilities"]?.object)
        let mean = levels.values.compactMap(\.double).enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
        let score = try #require(urgency["score"]?.double)
        #expect(levels.keys == ["0", "1", "2"] && abs(score - mean) < 1e-12)

        let usage = try #require(reply.body["usage"])
        #expect(usage["output_tokens"]?.integer == 0)
        #expect(try #require(usage["input_tokens"]?.integer) > 50)
        #expect(try #require(usage["cached_tokens"]?.integer) > 0)
    }

    @Test("A question alone has the bits that it has beside others, and fields of ours have an effect")
    func alone() async throws {
        let server = try ServingSupport.server()
        let state = #""state": {"subject": "Invoice", "body": "Too high"}"#
        let all = try await ask("\(state), \"questions\": {\(Self.questions)}", server)
        let team =
            #""team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "Invoices", "sales": null, "support": null}}"#
        let one = try await ask("\(state), \"questions\": {\(team)}", server)
        let answer = try #require(all.body["answers"]?["team"])
        #expect(one.body["answers"]?["team"] == answer)
        let flat = try await ask("\(state), \"temperature\": 1000, \"questions\": {\(team)}", server)
        let confidence = try #require(flat.body["answers"]?["team"]?["confidence"]?.double)
        #expect(confidence < 0.1 && confidence < (answer["confidence"]?.double ?? 0))
        let turned = try await ask("\(state), \"rotations\": 1, \"questions\": {\(team)}", server)
        #expect(turned.body["answers"]?["team"]?["probabilities"] != answer["probabilities"])
        let other = try await ask("\(state), \"calibration\": \"v1\", \"questions\": {\(team)}", server)
        #expect(other.headers["warning"]?.contains("calibration") == true)
    }

    @Test(
        "What is wrong with a request is named as llama-server names it",
        arguments: [
            (#""questions": {"a": {"type": "noul", "instructions": "b"}}"#, "state", "must be provided"),
            (#""state": 3, "questions": {"a": {"type": "noul", "instructions": "b"}}"#, "state", "a number"),
            (#""state": "s""#, "questions", "must be provided"),
            (#""state": "s", "questions": []"#, "questions", "object"),
            (#""state": "s", "questions": {}"#, "questions", "1 to 400"),
            (#""state": "s", "questions": {"a": 3}"#, "questions.a", "must be an object"),
            (
                #""state": "s", "questions": {"a": {"type": "noul"}}"#, "questions.a",
                #""instructions" must be provided"#
            ),
            (
                #""state": "s", "questions": {"a": {"type": "box", "instructions": "b"}}"#, "questions.a",
                #""type" must be one of: choice, score, noul"#
            ),
            (#""state": "s", "questions": {"a": {"type": "choice", "instructions": "b"}}"#, "questions.a", "criteria"),
            (
                #""state": "s", "questions": {"a": {"type": "choice", "instructions": "b", "criteria": {}}}"#,
                "questions.a", "at least one"
            ),
            (
                #""state": "s", "questions": {"a": {"type": "choice", "instructions": "b", "criteria": ["c", "c"]}}"#,
                "questions.a.options[1]", "same name"
            ),
            (
                #""state": "s", "questions": {"a": {"type": "score", "instructions": "b", "criteria": ["c", null]}}"#,
                "questions.a.criteria[1]", "null"
            ),
            (
                #""state": "s", "questions": {"a": {"type": "noul", "instructions": "b", "criteria": {"maybe": "c"}}}"#,
                "questions.a.criteria.maybe", "not known"
            ),
            (
                #""state": "s", "temperature": 0, "questions": {"a": {"type": "noul", "instructions": "b"}}"#,
                "temperature", "more than 0"
            ),
            (
                #""state": "s", "files": [3], "questions": {"a": {"type": "noul", "instructions": "b"}}"#, "files[0]",
                "data: address"
            ),
            (
                #""state": "s", "files": ["data:image/png;base64,aGFsbG8="], "questions": {"a": {"type": "noul", "instructions": "b"}}"#,
                "files[0]", "image"
            ),
            (
                #""state": "s", "videos": ["a"], "questions": {"a": {"type": "noul", "instructions": "b"}}"#, "videos",
                "not read"
            ),
            (
                #""state": "s", "assets": {"x": {"type": "image"}}, "questions": {"a": {"type": "noul", "instructions": "b"}}"#,
                "assets.x", "data_base64"
            ),
        ])
    func refused(members: String, field: String, words: String) async throws {
        let reply = try await ask(members)
        #expect(reply.status == 400 && reply.body["error"]?["param"]?.string == field, "\(reply.body)")
        let message = try #require(reply.body["error"]?["message"]?.string)
        #expect(message.contains(words) && message.contains(field), "\(message)")
    }

    @Test(
        "Places of errors are paths in the body; names of questions may have dots",
        arguments: [
            (nil, #"["body"]"#), ("state", #"["body", "state"]"#), ("files[0]", #"["body", "files", 0]"#),
            ("state.messages[0].content[1]", #"["body", "state", "messages", 0, "content", 1]"#),
            ("questions", #"["body", "questions"]"#), ("questions.a.b", #"["body", "questions", "a.b"]"#),
            ("questions.a.options[1]", #"["body", "questions", "a", "criteria", 1]"#),
            ("questions.v1.5.criteria.maybe", #"["body", "questions", "v1.5", "criteria", "maybe"]"#),
            ("options.rotations", #"["body", "rotations"]"#),
            ("assets.<x>.part", #"["body", "assets", "<x>", "part"]"#),
            ("questions.a.criteria[", #"["body", "questions", "a", "criteria"]"#), ("", #"["body"]"#),
        ] as [(String?, String)])
    func locations(field: String?, path: String) throws {
        #expect(try JSONValue.array(SystemOneError.location(of: field)) == JSONParser.parse(path))
    }

    private func typed(_ body: String, _ server: Server) async throws -> WholeReply {
        try await WholeReply(
            server.reply(
                to: ServerRequest(
                    method: "POST", path: "/v1/systemone", headers: ["x-typesafe-sdk": "typesafe-sdk/0.7.5"],
                    body: Array(body.utf8))))
    }

    @Test("Clients of TypeSafe's get 422; the body is the same and has both forms of an error")
    func typeSafe() async throws {
        let body = #"{"state": "s", "questions": {"a": {"type": "box", "instructions": "b"}}}"#
        let server = try ServingSupport.server()
        let plain = try await server.post("/v1/systemone", body)
        let named = try await typed(body, server)
        #expect(plain.status == 400 && named.status == 422 && plain.body == named.body)
        let detail = try #require(named.body["detail"]?.array?.first)
        #expect(detail["loc"] == .array(["body", "questions", "a"]) && detail["type"]?.string == "value_error")
        let words = try #require(detail["msg"]?.string)
        #expect(words.hasPrefix("boxes in pictures"))
        #expect(named.body["error"]?["message"]?.string?.hasSuffix(words) == true)
        let broken = try await typed("{", server)
        #expect(broken.status == 422 && broken.body["detail"]?.array?.first?["loc"]?.array?.first == "body")
        // Other errors keep their status.
        let other = try await typed(
            #"{"model": "none", "state": "s", "questions": {"a": {"type": "noul", "instructions": "b"}}}"#, server)
        #expect(other.status == 404 && other.body["detail"] == nil)
    }

    @Test("Too many questions, options and levels are refused by their names")
    func limits() async throws {
        let server = try ServingSupport.server()
        let question = #"{"type": "noul", "instructions": "b"}"#
        let many = (0...400).map { "\"q\($0)\": \(question)" }.joined(separator: ",")
        let questions = try await ask("\"state\": \"s\", \"questions\": {\(many)}", server)
        #expect(questions.status == 400 && questions.body["error"]?["param"] == "questions")
        let criteria = (0..<300).map { "\"o\($0)\": null" }.joined(separator: ",")
        let options = try await ask(
            #""state": "s", "questions": {"a": {"type": "choice", "instructions": "b", "criteria": {\#(criteria)}}}"#,
            server)
        let message = try #require(options.body["error"]?["message"]?.string)
        #expect(options.status == 400 && message.contains("too many options (300)"), "\(message)")
        let texts = (0..<11).map { "\"l\($0)\"" }.joined(separator: ",")
        let levels = try await ask(
            #""state": "s", "questions": {"a": {"type": "score", "instructions": "b", "criteria": [\#(texts)]}}"#,
            server)
        #expect(levels.status == 400 && levels.body["error"]?["param"] == "questions.a.levels")
        let choices = (0..<400).map {
            #""q\#($0)": {"type": "choice", "instructions": "b", "criteria": ["a", "b", "c", "d", "e"]}"#
        }
        let orders = try await ask(
            "\"state\": \"s\", \"rotations\": 5, \"questions\": {\(choices.joined(separator: ","))}", server)
        #expect(orders.status == 400 && orders.body["error"]?["param"] == "options.rotations", "\(orders.body)")
    }

    @Test("The number of a picture is not searched for other placeholders")
    func placeholders() throws {
        let picture = #"{"data_base64": "\#(Self.pixel)"}"#
        let request =
            #"{"state": "a image é", "questions": {"a": {"type": "noul", "instructions": "b"}}, "assets": {"a": \#(picture), "image": \#(picture), "1": \#(picture)}}"#
        let order = try SystemOneRequest(RequestBody(Array(request.utf8)), contentType: nil).order
        #expect(order.state.content == .text("[image 1] [image 2] é"))
    }

    /// A picture of one pixel.
    private static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

    @Test("Pictures of messages, files and assets are 501 for a model without a projector, by their places")
    func pictures() async throws {
        let question = #""questions": {"a": {"type": "noul", "instructions": "b"}}"#
        let address = "data:image/png;base64,\(Self.pixel)"
        for (members, place) in [
            ("\"state\": \"s\", \"files\": [\"\(address)\"]", "files[0]"),
            ("\"state\": \"s\", \"images\": [\"\(address)\"]", "images[0]"),
            (
                #""state": {"messages": [{"role": "user", "content": [{"type": "text", "text": "t"}, {"type": "image_url", "image_url": {"url": "\#(address)"}}]}]}"#,
                "state.messages[0].content[1]"
            ),
            (
                #""state": "see <x>", "assets": {"<x>": {"type": "image", "format": "png", "data_base64": "\#(Self.pixel)"}}"#,
                "assets.<x>"
            ),
        ] {
            let reply = try await ask("\(members), \(question)")
            #expect(reply.status == 501 && reply.body["error"]?["param"]?.string == place, "\(reply.body)")
            let message = reply.body["error"]?["message"]?.string
            #expect(message?.contains("is a picture, and demo has no projector") == true, "\(reply.body)")
        }
    }

    @Test("A model with a projector answers about pictures and sounds, wherever a request has them")
    func projector() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("leap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures")
        let model = try DecisionProjector.writeModel(to: folder, fixtures: fixtures)
        let server = try ServingSupport.server([ModelCatalog.model(path: model.path)])
        let question = #""questions": {"a": {"type": "noul", "instructions": "b"}}"#
        let address = "data:image/png;base64,\(Self.pixel)"
        func noul(_ members: String) async throws -> Double {
            let reply = try await ask("\(members), \(question)", server)
            #expect(reply.status == 200 && reply.body["reading"] == "trained", "\(reply.body)")
            return try #require(reply.body["answers"]?["a"]?["noul"]?.double)
        }
        let plain = try await noul(#""state": "s""#)
        let pictured = try await noul("\"state\": \"s\", \"files\": [\"\(address)\"]")
        #expect(plain != pictured)
        #expect(try await noul("\"state\": \"s\", \"images\": [\"\(address)\"]") == pictured)
        let asset = #""assets": {"<x>": {"type": "image", "format": "png", "data_base64": "\#(Self.pixel)"}}"#
        #expect(try await noul("\"state\": \"s\", \(asset)") == pictured)
        let parts = #"[{"type": "text", "text": "t"}, {"type": "image_url", "image_url": {"url": "\#(address)"}}]"#
        _ = try await noul(#""state": [{"role": "user", "content": \#(parts)}]"#)
        let sound = WAVFile.encode(PatternAudio.samples(9000), sampleRate: 16_000).base64EncodedString()
        #expect(try await noul("\"state\": \"s\", \"files\": [\"data:audio/wav;base64,\(sound)\"]") != plain)

        // The same of OpenAI's protocol.
        let input =
            #"[{"role": "user", "content": [{"type": "input_text", "text": "s"}, {"type": "input_image", "image_url": "\#(address)"}]}]"#
        let decisions = try await server.post(
            "/v1/decisions", #"{"input": \#(input), "questions": [{"type": "predicate", "instructions": "b"}]}"#)
        let answer = decisions.body["answers"]?.array?.first
        #expect(decisions.status == 200 && answer?["probability"]?.double == pictured, "\(decisions.body)")

        let remote = try await ask(#""state": "s", "files": ["https://example.com/a.png"], \#(question)"#, server)
        #expect(remote.status == 400 && remote.body["error"]?["param"] == "files[0]", "\(remote.body)")
        let mixed = try await ask(
            "\"state\": \"s\", \"files\": [\"\(address)\", \"data:audio/wav;base64,\(sound)\"], \(question)", server)
        #expect(mixed.status == 400 && mixed.body["error"]?["param"] == "state", "\(mixed.body)")
    }

    @Test("A form has the request and its pictures; placeholders become numbers")
    func form() throws {
        let request =
            #"{"state": {"seen": "photo <x> here", "list": ["<xx>"]}, "questions": {"a": {"type": "noul", "instructions": "Is <x> blue?"}}, "assets": {"<x>": {"type": "image", "part": "asset-0"}, "<xx>": {"data_base64": "\#(Self.pixel)"}}}"#
        let body =
            "--b\r\nContent-Disposition: form-data; name=\"request\"\r\nContent-Type: application/json\r\n\r\n\(request)\r\n--b\r\nContent-Disposition: form-data; name=\"asset-0\"; filename=\"asset-0\"\r\n\r\n"
        let png = try #require(ChatPixel.bytes(base64: Self.pixel))
        let bytes = Array(body.utf8) + png + Array("\r\n--b--\r\n".utf8)
        let order = try SystemOneRequest(RequestBody(bytes), contentType: "multipart/form-data; boundary=b").order
        #expect(order.mediaPlaces == ["assets.<x>", "assets.<xx>"] && order.state.media.count == 2)
        #expect(
            order.state.content
                == .json(
                    .object(["seen": "photo [image 1] here", "list": .array(["[image 2]"])])))
        #expect(order.questions.map(\.instructions) == ["Is [image 1] blue?"])
        #expect(order.ignored.isEmpty)
    }
}
