import Foundation
import LeapBase
import LeapTestSupport
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The results of liquid-audio and transformers for the decoder that ``MadeVocoder`` writes; its language model is that
/// of the pictures.
struct SpeechFixture: Decodable {
    /// A greedy reply.
    struct Reply: Decodable {
        let order: String
        let prompt: [TokenID]
        let start: TokenID
        let textEnd: TokenID
        let items: [Item]

        var speechOrder: SpeechOrder { order == "sequential" ? .sequential : .interleaved }

        var request: GenerationRequest {
            var request = GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: items.count)
            request.speech = SpeechRequest(order: speechOrder, sampling: .greedy, start: start, textEnd: textEnd)
            return request
        }
    }

    /// A token, or a frame.
    enum Item: Decodable, Equatable {
        case token(TokenID)
        case frame([UInt16])

        init(from decoder: any Swift.Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let token = try? container.decode(TokenID.self) {
                self = .token(token)
            } else {
                self = .frame(try container.decode([UInt16].self))
            }
        }
    }

    let hidden: [Float]
    let codes: [UInt16]
    let logits: [[Float]]
    let feedback: [Float]
    let frames: [[UInt16]]
    let rows: [Int]
    let spectra: [Float]
    let step: Int
    let wave: [Float]
    let replies: [Reply]

    static func load() throws -> SpeechFixture {
        try JSONDecoder().decode(
            SpeechFixture.self, from: Data(contentsOf: Fixture.folder.appendingPathComponent("speech.json")))
    }

    private static let shared = Result {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("vocoder-\(UUID().uuidString).gguf")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try MadeVocoder().write(to: path)
        return try SpeechDecoder.load(path: path)
    }

    /// The decoder; its file is mapped and gone.
    static func decoder() throws -> SpeechDecoder { try shared.get() }

    static func pass(threads: Int = 1) throws -> SpeechPass {
        SpeechPass(try decoder(), kernels: try Kernels(threads: threads), memory: MemoryPool())
    }

    static func engine(_ change: (inout EngineOptions) -> Void = { _ in }) throws -> Engine {
        var options = EngineOptions()
        options.threads = 2
        change(&options)
        return try Engine(model: try VisionFixture.model(), speech: try decoder(), options: options)
    }

    /// The output of a generation.
    struct Output {
        var items: [Item] = []
        /// The numbers that stand for the items in sequences.
        var places: [TokenID] = []
        var samples: [Float] = []
        var longestPiece = 0
        var result: GenerationResult?
    }

    /// Generates in a session of its own.
    static func generate(_ request: GenerationRequest, by engine: Engine) async throws -> Output {
        defer { withExtendedLifetime(engine) {} }
        return try await generate(request, in: engine.makeSession())
    }

    static func generate(_ request: GenerationRequest, in session: Session) async throws -> Output {
        var output = Output()
        for await event in session.events(request) {
            switch event {
            case .prefill: break
            case .token(let token):
                output.items.append(.token(token))
                output.places.append(token)
            case .speech(let piece):
                if let frame = piece.frame {
                    output.items.append(.frame(frame.codes))
                    output.places.append(piece.place)
                }
                output.samples += piece.samples
                output.longestPiece = max(output.longestPiece, piece.samples.count)
            case .finished(let result):
                if case .failed(let error) = result.reason { throw error }
                output.result = result
            }
        }
        return output
    }
}

/// The largest difference.
func distance(_ a: some Collection<Float>, _ b: some Collection<Float>) -> Float {
    a.count == b.count ? zip(a, b).map { abs($0 - $1) }.max() ?? 0 : .infinity
}
