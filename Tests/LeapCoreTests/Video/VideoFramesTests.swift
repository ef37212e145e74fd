import Foundation
import LeapJSON
import LeapVision
import Testing

@testable import LeapChat

/// The frames of videos in messages.
struct VideoFramesTests {
    private static let picture = Data(PNGFile.pattern(width: 4, height: 4))

    private static func frames(_ times: [Double]) -> [VideoFrames.Frame] {
        times.map { VideoFrames.Frame(time: $0, data: picture) }
    }

    private static func error(_ body: () throws -> Void) -> String {
        let error = #expect(throws: LeapSerializationException.self, performing: body)
        return error?.message ?? ""
    }

    @Test("Lists that are empty or too long, times that do not rise, and too many bytes are refused by what they are")
    func refused() throws {
        #expect(Self.error { _ = try VideoFrames([]) }.contains("no frames"))
        let many = (0...VideoFrames.maxCount).map { Double($0) }
        #expect(Self.error { _ = try VideoFrames(Self.frames(many)) }.contains("769 frames; at most 768"))
        #expect(try VideoFrames(Self.frames(many.dropLast())).frames.count == 768)
        for times in [[1, 1], [2, 1], [0, 0.5, 0.25]] {
            let message = Self.error { _ = try VideoFrames(Self.frames(times)) }
            #expect(message.contains("frame \(times.count - 1)") && message.contains("must rise"))
        }
        for time in [-1, .nan, .infinity, 1e12] {
            #expect(Self.error { _ = try VideoFrames(Self.frames([time])) }.contains("frame 0"))
        }
        let large = Data(count: VideoFrames.maxByteCount / 2 + 1)
        #expect(Self.error { _ = try VideoFrames(pictures: [large, large]) }.contains("bytes; at most 67000000"))
        for rate in [0, -1, .nan, 1001] {
            #expect(
                Self.error { _ = try VideoFrames(pictures: [Self.picture], framesPerSecond: rate) }
                    .contains("frames per second"))
        }
    }

    @Test("Pictures have equal distances, half a second where nothing is said")
    func times() throws {
        let pictures = [Data](repeating: Self.picture, count: 3)
        #expect(try VideoFrames(pictures: pictures).frames.map(\.time) == [0, 0.5, 1])
        #expect(try VideoFrames(pictures: pictures, framesPerSecond: 0.5).frames.map(\.time) == [0, 2, 4])
    }

    @Test("Frames of other formats are refused by their numbers")
    func formats() throws {
        for (data, words) in [
            (Data("no picture".utf8), "not a JPEG"), (Data("%PDF-1.7".utf8), "PDF"),
            (Data("https://example.org/a.png".utf8), "an address"),
        ] {
            let content = ChatMessageContent.video(try VideoFrames(pictures: [Self.picture, data]))
            let message = Self.error { try content.validate() }
            #expect(message.contains("frame 1 of the video") && message.contains(words), "\(message)")
        }
        try ChatMessageContent.video(try VideoFrames(pictures: [Self.picture])).validate()
    }

    @Test("A video is the same behind JSON, Codable and its file; damaged files are refused")
    func formsOfIt() throws {
        let video = try VideoFrames([
            .init(time: 0.25, data: Self.picture), .init(time: 7.5, data: Data(PNGFile.pattern(width: 2, height: 4))),
        ])
        let content = ChatMessageContent.video(video)
        let message = ChatMessage(role: .user, content: [content, .text("What?")])
        #expect(try ChatMessage.messages(fromJSON: JSONWriter.string(.array([message.json]))) == [message])
        let coded = try JSONEncoder().encode(content)
        #expect(try JSONDecoder().decode(ChatMessageContent.self, from: coded) == content)
        #expect(content.json["type"] == "video" && content.json["frames"]?.array?[1]["time"]?.double == 7.5)
        #expect(
            content.json["frames"]?.array?[0]["image_url"]?["url"]?.string?.hasPrefix("data:image/png;base64,") == true)
        let file = video.file
        #expect(try VideoFrames(file: file) == video)
        for length in Array(file.indices).dropLast(1) where length < 64 || length % 16 == 0 {
            #expect(throws: LeapSerializationException.self) { try VideoFrames(file: file.prefix(length)) }
        }
        for place in 8..<48 {
            var damaged = file
            damaged[place] = 0xFF
            _ = try? VideoFrames(file: damaged)
        }
        #expect(throws: LeapSerializationException.self) { try VideoFrames(file: file + Data([0])) }
        // Apps of LEAP switch over three cases: a video is its first frame there.
        #expect(onEnum(of: content) == .image(.init(data: video.frames[0].data)))
    }

    private static func read(_ json: String) throws -> VideoFrames {
        let content = try ChatMessageContent(json: try JSONParser.parse(json), place: "part")
        guard case .video(let video) = content else { throw LeapSerializationException("no video") }
        return video
    }

    @Test("video_url takes JPEG files in Base64 with commas between them, and animations; fps tells their distance")
    func addresses() throws {
        let encoded = Self.picture.base64EncodedString()
        let list = "data:video/jpeg;base64,\(encoded),\(encoded),\(encoded)"
        let video = try Self.read(#"{"type": "video_url", "video_url": {"url": "\#(list)", "fps": 4}}"#)
        #expect(video.frames.map(\.time) == [0, 0.25, 0.5] && video.frames.allSatisfy { $0.data == Self.picture })
        #expect(try Self.read(#"{"type": "video_url", "video_url": "\#(list)"}"#).frames.map(\.time) == [0, 0.5, 1])
        // Two images, white and black, of half a second and 0.3 seconds.
        let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0]
        func image(_ hundredths: UInt8, _ pixels: [UInt8]) -> [UInt8] {
            [0x21, 0xF9, 4, 0, hundredths, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2] + pixels + [0]
        }
        // Codes of three bits: clear, the colour, the end.
        let gif = Data(head + image(50, [0x44, 0x01]) + image(30, [0x4C, 0x01]) + [0x3B])
        let animation = try Self.read(
            #"{"type": "video_url", "video_url": {"url": "data:image/gif;base64,\#(gif.base64EncodedString())", "fps": 5}}"#
        )
        #expect(animation.frames.count == 4)
        let colours = try animation.frames.map { try RGBImage(file: [UInt8]($0.data)).bytes[0] }
        #expect(colours == [255, 255, 255, 0])
        #expect(try VideoFrames(gif: gif).frames.map(\.time) == [0, 0.5])
        #expect(throws: LeapSerializationException.self) { try VideoFrames(gif: Self.picture) }
        #expect(throws: LeapSerializationException.self) { try VideoFrames(gif: gif, framesPerSecond: 0) }
    }

    @Test(
        "Parts that are no videos are refused by the member at fault",
        arguments: [
            (#"{"type": "video"}"#, "frames of part is missing"),
            (#"{"type": "video", "frames": []}"#, "no frames"),
            (
                #"{"type": "video", "frames": [{"image_url": {"url": "data:image/png;base64,AA=="}}]}"#,
                "time of frames[0]"
            ),
            (#"{"type": "video", "frames": [{"time": 0, "image_url": {"url": "https://x/a.png"}}]}"#, "of frames[0]"),
            (#"{"type": "video_url"}"#, "video_url.url of part is missing"),
            (#"{"type": "video_url", "video_url": {"url": "https://example.org/a.mp4"}}"#, "not fetched"),
            (#"{"type": "video_url", "video_url": {"url": "data:video/jpeg;base64,AA==,*"}}"#, "frame 1"),
            (#"{"type": "video_url", "video_url": {"url": "data:video/jpeg;base64,AA==", "fps": "2"}}"#, "fps of part"),
            (
                #"{"type": "video_url", "video_url": {"url": "data:video/mp4;base64,AAAAGGZ0eXBtcDQyAAAAAG1wNDI="}}"#,
                "is MP4"
            ),
        ])
    func refusedParts(json: String, words: String) {
        let message = Self.error { _ = try Self.read(json) }
        #expect(message.contains(words), "\(message)")
    }
}
