import Foundation
import LeapBase
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Scores of options with vectors of pictures or sounds in front of the text, against numpy in double precision.
@Suite(.inTurns)
struct MediaScoreTests {
    private struct Reference: Decodable {
        struct Case: Decodable {
            /// Vectors in front of the tokens, and the number of their values.
            let media: Int
            let pattern: Int
            let tokens: [TokenID]
            let masks: [Int]
            let type: Int
            let scores: [Double]
        }

        let cases: [Case]
    }

    private final class Vectors: InputVectors {
        private let values: UnsafeMutableBufferPointer<Float>

        init(_ floats: [Float]) {
            values = .allocate(capacity: floats.count)
            _ = values.initialize(from: floats)
        }

        deinit { values.deallocate() }

        func vector(at position: Int) -> UnsafePointer<Float> {
            UnsafePointer(values.baseAddress.unsafelyUnwrapped) + position * DecisionProjector.width
        }
    }

    private static let fixtures = EmbeddingFixture.folder.deletingLastPathComponent()

    private static func cases() throws -> [Reference.Case] {
        let path = fixtures.appendingPathComponent("decisions.json")
        // Cases of other kinds have no vectors.
        struct Media: Decodable {
            let media: Reference

            enum CodingKeys: String, CodingKey { case media = "lfm2-d1-omni media" }
        }
        return try JSONDecoder().decode(Media.self, from: Data(contentsOf: path)).media.cases
    }

    private static func model() throws -> Model {
        let url = try MaskDecisionFile("lfm2-d1-omni").write(from: EmbeddingFixture.folder)
        defer { try? FileManager.default.removeItem(at: url) }
        return try Model.load(path: url.path)
    }

    /// The scores of prompts that are computed in one batch.
    ///
    /// - Parameter keepsMedia: whether the vectors are in front of the tokens.
    private static func scores(
        _ cases: [Reference.Case], _ model: Model, threads: Int, keepsMedia: Bool = true
    ) throws -> [[Float]] {
        let executor = CPUExecutor(
            model: model, layout: CacheLayout(model: model, keyValueType: .f32),
            kernels: try Kernels(threads: threads), contextSize: 512)
        let segments = cases.map { sample in
            let count = keepsMedia ? sample.media : 0
            let places = (0..<count).map { -1 - TokenID($0) }
            let vectors = Vectors(
                MadeVocoder.values(sample.pattern, count: sample.media * DecisionProjector.width, scale: 0.5))
            var segment = BatchSegment(
                sequence: executor.makeSequence(limit: 512), tokens: (places + sample.tokens)[...], wanted: .all,
                output: .hidden, vectors: vectors)
            (segment.mediaCount, segment.questionType) = (count, sample.type)
            return segment
        }
        let outputs = try #require(try executor.run(segments))
        let vectors = zip(cases, zip(segments, outputs)).map { sample, output in
            sample.masks.map { mask in
                let row = output.1.row(output.0.mediaCount + mask)
                return Array(UnsafeBufferPointer(start: row, count: output.1.length))
            }
        }
        return try vectors.map { try #require(try executor.optionScores($0)) }
    }

    @Test("Scores are the reference's, with the same bits alone and in any company")
    func reference() throws {
        let (cases, model) = (try Self.cases(), try Self.model())
        var alone: [[Float]] = []
        for sample in cases { alone += try Self.scores([sample], model, threads: 1) }
        var worst = 0.0
        for (found, sample) in zip(alone, cases) {
            #expect(found.count == sample.scores.count)
            for (score, exact) in zip(found, sample.scores) { worst = max(worst, abs(Double(score) - exact)) }
        }
        print("largest difference of scores with media: \(worst)")
        #expect(worst <= 1e-5 && cases.count == 4)
        #expect(try Self.scores(cases + cases.reversed(), model, threads: 3) == alone + alone.reversed())
        let plain = try Self.scores(cases, model, threads: 1, keepsMedia: false)
        #expect(zip(plain, alone).allSatisfy { $0 != $1 })
    }

    @Test("Media that do not stand in front of a text with options are refused")
    func refused() async throws {
        var options = EngineOptions()
        options.threads = 1
        let engine = try Engine(model: try Self.model(), options: options)
        func error(
            _ tokens: [TokenID], _ positions: [Range<Int>], _ purpose: ScoringRequest.Purpose
        ) async -> EngineError? {
            var request = ScoringRequest(tokens: tokens, purpose: purpose)
            request.media = positions.map { range in
                MediaInput(positions: range, medium: .image) { .speech([]) }
            }
            let asked = [request]
            return await #expect(throws: EngineError.self) { try await engine.score(asked) }
        }
        for (tokens, positions) in [
            ([-1, 3, 5], [1..<2]), ([-1, 3, 5], [0..<2]), ([-1, -2, 5], [0..<3]), ([-1, -2, 3], [0..<1, 2..<3]),
        ] as [([TokenID], [Range<Int>])] {
            let found = await error(tokens, positions, .options(at: [2], type: 0))
            #expect(found?.code == .invalidOption && found?.field == "media")
        }
        // A mask in the place of a vector.
        #expect(await error([-1, 3, 5], [0..<1], .options(at: [0], type: 0))?.field == "options")
        let labels = await error([-1, 3, 5], [0..<1], .labels([5], branch: 0, isNormalized: false))
        #expect(labels?.code == .unsupportedTask)
        // The engine has no encoder.
        #expect(await error([-1, 3, 5], [0..<1], .options(at: [1], type: 0)) != nil)
    }

    @Test("Sound goes through the block behind the products; a file without it is refused by its names")
    func residual() throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("mmproj-\(UUID().uuidString).gguf").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        func vectors(_ kind: String) throws -> [Float] {
            try DecisionProjector.write(to: path, fixtures: Self.fixtures, soundKind: kind)
            let encoder = try #require(try MediaEncoders.open(try GGUFFile.open(path: path))[.audio] as? AudioEncoder)
            #expect(encoder.outputLength == DecisionProjector.width)
            #expect((encoder.adapter.residual != nil) == (kind != "lfm2a"))
            let pass = AudioPass(encoder, kernels: try Kernels(threads: 1))
            let frames = AudioSpectrum(
                frameCount: 40, values: MadeVocoder.values(7, count: 40 * SpectrumForm.normalisedBandCount, scale: 1))
            return try #require(try pass.encode(.audio(frames)) { true })
        }
        let plain = try vectors("lfm2a")
        let found = try vectors("d1omni_a")
        #expect(try vectors("d1_omni_a") == found && plain.count == found.count && plain.count >= 5 * 32)
        let (width, inner) = (DecisionProjector.width, DecisionProjector.inner)
        func values(_ name: String) -> [Double] { DecisionProjector.values(name).map { Double($0) } }
        let (weight, bias) = (values("mm.a.mlp.4.weight"), values("mm.a.mlp.4.bias"))
        let (down, downBias) = (values("mm.a.mlp.5.weight"), values("mm.a.mlp.5.bias"))
        let (up, upBias) = (values("mm.a.mlp.6.weight"), values("mm.a.mlp.6.bias"))
        var worst = 0.0
        for row in 0..<plain.count / width {
            let x = plain[row * width..<(row + 1) * width].map { Double($0) }
            let mean = x.reduce(0, +) / Double(width)
            let variance = x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(width)
            let normed = x.indices.map { (x[$0] - mean) / (variance + 1e-5).squareRoot() * weight[$0] + bias[$0] }
            let middle = (0..<inner).map { unit -> Double in
                let sum = normed.indices.reduce(downBias[unit]) { $0 + down[unit * width + $1] * normed[$1] }
                return 0.5 * sum * (1 + erf(sum / 2.squareRoot()))
            }
            for index in 0..<width {
                let sum = middle.indices.reduce(upBias[index]) { $0 + up[index * inner + $1] * middle[$1] }
                worst = max(worst, abs(Double(found[row * width + index]) - (x[index] + sum)))
            }
        }
        #expect(worst < 1e-5 && found != plain)
        try DecisionProjector.write(
            to: path, fixtures: Self.fixtures, omitted: ["mm.a.mlp.5.weight", "mm.a.mlp.5.bias"])
        let error = #expect(throws: EngineError.self) { try MediaEncoders.open(try GGUFFile.open(path: path)) }
        #expect(error?.code == .missingTensor && error?.message.contains("mm.a.mlp.5") == true)
    }
}
