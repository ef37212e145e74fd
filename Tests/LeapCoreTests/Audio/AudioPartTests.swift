import Foundation
import LeapAudio
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat

@Suite(.inTurns)
struct AudioPartTests {
    @Test(
        "Audio that cannot be read is refused with what is wrong",
        arguments: [
            (Data("ID3.....".utf8), "MP3"), (Data("fLaC".utf8), "FLAC file is cut off"),
            (MadeWAV.file(channels: 0, samples: [0, 0, 0, 0]), "no channel"),
            (MadeWAV.file(tag: 2, bits: 4, samples: [0]), "format 2 with 4 bits"),
            (MadeWAV.file(samples: []).prefix(30), "cut off"),
        ])
    func errors(data: Data, expected: String) {
        let error = #expect(throws: LeapSerializationException.self) {
            try ChatMessageContent.fromWAVData(data).validate()
        }
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
        #expect(throws: LeapSerializationException.self) { try ChatMessageContent.audio(data).validate() }
    }

    @Test("Samples make an audio part, of one channel or several")
    func samples() throws {
        let samples: [Float] = [0, 0.1, -0.3, 1, -1]
        let content = ChatMessageContent.fromFloatSamples(samples, sampleRate: 16000)
        #expect(throws: Never.self) { try content.validate() }
        let stereo = ChatMessageContent.fromFloatSamples(samples, sampleRate: 16000, channelCount: 2)
        #expect(throws: Never.self) { try stereo.validate() }
    }

    @Test("A buffer collects samples into a file")
    func buffer() throws {
        let buffer = FloatAudioBuffer(sampleRate: 8000)
        buffer.add([0.1, 0.2])
        buffer.add([0.3])
        let file = try WAVFile(buffer.createWavBytes())
        #expect(file.samples == [0.1, 0.2, 0.3] && file.sampleRate == 8000)
    }

    @Test("Images are of a format that is read, and others are named")
    func images() {
        #expect(throws: Never.self) { try ChatMessageContent.image(Data([0xFF, 0xD8, 0xFF, 0xE0])).validate() }
        #expect(throws: Never.self) { try ChatMessageContent.image(url: "https://example.com/a.jpg").validate() }
        let error = #expect(throws: LeapSerializationException.self) {
            try ChatMessageContent.fromJPEGData(Data("II*\0".utf8)).validate()
        }
        #expect(error?.message.contains("the image is TIFF") == true)
        let video = #expect(throws: LeapSerializationException.self) {
            try ChatMessageContent.image(Data("\0\0\0\u{18}ftypisom\0\0\0\0".utf8)).validate()
        }
        #expect(video?.message.contains("a video (MP4)") == true)
        #expect(throws: Never.self) { try ChatMessageContent.image(Data("GIF89a".utf8)).validate() }
        #expect(ChatMessageContent.image(url: "data:image/png;base64,AQI=") == .image(Data([1, 2])))
        #expect(ChatMessageContent.fromJPEGData(Data([1])) == .image(Data([1])))
    }
}
