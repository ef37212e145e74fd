import Foundation
import LeapCore
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import LeapVision
import Testing

@testable import LeapServing

/// Requests with videos.
@Suite(.inTurns)
struct VideoRequestTests {
    private static func picture(_ seed: Int) -> String {
        Data(PNGWriter.bytes(width: 64, height: 64) { x, y in [UInt8(x * seed % 256), UInt8(y), UInt8(seed)] })
            .base64EncodedString()
    }

    private static func video(_ seeds: [Int], secondsApart: Double = 0.5) -> String {
        let frames = seeds.enumerated().map { index, seed in
            #"{"time": \#(Double(index) * secondsApart), "image_url": {"url": "data:image/png;base64,\#(picture(seed))"}}"#
        }
        return #"{"type": "video", "frames": [\#(frames.joined(separator: ", "))]}"#
    }

    private static func list(_ seeds: [Int], more: String = "") -> String {
        let url = "data:video/jpeg;base64," + seeds.map(picture).joined(separator: ",")
        return #"{"type": "video_url", "video_url": {"url": "\#(url)"\#(more)}}"#
    }

    private static func body(_ part: String) -> String {
        #"{"messages": [{"role": "user", "content": [\#(part), {"type": "text", "text": "What?"}]}], "max_tokens": 4, "temperature": 0}"#
    }

    private func ask(
        _ part: String, model: String = "lfm3vl/lfm3vl", path: String = "/v1/chat/completions", body: String? = nil
    ) async throws -> WholeReply {
        let server = try ServingSupport.server([ServingSupport.fixture(model)])
        return try await server.post(path, body ?? Self.body(part))
    }

    private static func tokens(_ reply: WholeReply) -> Int { reply.body["usage"]?["prompt_tokens"]?.integer ?? 0 }

    @Test("Frames with times and a list of JPEG or PNG files are read; a list has two frames a second, or fps")
    func videos() async throws {
        let two = try await ask(Self.video([1, 2]))
        #expect(two.status == 200, "\(two.body)")
        #expect(two.headers["warning"] == nil)
        let four = try await ask(Self.video([1, 2, 3, 4]))
        // Two markers, 4 tokens of 32 by 32 pixels and 13 bytes of a time.
        #expect(Self.tokens(four) == Self.tokens(two) + 2 + 4 + 13)
        let listed = try await ask(Self.list([1, 2, 3, 4]))
        #expect(listed.status == 200 && listed.headers["warning"] == nil, "\(listed.body)")
        #expect(listed.body["choices"]?.array?[0]["message"] == four.body["choices"]?.array?[0]["message"])
        // A frame every 20 seconds: 50.0 has one digit more than 1.2.
        let slow = try await ask(Self.list([1, 2, 3, 4], more: #", "fps": 0.05"#))
        #expect(Self.tokens(slow) == Self.tokens(four) + 2)
    }

    @Test("Responses take the same parts")
    func responses() async throws {
        let body =
            #"{"input": [{"role": "user", "content": [\#(Self.video([1, 2])), {"type": "input_text", "text": "What?"}]}], "max_output_tokens": 4}"#
        let reply = try await ask("", path: "/v1/responses", body: body)
        #expect(reply.status == 200, "\(reply.body)")
    }

    @Test(
        "A video file, an address, a damaged frame and a model that reads none are errors of the request",
        arguments: [
            (
                #"{"type": "video_url", "video_url": {"url": "data:video/mp4;base64,AAAAGGZ0eXBtcDQyAAAAAG1wNDI="}}"#,
                "lfm3vl/lfm3vl", "is MP4"
            ),
            (
                #"{"type": "video_url", "video_url": {"url": "https://example.org/a.mp4"}}"#, "lfm3vl/lfm3vl",
                "not fetched"
            ),
            (
                #"{"type": "video_url", "video_url": {"url": "data:video/jpeg;base64,bm8="}}"#, "lfm3vl/lfm3vl",
                "frame 0"
            ),
            (video([1, 2]), "vision/vision", "is for images: use a model that reads video"),
        ])
    func refused(part: String, model: String, words: String) async throws {
        let reply = try await ask(part, model: model)
        #expect(reply.status == 400)
        #expect(reply.body["error"]?["message"]?.string?.contains(words) == true, "\(reply.body)")
    }

    @Test("Members of videos without effect are named; the state of a model tells that it reads videos")
    func details() async throws {
        let reply = try await ask(Self.list([1], more: #", "detail": "high""#))
        #expect(reply.status == 200)
        #expect(reply.headers["warning"]?.contains("messages[0].content[0].video_url.detail") == true)
        let server = try ServingSupport.server([ServingSupport.fixture("lfm3vl/lfm3vl")])
        let state = try await WholeReply(server.reply(to: ServerRequest(method: "GET", path: "/props")))
        #expect(state.body["modalities"]?["video"] == .bool(true))
        // Of a loaded model, and of one by its headers.
        for server in [server, try ServingSupport.server([ServingSupport.fixture("lfm3vl/lfm3vl")])] {
            let list = try await WholeReply(server.reply(to: ServerRequest(method: "GET", path: "/v1/models")))
            let inputs = list.body["data"]?.array?.first?["architecture"]?["input_modalities"]?.array
            #expect(inputs == ["text", "image", "video"], "\(list.body)")
        }
    }

    @Test("The check of attachments tells a video's frames and seconds")
    func attachment() async throws {
        let server = try ServingSupport.server()
        let reply = try await server.post(AttachmentRequests.path, #"{"part": \#(Self.video([1, 2, 3]))}"#)
        #expect(reply.status == 200 && reply.body["kind"] == "video", "\(reply.body)")
        #expect(reply.body["frames"]?.integer == 3 && reply.body["seconds"]?.double == 1)
        #expect(reply.body["width"]?.integer == 64 && reply.body["height"]?.integer == 64)
    }
}
