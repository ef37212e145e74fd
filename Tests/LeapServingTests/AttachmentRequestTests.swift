import Foundation
import LeapAudioDemoModel
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// The check of pictures and sounds before they are sent.
@Suite(.inTurns)
struct AttachmentRequestTests {
    private static func file(_ name: String) throws -> Data {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appendingPathComponent("LeapVisionTests/Fixtures/\(name)"))
    }

    private static func image(_ data: Data) -> String {
        #"{"type": "image_url", "image_url": {"url": "data:image/any;base64,\#(data.base64EncodedString())"}}"#
    }

    private static func sound(_ data: Data) -> String {
        #"{"type": "input_audio", "input_audio": {"data": "\#(data.base64EncodedString())", "format": "wav"}}"#
    }

    private func check(_ part: String, model: String? = nil) async throws -> WholeReply {
        let name = model.map { #", "model": "\#($0)""# } ?? ""
        return try await ServingSupport.server().post(AttachmentRequests.path, #"{"part": \#(part)\#(name)}"#)
    }

    @Test("A picture is read, whatever its address says of its format", arguments: ["17x9-RGB.png", "17x9-444.jpg"])
    func pictures(name: String) async throws {
        let reply = try await check(Self.image(try Self.file(name)))
        #expect(reply.status == 200)
        #expect(reply.body["kind"] == "image")
        #expect(reply.body["width"]?.integer == 17 && reply.body["height"]?.integer == 9)
    }

    @Test("A sound is read")
    func sounds() async throws {
        let reply = try await check(Self.sound(try LeapAudioDemoModel.Recording.lamp.data))
        #expect(reply.status == 200)
        #expect(reply.body["kind"] == "audio")
        #expect((reply.body["seconds"]?.double ?? 0) > 0.2 && (reply.body["sample_rate"]?.integer ?? 0) > 7000)
    }

    @Test("A file that a reply could not read is refused with what is wrong with it")
    func refusals() async throws {
        let picture = try Self.file("17x9-RGB.png")
        let recording = try LeapAudioDemoModel.Recording.lamp.data
        typealias Refusal = AttachmentRequests.Refusal
        let cases: [(part: String, code: Refusal)] = [
            (Self.image(picture.prefix(picture.count / 2)), .damage), (Self.image(Data("no picture".utf8)), .format),
            (Self.sound(recording.prefix(44)), .damage), (Self.sound(Data("no sound at all".utf8)), .format),
        ]
        for (part, code) in cases {
            let reply = try await check(part)
            #expect(reply.status == 400)
            #expect(reply.body["error"]?["param"] == "part")
            #expect(reply.body["error"]?["code"]?.string == code.rawValue)
            #expect(reply.body["error"]?["message"]?.string?.isEmpty == false)
        }
    }

    @Test(
        "What is no picture and no sound is refused with its place",
        arguments: [
            #"{"type": "text", "text": "a"}"#, #"{"type": "image_url", "image_url": {"url": "https://example.org/a"}}"#,
            #"{"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}"#, #"{"type": "input_audio"}"#, "{}",
            "null", "[]", "3",
        ])
    func others(part: String) async throws {
        let reply = try await check(part)
        #expect(reply.status == 400)
        #expect(reply.body["error"]?["param"] == "part")
    }

    @Test("A model has to take it, where one is named")
    func model() async throws {
        let reply = try await check(Self.image(try Self.file("17x9-RGB.png")), model: "demo")
        #expect(reply.status == 400)
        #expect(reply.body["error"]?["code"] == "unsupported_content")
        #expect(reply.body["error"]?["param"] == "part[0]")
    }
}
