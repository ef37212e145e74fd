import Foundation
import LeapAudio
import LeapAudioDemoModel
import LeapCore
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

/// `/v1/audio/speech` with the demo model that speaks.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct SpeechFormatTests {
    private static func server(_ configuration: ModelPool.Configuration = .init()) throws -> Server {
        var files = ModelFiles(modelPath: try LeapAudioDemoModel.url.path)
        files.multimodalProjectorPath = try LeapAudioDemoModel.encoderURL.path
        files.audioDecoderPath = try LeapAudioDemoModel.vocoderURL.path
        let model = ServedModel(id: "voice", source: .files(files), byteCount: 1, created: 0)
        return try ServingSupport.server([model], configuration)
    }

    private static func speak(_ server: Server, _ more: String) async -> ServerReply {
        let body = #"{"model": "voice", "input": "The lamp is on.", \#(more)}"#
        return await server.reply(
            to: ServerRequest(method: "POST", path: "/v1/audio/speech", body: Array(body.utf8)))
    }

    @Test("A GPU is asked for with every audio decoder; the figures tell what came of it")
    func gpu() async throws {
        var configuration = ModelPool.Configuration()
        configuration.audioDecoderUseGpu = true
        configuration.extras.gpuDevice = TestLevel.softwareGPU
        let server = try Self.server(configuration)
        #expect(try await Self.speak(server, #""response_format": "pcm""#).collect().count > 24_000)
        let page = try await server.reply(to: ServerRequest(method: "GET", path: "/metrics")).collectText()
        let isThere = page.contains("leap_audio_decoder_gpu_info{model=\"voice\",device=\"llvmpipe")
        #expect(page.contains("leap_audio_decoder_gpu_layers{model=\"voice\"} 0\n") != isThere)
        #expect(page.contains("leap_audio_decoder_gpu_passes_total{model=\"voice\"} 0\n") != isThere)
        #expect(page.contains("leap_audio_decoder_gpu_failures_total{model=\"voice\"} 0\n"))
        #expect(page.contains("leap_gpu_layers{model=\"voice\"} 0\n") && !page.contains("leap_gpu_info"))
    }

    @Test("FLAC has the samples of PCM, whole, as it is made and in events, and is heard again")
    func flac() async throws {
        let server = try Self.server()
        let samples = try await Self.speak(server, #""response_format": "pcm""#).collect()
        #expect(samples.count > 24_000)
        let whole = await Self.speak(server, #""response_format": "flac""#)
        #expect(whole.status == 200)
        #expect(whole.headers.contains { $0 == ("content-type", "audio/flac") })
        let file = try await whole.collect()
        #expect(Data(file) == FLACEncoder.encode([PCM16.integers(Data(samples))], sampleRate: 24_000))
        let made = await Self.speak(server, #""response_format": "flac", "stream_format": "audio""#)
        #expect(made.headers.contains { $0 == ("content-type", "audio/flac") })
        let pieces = try await made.collect()
        #expect(pieces.dropFirst(42) == file.dropFirst(42) && pieces.starts(with: "fLaC".utf8))
        let events = await Self.speak(server, #""response_format": "flac", "stream_format": "sse""#)
        var sent = Data()
        for line in try await events.collectText().split(separator: "\n") where line.hasPrefix("data: {") {
            let event = try JSONParser.parse(String(line.dropFirst(6)))
            if let audio = event["audio"]?.string { sent += Data(base64Encoded: audio) ?? Data() }
        }
        #expect([UInt8](sent) == pieces)
        let heard = try await AudioRequestTests.transcribe(server, [("model", "voice")], file: Data(file))
        #expect(heard.body["text"] == "The lamp is on.", "\(heard.body)")
    }
}
