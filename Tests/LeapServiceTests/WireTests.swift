import Foundation
import LeapCompute
import LeapCore
import LeapEngine
import LeapModel
import LeapTestSupport
import LeapTransfers
import Testing

@testable import LeapService

struct WireTests {
    @Test("Frames are found in bytes however these arrive, and none is longer than it may be")
    func frames() throws {
        let frames = [
            WireFrame(.message, Array("{}".utf8)), WireFrame(.step, []),
            WireFrame(.message, [UInt8](repeating: 7, count: 300)),
        ]
        let bytes = frames.flatMap(\.bytes)
        for size in [1, 3, 7, bytes.count] {
            var reader = FrameReader(limit: 300)
            var found: [WireFrame] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.append(bytes[start..<min(start + size, bytes.count)])
                while let frame = try reader.next() { found.append(frame) }
            }
            #expect(found == frames)
        }
        var short = FrameReader(limit: 299)
        short.append(frames[2].bytes.prefix(5))
        #expect(throws: FrameError.tooLong(300, limit: 299)) { try short.next() }
        var unknown = FrameReader(limit: 10)
        unknown.append([0, 0, 0, 0, 5])
        #expect(throws: FrameError.unknownKind(5)) { try unknown.next() }
        // What has a fixed length is no longer than that, whatever else may come.
        for (kind, limit) in [(WireFrame.Kind.step, 36), (.speech, 7748)] {
            var reader = FrameReader(limit: ServiceProtocol.replyLimit)
            reader.append(WireFrame(kind, [UInt8](repeating: 0, count: limit + 1)).bytes.prefix(5))
            #expect(throws: FrameError.tooLong(limit + 1, limit: limit)) { try reader.next() }
        }
    }

    @Test("Pictures have a limit of their own, which is nothing before both sides know each other")
    func pictures() throws {
        let frame = ImageFrame(generation: 0xFFFF_FFFE, file: Data([1, 2, 3])).frame
        #expect(ImageFrame(frame.payload)?.file == Data([1, 2, 3]))
        #expect(ImageFrame(frame.payload)?.generation == 0xFFFF_FFFE)
        #expect(ImageFrame([1, 2, 3, 4]) == nil)
        var reader = FrameReader(limit: 300)
        reader.append(frame.bytes)
        #expect(throws: FrameError.tooLong(7, limit: 0)) { try reader.next() }
        reader.imageLimit = 7
        #expect(try reader.next() == frame)
    }

    @Test("Steps survive the way")
    func steps() throws {
        for event in [GenerationStep.Event.token(-3), .token(.max), .prefill(done: 64, total: 4096)] {
            let step = GenerationStep(generation: 0xFFFF_FFFE, event: event, progress: [1, 2, 3, 4, 5])
            #expect(GenerationStep(step.frame.payload) == step)
        }
        #expect(GenerationStep([]) == nil)
        #expect(GenerationStep([UInt8](repeating: 0xFF, count: 36)) == nil)
    }

    @Test("What is read of texts survives the way, both there and back")
    func readings() throws {
        func sent(_ request: ScoringRequest) throws -> ScoringRequest? {
            let data = try JSONEncoder().encode(ReadRequest.Text(request))
            return try JSONDecoder().decode(ReadRequest.Text.self, from: data).request
        }
        for words in [nil, [3, 70_000]] as [[Int32]?] {
            let found = try #require(
                try sent(ScoringRequest(tokens: [1, 2, 3], purpose: .scores(of: words), secondText: 2)))
            guard case .scores(words) = found.purpose else {
                Issue.record("another purpose: \(found.purpose)")
                continue
            }
            #expect(found.tokens == [1, 2, 3] && found.secondText == 2)
        }
        let vectors = try #require(try sent(ScoringRequest(tokens: [1], purpose: .vectors(.cls, isNormalized: false))))
        guard case .vectors(.cls, false) = vectors.purpose else {
            Issue.record("another purpose: \(vectors.purpose)")
            return
        }
        #expect(vectors.secondText == nil)
        let words = ScoringRequest(tokens: [1, 4, 4], purpose: .maskedWords(at: [1, 2], count: 7))
        guard case .maskedWords(at: [1, 2], count: 7)? = try sent(words)?.purpose else {
            Issue.record("other masks")
            return
        }
        let data = try JSONEncoder().encode(WireScoring(.scores([0.1, -3])))
        guard case .scores([0.1, -3])? = try JSONDecoder().decode(WireScoring.self, from: data).reading else {
            Issue.record("other scores")
            return
        }
        let method = RankingMethod(template: "{query} {document}", words: [1, 2], relevant: 0, irrelevant: 1)
        #expect(try JSONDecoder().decode(RankingMethod.self, from: JSONEncoder().encode(method)) == method)
        #expect(method.logit(of: [1, 3]) == -2 && method.logit(of: [1]) == nil)
        #expect(RankingMethod(relevant: -1).logit(of: [1]) == nil)
    }

    @Test("Speech survives the way, bit for bit, and what is no speech is not read")
    func speech() throws {
        let frame = try #require(SpeechFrame(codes: [0, 1, 2, 3, 4, 5, 6, 2047]))
        let samples = (0..<1920).map { Float($0) / 7 - 100 }
        let pieces = [
            SpeechPiece(frame: frame, place: -7, samples: samples),
            SpeechPiece(frame: SpeechForm.lfm2Audio.end, place: .min, samples: []),
            SpeechPiece(frame: nil, place: 0, samples: [-0.0, .leastNonzeroMagnitude, 1]),
            SpeechPiece(frame: SpeechFrame(codes: Array(2004...2015)), place: -9, samples: samples),
            SpeechPiece(frame: SpeechForm.lfm3Audio.end, place: -10, samples: []),
        ]
        for piece in pieces {
            let step = SpeechStep(generation: 0xFFFF_FFFE, piece: piece, progress: [1, 2, 3, 4, .max])
            let read = try #require(SpeechStep(step.frame.payload))
            #expect(read.generation == step.generation && read.progress == step.progress)
            #expect(read.piece.frame == piece.frame && read.piece.place == piece.place)
            #expect(read.piece.samples.map(\.bitPattern) == piece.samples.map(\.bitPattern))
            #expect(SpeechStep(Array(step.frame.payload.dropLast())) == nil)
        }
        // A frame without its number, a number without a frame, codes that are none, and a sample that is no number.
        let damages: [(piece: Int, place: Int, bytes: [UInt8])] = [
            (0, 4, [1, 0, 0, 0]), (2, 4, [0, 0, 0, 0x80]), (0, 28, [0xFF, 0x0F]), (1, 28, [0, 0]), (2, 28, [0, 0]),
            (0, 44, [0, 0, 0x80, 0x7F]), (3, 30, [8, 0]), (3, 32, [1, 0]), (3, 44, [0xE1, 0x07]),
        ]
        for (piece, place, bytes) in damages {
            var payload = SpeechStep(generation: 1, piece: pieces[piece], progress: []).frame.payload
            payload.replaceSubrange(place..<place + bytes.count, with: bytes)
            #expect(SpeechStep(payload) == nil)
        }
        #expect(SpeechStep([]) == nil)
        let long = SpeechPiece(frame: frame, place: -7, samples: samples + [0])
        #expect(SpeechStep(SpeechStep(generation: 1, piece: long, progress: []).frame.payload) == nil)
        var numbers = SeededGenerator(seed: 17)
        let valid = [pieces[2], pieces[4]].map { SpeechStep(generation: 1, piece: $0, progress: []).frame.payload }
        for index in 0..<20_000 {
            var bytes = valid[index % 2]
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                bytes[.random(in: bytes.indices, using: &numbers)] = .random(in: 0...255, using: &numbers)
            }
            if let read = SpeechStep(bytes) { #expect(read.frame.payload == bytes) }
        }
    }

    @Test("Numbers survive the way, bit for bit")
    func numbers() throws {
        let floats: [Float] = [0, -0.0, .infinity, -.leastNonzeroMagnitude, .pi]
        #expect(Packed.floats(Packed.data(floats))?.map(\.bitPattern) == floats.map(\.bitPattern))
        #expect(Packed.integers(Packed.data([1, -1, .min] as [Int32])) == [1, -1, .min])
        #expect(Packed.integers(Data([1, 2, 3])) == nil)
        var values: SamplingValues = [.temperature: Double(Float(0.7)), .topP: 0.1 + 0.2, .topK: 40]
        values.seed = .max
        #expect(try JSONDecoder().decode(SamplingValues.self, from: JSONEncoder().encode(values)) == values)
    }

    @Test("Further options arrive as they left, each of them")
    func extras() throws {
        let text = #"""
            {"toolChoice": {"name": "dim"}, "parallelToolCalls": false, "contextOverflow": "trimOldestTurns", "stop": ["a", "b"],
             "chatTemplateArguments": {"effort": "low", "deep": {"list": [1, 2.5, null, true]}}, "regex": "a+", "grammar": "root ::= \"a\"",
             "relaxedKeywords": ["format"], "whitespace": "none", "openObjects": true, "jumpForward": false, "speculation": "lookup",
             "adapters": ["x", {"name": "y", "scale": 0.5}], "logprobs": true, "topLogprobs": 3, "minTokens": 4, "ignoreEos": true,
             "logitBias": [[17, -2.5], ["word", 3], [18, false]], "audioOrder": "interleaved", "audioTemperature": 0.7, "audioTopK": 9,
             "frequencyPenalty": 0.25}
            """#
        let (extras, unknown) = try GenerationExtras.parse(text)
        #expect(unknown.isEmpty)
        let arrived = try JSONDecoder().decode(GenerationExtras.self, from: JSONEncoder().encode(extras))
        #expect(arrived == extras && arrived != GenerationExtras())
    }

    @Test("A bias that is none does not arrive", arguments: [Float.nan, .infinity, 101])
    func bias(_ number: Float) {
        let entry = #"[{"key": {"token": {"_0": 1}}, "bits": \#(number.bitPattern)}]"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(LogitBias.self, from: Data(entry.utf8)) }
        let good = #"[{"key": {"token": {"_0": 1}}, "bits": \#(Float(2).bitPattern)}]"#
        #expect((try? JSONDecoder().decode(LogitBias.self, from: Data(good.utf8))) != nil)
    }

    @Test("Errors arrive as the types they left as")
    func errors() throws {
        let errors: [any Error] = [
            EngineError(.queueFull, "full", field: "f", needed: 3, available: 2),
            LeapServiceException.sessionLimit(3),
            LeapModelLoadingException(message: "m", path: "/p", cause: DownloadError(.stalled, "slow")),
            LeapGenerationPromptExceedContextLengthException(neededTokens: 5, availableTokens: 4),
            LeapGenerationTokenBudgetException(neededTokens: 5, availableTokens: 4, limit: .maxTokens(4)),
            LeapGenerationTokenBudgetException(neededTokens: 5, availableTokens: 4, limit: .contextSize(4)),
            LeapGeneratableSchematizationException(message: "s", pointer: "/a"),
            LeapGenerationMemoryException(message: "memory", neededBytes: 1, availableBytes: nil),
            LeapGenerationQueueFullException(message: "queue"), LeapGenerationException("g"), CancellationError(),
        ]
        for error in errors {
            let bytes = try JSONEncoder().encode(WireError(error))
            let arrived = try JSONDecoder().decode(WireError.self, from: bytes).error
            #expect(type(of: arrived) == type(of: error))
            #expect("\(arrived)" == "\(error)")
        }
        let loading = WireError(errors[2]).error as? LeapModelLoadingException
        #expect(loading?.path == "/p")
        #expect((loading?.cause as? DownloadError)?.code == .stalled)
        #expect((WireError(errors[0]).error as? EngineError) == errors[0] as? EngineError)
    }

    @Test("Calls are enforced in the syntax that the app reads, in every form of every style")
    func callSyntax() {
        let parsers: [any LeapFunctionCallParserProtocol] =
            CallStyles.all.map { $0.init() } + [
                MistralFunctionCallParser(namesBeforeArguments: true),
                MistralFunctionCallParser(namesBeforeArguments: false),
                LeapFunctionCallParser(toolCallStartToken: "<a>", toolCallEndToken: "</a>"),
            ] + [GraniteFunctionCallParser.found(in: "<tool_call>")].compactMap { $0 }
        let call = LeapFunctionCall(name: "dim", arguments: ["level": 3])
        for parser in parsers {
            let arrived = CallSyntaxDescription(parser).parser
            #expect(type(of: arrived) == type(of: parser))
            #expect(arrived.dump([call]) == parser.dump([call]))
            #expect(CallMarks(arrived) == CallMarks(parser))
        }
    }

    @Test("A model whose frames have a number of codes that is not known does not speak")
    func speechForms() {
        func form(speech: String? = "decoder", codebooks: Int?) -> SpeechForm? {
            LoadedModel(
                files: ModelFiles(modelPath: "m.gguf"), byteCount: 0, modified: 0, contextSize: 16,
                generatesText: true, pooling: nil, ranking: nil, sampling: [:], adapters: [], pictures: nil,
                sounds: nil, speech: speech, speechCodebooks: codebooks, statistics: ModelStatistics()
            ).speechForm
        }
        #expect(form(codebooks: 8) == .lfm2Audio && form(codebooks: 12) == .lfm3Audio)
        // Of a service before there were two forms.
        #expect(form(codebooks: nil) == .lfm2Audio)
        #expect(form(codebooks: 9) == nil && form(codebooks: -1) == nil)
        #expect(form(speech: nil, codebooks: 8) == nil)
    }

    @Test("Paths of loading options are absolute when they leave the process")
    func paths() throws {
        let here = FileManager.default.currentDirectoryPath
        let options = try LiquidInferenceEngineManifestOptions(
            mmProjPath: "m.gguf", audioDecoderPath: "/a.gguf",
            extras:
                #"{"adapters": ["x.gguf", {"path": "y.gguf", "scale": 2}, {"path": "/z.gguf", "name": "z"}], "speculation": {"mode": "draft", "draftModel": "d.gguf"}, "kv_cache_type": "q8_0", "ropeScaling": {"type": "yarn", "factor": 2}, "minImageTokens": 70}"#
        ).options.withAbsolutePaths()
        let arrived = try JSONDecoder().decode(LoadOptions.self, from: JSONEncoder().encode(options))
        #expect(arrived == options)
        #expect(arrived.mmProjPath == here + "/m.gguf")
        #expect(arrived.audioDecoderPath == "/a.gguf")
        let extras = try arrived.readExtras()
        #expect(extras.adapters.map(\.path) == [here + "/x.gguf", here + "/y.gguf", "/z.gguf"])
        #expect(extras.adapters.map(\.scale) == [1, 2, 1])
        #expect(extras.speculation.draftModel == here + "/d.gguf" && extras.speculation.mode == .draft)
        #expect(extras.keyValueType == .q8_0 && extras.ropeScaling?.factor == 2 && extras.pictures.minTokens == 70)
        let broken = LiquidInferenceEngineManifestOptions(extras: "{").options
        #expect(throws: LeapModelLoadingException.self) { try broken.withAbsolutePaths() }
    }
}
