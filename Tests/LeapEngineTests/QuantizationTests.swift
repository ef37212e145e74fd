import Foundation
import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The demo model in every quantisation against llama.cpp's logits of the same file, and against the float model.
@Suite(.inTurns)
struct QuantizationTests {
    private struct Prompt: Decodable {
        let tokens: [TokenID]
    }

    static let types = [
        "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K_M", "Q4_K_M", "Q5_K_M", "Q6_K", "IQ4_NL",
        "IQ4_XS",
    ]

    @Test(
        "Logits are close to those of llama.cpp, and no further from the float model",
        .enabled(if: ReferenceData.folder != nil, "the reference data folder is not here"),
        arguments: TestLevel.cases(types, standard: 5))
    func logitsCloseThoseLlama(type: String) throws {
        let path = try #require(ReferenceData.model("leap-demo-\(type).gguf"))
        let theirs = try #require(ReferenceData.floats("leap-demo-\(type).logits.f32"))
        let float = try #require(ReferenceData.floats("float.logits.f32"))
        let prompt = try #require(ReferenceData.model("prompt.json"))
        let tokens = try JSONDecoder().decode(Prompt.self, from: Data(contentsOf: URL(fileURLWithPath: prompt))).tokens
        let model = try Model.load(path: path)
        let ours = try Evaluation.logits(model: model, tokens: tokens, keyValueType: .f32, threads: 2)
        try #require(ours.count == theirs.count)

        let width = model.vocabularySize
        let toTheirs = Divergence(from: theirs, to: ours, width: width)
        let oursToFloat = Divergence(from: float, to: ours, width: width)
        let theirsToFloat = Divergence(from: float, to: theirs, width: width)
        print(
            "\(type): KL to llama.cpp \(toTheirs.mean), top-1 \(toTheirs.agreement), largest difference \(toTheirs.largest);",
            "KL to float: ours \(oursToFloat.mean), llama.cpp \(theirsToFloat.mean)")
        #expect(toTheirs.mean <= 1e-3)
        #expect(toTheirs.agreement >= 0.97)
        #expect(oursToFloat.mean <= 1.1 * theirsToFloat.mean)
    }

    /// Some of llama.cpp's logits for the embedded model, which are among the fixtures.
    private struct EmbeddedReference: Decodable {
        let tokens: [TokenID]
        let positions: [Int]
        let vocabulary: Int

        static func load() throws -> Self {
            try JSONDecoder().decode(Self.self, from: Data(contentsOf: folder.appendingPathComponent("Q8_0.json")))
        }

        static let folder = Fixture.folder.appendingPathComponent("demo")
    }

    private static func embeddedModel() throws -> Model { try Model.load(path: Fixture.demoPath) }

    @Test("Keys and values in q8_0 cost the embedded model less than 1e-3 nats to those in f16")
    func quantisedCache() throws {
        let model = try Self.embeddedModel()
        let tokens = try EmbeddedReference.load().tokens
        let half = try Evaluation.logits(model: model, tokens: tokens, keyValueType: .f16, threads: 2)
        let bytes = try Evaluation.logits(model: model, tokens: tokens, keyValueType: .q8_0, threads: 2)
        let divergence = Divergence(from: half, to: bytes, width: model.vocabularySize)
        print("q8_0 keys and values: KL to f16 \(divergence.mean), top-1 \(divergence.agreement)")
        #expect(divergence.mean > 0 && divergence.mean <= 1e-3)
        #expect(divergence.agreement >= 0.97)
        // 34 bytes for what takes 64 in f16; convolution inputs are floats in both.
        let pages = [KeyValueType.f16, .q8_0].map { CacheLayout(model: model, keyValueType: $0) }
        let inputs = pages[0].tailByteCount(positions: pages[0].reach)
        #expect((pages[1].pageByteCount - inputs) * 64 == (pages[0].pageByteCount - inputs) * 34)
    }

    @Test("The embedded model computes what llama.cpp does")
    func embeddedModelComputesWhat() throws {
        let reference = try EmbeddedReference.load()
        let theirs = try floats(
            in: Data(contentsOf: EmbeddedReference.folder.appendingPathComponent("Q8_0.logits.f32")))
        let model = try Self.embeddedModel()
        let logits = try Evaluation.logits(model: model, tokens: reference.tokens, keyValueType: .f32, threads: 2)
        let width = reference.vocabulary
        let ours = reference.positions.flatMap { logits[$0 * width..<($0 + 1) * width] }
        let divergence = Divergence(from: theirs, to: ours, width: width)
        #expect(divergence.mean <= 1e-3)
        #expect(divergence.agreement >= 0.97)
    }
}

/// The distance of one set of logits from another.
struct Divergence {
    /// Mean Kullback-Leibler divergence over the rows, in nats.
    var mean = 0.0
    /// The share of rows whose most likely token is the same.
    var agreement = 0.0
    var largest: Float = 0

    init(from reference: [Float], to other: [Float], width: Int) {
        let rows = reference.count / width
        reference.withUnsafeBufferPointer { reference in
            other.withUnsafeBufferPointer { other in
                for row in 0..<rows {
                    let p = Row(UnsafeBufferPointer(rebasing: reference[row * width..<(row + 1) * width]))
                    let q = Row(UnsafeBufferPointer(rebasing: other[row * width..<(row + 1) * width]))
                    var sum = 0.0
                    var i = 0
                    while i < width {
                        let logP = Double(p.values[i]) - p.logSum
                        sum += exp(logP) * (logP - Double(q.values[i]) + q.logSum)
                        largest = max(largest, abs(p.values[i] - q.values[i]))
                        i += 1
                    }
                    mean += sum / Double(rows)
                    agreement += p.best == q.best ? 1 / Double(rows) : 0
                }
            }
        }
    }

    /// One row of logits.
    ///
    /// Plain loops: tests run without optimisation.
    private struct Row {
        let values: UnsafeBufferPointer<Float>
        /// The logarithm of the sum of exponentials.
        var logSum = 0.0
        /// The index of the largest.
        var best = 0

        init(_ values: UnsafeBufferPointer<Float>) {
            self.values = values
            var i = 0
            while i < values.count {
                if values[i] > values[best] { best = i }
                i += 1
            }
            let top = Double(values[best])
            var sum = 0.0
            i = 0
            while i < values.count {
                sum += exp(Double(values[i]) - top)
                i += 1
            }
            logSum = top + log(sum)
        }
    }
}
