import Foundation
import LeapAudio
import LeapCore
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

/// Requests with sounds, to a tiny encoder of random weights.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct AudioRequestTests {
    /// A model that reads sound.
    static func model() -> ServedModel {
        let model = ServingSupport.fixture("vision/vision")
        let encoder = URL(fileURLWithPath: model.path).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("audio/mmproj-audio.gguf").path
        var files = ModelFiles(modelPath: model.path)
        files.multimodalProjectorPath = encoder
        return ServedModel(id: "ears", source: .files(files), byteCount: 1, created: 0)
    }

    static func wav(_ count: Int = 16_000, rate: Int = 16_000) -> Data {
        WAVFile.encode(PatternAudio.samples(count), sampleRate: rate)
    }

    /// A context in which texts of random weights end soon.
    static var short: ModelPool.Configuration {
        var configuration = ModelPool.Configuration()
        configuration.contextSize = 96
        return configuration
    }

    static func server(_ configuration: ModelPool.Configuration = short) throws -> Server {
        try ServingSupport.server([model(), ServingSupport.demo()], configuration)
    }

    // MARK: Parts of chats

    private static func body(_ sounds: [Data], model: String = "ears") -> String {
        let parts =
            sounds.map {
                #"{"type": "input_audio", "input_audio": {"data": "\#($0.base64EncodedString())", "format": "wav"}}"#
            } + [#"{"type": "text", "text": "What is said?"}"#]
        return
            #"{"model": "\#(model)", "messages": [{"role": "user", "content": [\#(parts.joined(separator: ", "))]}], "max_tokens": 4, "temperature": 0}"#
    }

    @Test("Sounds in messages are read: a second of one takes 13 tokens, at any rate")
    func chat() async throws {
        let server = try Self.server()
        var tokens: [Int] = []
        for sounds in [[], [Self.wav()], [Self.wav(48_000, rate: 48_000)], [Self.wav(), Self.wav(8000)]] {
            let reply = try await server.post("/v1/chat/completions", Self.body(sounds))
            #expect(reply.status == 200)
            tokens.append(reply.body["usage"]?["prompt_tokens"]?.integer ?? 0)
        }
        #expect(tokens.map { $0 - tokens[0] } == [0, 13, 13, 20])
        let reply = try await server.post("/api/show", #"{"model": "ears"}"#)
        #expect(reply.body["capabilities"]?.array?.contains("audio") == true)
    }

    @Test("FLAC has the tokens of the WAV file with its samples, in chats and in transcriptions, under any name")
    func flac() async throws {
        let server = try Self.server()
        let samples = PatternAudio.samples(16_000)
        let files = [
            WAVFile.encode(samples, sampleRate: 16_000, asInt16: true),
            FLACEncoder.encode(samples, sampleRate: 16_000),
        ]
        #expect(files[1].starts(with: "fLaC".utf8))
        var (chats, texts): ([JSONValue?], [JSONValue?]) = ([], [])
        for file in files {
            let chat = try await server.post("/v1/chat/completions", Self.body([file]))
            #expect(chat.status == 200, "\(chat.body)")
            chats += [chat.body["usage"]?["prompt_tokens"], chat.body["choices"]?.array?[0]["message"]?["content"]]
            let text = try await Self.transcribe(server, [], file: file)
            #expect(text.status == 200, "\(text.body)")
            texts += [text.body["text"], text.body["usage"]]
        }
        #expect(Array(chats[..<2]) == Array(chats[2...]) && Array(texts[..<2]) == Array(texts[2...]))
    }

    @Test("Speech is written as WAV, FLAC or samples, whole or as it is made")
    func speechFormats() throws {
        let samples = PatternAudio.samples(30_000)
        func request(_ more: String) throws -> AudioSpeechRequest {
            try AudioSpeechRequest([UInt8](#"{"input": "Hi", \#(more)}"#.utf8))
        }
        #expect(try request(#""response_format": "flac""#).isWhole)
        #expect(try !request(#""response_format": "flac", "stream_format": "audio""#).isWhole)
        let error = #expect(throws: APIError.self) { try request(#""response_format": "opus""#) }
        #expect(error?.message.contains("only wav, flac or pcm is written") == true)
        #expect(try request(#""language": "German", "voice": "female""#).language == "German")
        let language = #expect(throws: APIError.self) { try request(#""language": "d!""#) }
        #expect(language?.parameter == "language")
        let whole = PCM16.file(PCM16.bytes(samples), isFLAC: true)
        let expected = try AudioFile.read(whole)
        for format in SpeechWriter.Format.allCases {
            var writer = SpeechWriter()
            var bytes = Data()
            for start in stride(from: 0, to: 30_000, by: 7000) {
                bytes += writer.bytes(Array(samples[start..<min(30_000, start + 7000)]), 24_000, format)
            }
            bytes += writer.rest()
            switch format {
            case .pcm: #expect(bytes == PCM16.bytes(samples))
            case .wav: #expect(bytes == PCM16.wavHeader() + PCM16.bytes(samples))
            case .flac:
                #expect(bytes.dropFirst(42) == whole.dropFirst(42))
                #expect(try AudioFile.read(bytes).samples == expected.samples)
            }
        }
    }

    @Test("Sounds that are none, or that the model does not read, are refused with the part's name or what is wrong")
    func badChat() async throws {
        let server = try Self.server()
        for (sound, words) in [
            (Data("ID3 and more of it".utf8), "MP3"), (Data("fLaC and more of it".utf8), "FLAC file is cut off"),
            (Data("caff and more of it".utf8), "WAV, FLAC, MP3 and Ogg"),
            (MadeWAV.file(channels: 0, samples: [0, 0, 0, 0]), "no channel"),
            (MadeWAV.file(samples: []), "no samples"), (Self.wav().prefix(30), "cut off"),
            (MadeWAV.file(tag: 2, bits: 4, samples: [1, 2, 3]), "4 bits"),
        ] {
            let reply = try await server.post("/v1/chat/completions", Self.body([sound]))
            #expect(reply.status == 400)
            #expect(reply.body["error"]?["message"]?.string?.contains(words) == true, "\(reply.body)")
        }
        let deaf = try await server.post("/v1/chat/completions", Self.body([Self.wav()], model: "demo"))
        #expect(deaf.status == 400 && deaf.body["error"]?["code"] == "unsupported_content")
        #expect(deaf.body["error"]?["param"] == "messages[0].content[0]")
        let words = deaf.body["error"]?["message"]?.string ?? ""
        #expect(words.contains("loaded without a projector: whoever runs the server puts its mmproj-*.gguf next to it"))
        #expect(!words.contains("mmProjPath"), "\(words)")
    }

    @Test("A sound that the context does not hold is refused by its length")
    func longChat() async throws {
        var configuration = ModelPool.Configuration()
        configuration.contextSize = 64
        let server = try Self.server(configuration)
        // 4,000 samples of one second each.
        let sound = MadeWAV.file(rate: 1, samples: [UInt8](repeating: 77, count: 8000))
        let reply = try await server.post("/v1/chat/completions", Self.body([sound]))
        #expect(reply.status == 400 && reply.body["error"]?["code"] == "context_length_exceeded")
        #expect(reply.body["error"]?["message"]?.string?.contains("4000 seconds") == true)
        let transcription = try await Self.transcribe(server, [("model", "ears")], file: sound)
        #expect(transcription.status == 400 && transcription.body["error"]?["code"] == "context_length_exceeded")
        #expect(transcription.body["error"]?["param"] == "file")
    }

    // MARK: Transcriptions

    static func form(_ fields: [(String, String)], file: Data?) -> ServerRequest {
        var body: [UInt8] = []
        for (name, value) in fields {
            body += Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        if let file {
            body += Array("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n\r\n".utf8)
            body += Array(file) + [0x0d, 0x0a]
        }
        return ServerRequest(
            method: "POST", path: "/v1/audio/transcriptions",
            headers: ["content-type": "multipart/form-data; boundary=b"], body: body + Array("--b--\r\n".utf8))
    }

    static func transcribe(
        _ server: Server, _ fields: [(String, String)], file: Data?
    ) async throws -> WholeReply {
        try await WholeReply(server.reply(to: form(fields, file: file)))
    }

    @Test("A sound becomes a text: the same as JSON, as text, streamed, and with its length")
    func formats() async throws {
        let server = try Self.server()
        let sound = Self.wav(24_000)
        let plain = try await Self.transcribe(server, [("model", "ears")], file: sound)
        #expect(plain.status == 200)
        let text = try #require(plain.body["text"]?.string)
        #expect(!text.isEmpty)
        #expect((plain.body["usage"]?["input_tokens"]?.integer ?? 0) > 19)
        let format = { (name: String) in [("model", "ears"), ("response_format", name)] }
        let asText = try await server.reply(to: Self.form(format("text"), file: sound)).collectText()
        #expect(asText == text + "\n")
        let verbose = try await Self.transcribe(server, format("verbose_json"), file: sound)
        #expect(verbose.body["duration"]?.double == 1.5 && verbose.body["language"] == "english")
        #expect(verbose.body["text"]?.string == text)
        let reply = await server.reply(to: Self.form([("model", "ears"), ("stream", "true")], file: sound))
        let events = try await reply.collectText().components(separatedBy: "\n\n").compactMap {
            $0.hasPrefix("data: {") ? try JSONParser.parse(String($0.dropFirst(6))) : nil
        }
        let deltas = events.filter { $0["type"] == "transcript.text.delta" }.compactMap { $0["delta"]?.string }
        #expect(deltas.joined() == text && events.last?["text"]?.string == text)
        #expect(events.last?["type"] == "transcript.text.done")
    }

    @Test("Language, temperature and logprobs have an effect; what has none is named")
    func options() async throws {
        let server = try Self.server()
        let sound = Self.wav()
        var texts: [String] = []
        for fields in [[], [("language", "ja")], [("language", "en")], [("temperature", "1")]] {
            let reply = try await Self.transcribe(server, [("model", "ears")] + fields, file: sound)
            #expect(reply.status == 200)
            texts.append(reply.body["text"]?.string ?? "")
        }
        #expect(texts[0] != texts[1] && texts[0] == texts[2] && texts[0] != texts[3])
        let reply = try await Self.transcribe(
            server, [("model", "ears"), ("include[]", "logprobs"), ("prompt", "Names"), ("keywords", "x")],
            file: sound)
        let tokens = try #require(reply.body["logprobs"]?.array)
        #expect(tokens.count == reply.body["usage"]?["output_tokens"]?.integer)
        #expect(reply.headers["warning"] == #"299 open-leap "without effect: prompt, keywords""#)
    }

    @Test("Silence has no text, in every format, and silence around a sound does not change its text")
    func silence() async throws {
        let server = try Self.server()
        let (sound, rate) = (PatternAudio.samples(16_000), 16_000)
        let zeros = [Float](repeating: 0, count: 7777)
        let text = try await Self.transcribe(server, [("model", "ears")], file: Self.wav()).body["text"]?.string
        #expect(text?.isEmpty == false)
        for samples in [zeros + sound, sound + zeros, zeros + zeros + sound + zeros] {
            let reply = try await Self.transcribe(
                server, [("model", "ears"), ("response_format", "verbose_json")],
                file: WAVFile.encode(samples, sampleRate: rate))
            #expect(reply.body["text"]?.string == text)
            #expect(reply.body["duration"]?.double == Double(samples.count) / Double(rate))
        }
        var numbers = SeededGenerator(seed: 3)
        let faint = (0..<16_000).map { _ in Float.random(in: -0.001...0.001, using: &numbers) }
        for silence in [zeros, faint, [Float](repeating: 0, count: 1)] {
            let file = WAVFile.encode(silence, sampleRate: rate, asInt16: true)
            let plain = try await Self.transcribe(server, [("model", "ears")], file: file)
            #expect(plain.status == 200 && plain.body["text"] == "", "\(plain.body)")
            #expect(plain.body["usage"]?["total_tokens"]?.integer == 0)
            let asText = await server.reply(
                to: Self.form([("model", "ears"), ("response_format", "text")], file: file))
            #expect(try await asText.collectText() == "\n")
            let streamed = await server.reply(to: Self.form([("model", "ears"), ("stream", "true")], file: file))
            let events = try await streamed.collectText()
            #expect(events.contains("transcript.text.done") && !events.contains("transcript.text.delta"))
        }
    }

    @Test("What is there of a file that is cut off is heard, and said in a header; several channels are mixed down")
    func oddFiles() async throws {
        let server = try Self.server()
        let whole = try await Self.transcribe(server, [("model", "ears")], file: Self.wav())
        #expect(whole.headers["warning"] == nil)
        let cut = try await Self.transcribe(server, [("model", "ears")], file: Self.wav().dropLast(10))
        #expect(cut.status == 200 && cut.headers["warning"]?.contains("cut off") == true)
        let twice = PatternAudio.samples(16_000).flatMap { [$0, $0] }
        let stereo = try await Self.transcribe(
            server, [("model", "ears")], file: WAVFile.encode(twice, sampleRate: 16_000, channelCount: 2))
        #expect(stereo.body["text"] == whole.body["text"])
    }

    @Test(
        "A request that is not as it has to be is refused with the field's name",
        arguments: [
            ("language", "de"), ("response_format", "srt"), ("temperature", "2"), ("temperature", "warm"),
            ("stream", "maybe"), ("include[]", "words"), ("timestamp_granularities[]", "word"),
        ])
    func badFields(name: String, value: String) async throws {
        let reply = try await Self.transcribe(try Self.server(), [(name, value)], file: Self.wav())
        #expect(reply.status == 400 && reply.body["error"]?["param"]?.string == name)
        #expect(reply.body["error"]?["message"]?.string?.contains(value) == true)
    }

    @Test("A file that is missing, damaged or of another format, and a model without ears")
    func badFiles() async throws {
        let server = try Self.server()
        // Where the system's library is missing, that is said first.
        let damaged = SystemAudioLibrary.shared == nil ? "libsndfile" : "ffmpeg"
        for (file, words) in [
            (nil, "missing"), (Data("OggS and more of it".utf8), damaged), (Self.wav().prefix(30), "cut off"),
            (MadeWAV.file(samples: []), "no samples"), (Data(), "0 bytes"),
        ] as [(Data?, String)] {
            let reply = try await Self.transcribe(server, [], file: file)
            #expect(reply.status == 400 && reply.body["error"]?["param"] == "file")
            #expect(reply.body["error"]?["message"]?.string?.contains(words) == true, "\(reply.body)")
        }
        let deaf = try await Self.transcribe(server, [("model", "demo")], file: Self.wav())
        #expect(deaf.status == 400 && deaf.body["error"]?["code"] == "unsupported_content")
        let unknown = try await Self.transcribe(server, [("model", "nobody")], file: Self.wav())
        #expect(unknown.status == 404)
        let json = try await server.post("/v1/audio/transcriptions", "{}")
        #expect(json.status == 415)
    }

    @Test("A translation is refused by the name of the model, and a form that is none before that")
    func translations() async throws {
        let server = try Self.server()
        var request = Self.form([("model", "ears")], file: Self.wav())
        request.path = "/v1/audio/translations"
        let refused = try await WholeReply(server.reply(to: request))
        #expect(refused.status == 400 && refused.body["error"]?["code"] == "unsupported_task", "\(refused.body)")
        #expect(refused.body["error"]?["message"]?.string?.contains("'ears'") == true)
        #expect(refused.body["error"]?["param"] == "model")
        request = Self.form([("model", "nobody")], file: Self.wav())
        request.path = "/v1/audio/translations"
        #expect(try await WholeReply(server.reply(to: request)).status == 404)
        request = Self.form([("model", "ears")], file: nil)
        request.path = "/v1/audio/translations"
        #expect(try await WholeReply(server.reply(to: request)).body["error"]?["param"] == "file")
    }
}
