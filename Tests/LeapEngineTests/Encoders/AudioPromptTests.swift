import LeapBase
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

@Suite(.inTurns)
struct AudioPromptTests {
    /// A prompt with a sound in it, and how often its spectrum was asked for.
    private static func prompt(_ samples: Int, ending: String = "") -> (request: GenerationRequest, reads: Locked<Int>)
    {
        let spectrum = AudioFixture.spectrum(samples)
        let reads = Locked(0)
        let start: [TokenID] = [257, 258] + "user\n".utf8.map { TokenID($0) }
        let places = (0..<spectrum.vectorCount).map { TokenID(-samples * 1000 - $0) }
        let end: [TokenID] = [259, 10, 258] + ("assistant\n" + ending).utf8.map { TokenID($0) }
        var request = GenerationRequest(prompt: start + places + end, sampling: .greedy, maxTokens: 8)
        request.media = [
            MediaInput(positions: start.count..<start.count + places.count, medium: .audio) {
                reads.withLock { $0 += 1 }
                return .audio(spectrum)
            }
        ]
        return (request, reads)
    }

    private static func generate(_ request: GenerationRequest, _ engine: Engine) async throws -> [TokenID] {
        var tokens: [TokenID] = []
        for await event in engine.makeSession().events(request) {
            switch event {
            case .token(let token): tokens.append(token)
            case .finished(let result):
                if case .failed(let error) = result.reason { throw error }
                return tokens
            case .prefill, .speech: break
            }
        }
        throw EngineError(.cancelled, "no end")
    }

    private static func engine(_ encoder: (any MediaEncoder)?) throws -> Engine {
        var options = EngineOptions()
        options.threads = 2
        return try Engine(model: try VisionFixture.model(), encoder: encoder, options: options)
    }

    @Test("A sound is encoded once, a longer prompt goes on behind it, and other sounds are others")
    func splices() async throws {
        let engine = try Self.engine(try AudioFixture.encoder())
        let (first, reads) = Self.prompt(16_123)
        let reply = try await Self.generate(first, engine)
        #expect(reads.withLock { $0 } == 1)
        let (longer, again) = Self.prompt(16_123, ending: "well")
        let second = try await Self.generate(longer, engine)
        #expect(again.withLock { $0 } == 0)
        // The same replies where nothing is kept.
        #expect(
            try await Self.generate(Self.prompt(16_123).request, try Self.engine(try AudioFixture.encoder())) == reply)
        let fresh = try await Self.generate(
            Self.prompt(16_123, ending: "well").request, try Self.engine(try AudioFixture.encoder()))
        #expect(fresh == second)
        let (other, otherReads) = Self.prompt(20_000)
        _ = try await Self.generate(other, engine)
        #expect(otherReads.withLock { $0 } == 1)
    }

    @Test("Sound is refused without an encoder, by one of pictures, and with other places than vectors")
    func refused() async throws {
        for encoder in [nil, try VisionFixture.encoder()] as [(any MediaEncoder)?] {
            let error = await #expect(throws: EngineError.self) {
                try await Self.generate(Self.prompt(1600).request, try Self.engine(encoder))
            }
            #expect(error?.code == .unsupportedTask)
            #expect(error?.message.contains("sound") == true)
        }
        var request = Self.prompt(1600).request
        let longer = AudioFixture.spectrum(16_123)
        request.media[0].content = { .audio(longer) }
        let error = await #expect(throws: EngineError.self) {
            try await Self.generate(request, try Self.engine(try AudioFixture.encoder()))
        }
        #expect(error?.field == "media")
    }
}
