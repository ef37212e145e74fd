import CLeapKernels
import LeapGGUF
import LeapMeasurement
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Products that take their inputs as 16 bits: the answers of the float model from the quantised file.
@Suite(.inTurns)
struct PrecisionTests {
    private static let tokens: [TokenID] = (1...100).map { $0 * 7 }

    /// The demo model with the same numbers as floats.
    private static func floatModel() throws -> Model {
        try ModelCopy.load(
            Fixture.demoPath,
            changeTensor: { tensor in
                guard tensor.type == .q8_0, let base = tensor.data.baseAddress else { return .keep }
                var values = [Float](repeating: 0, count: tensor.elementCount)
                leap_dequantize_row(Int32(LEAP_Q8_0), base, &values, Int64(values.count))
                return .replace(type: .f32, shape: tensor.shape, bytes: values.withUnsafeBytes(Array.init))
            })
    }

    private static func logits(
        _ model: Model, _ precision: Precision, chunk: Int = 512, threads: Int = 2
    ) throws -> [Float] {
        try Evaluation.logits(
            model: model, tokens: tokens, keyValueType: .f32, precision: precision, threads: threads, chunk: chunk)
    }

    @Test("Exact products give the logits of the same numbers as floats, a thousand times nearer than fast ones")
    func nearFloats() throws {
        let model = try Model.load(path: Fixture.demoPath)
        let floats = try Self.logits(try Self.floatModel(), .fast)
        func divergence(_ precision: Precision) throws -> Divergence {
            Divergence(from: floats, to: try Self.logits(model, precision), width: model.vocabularySize)
        }
        let (fast, exact) = (try divergence(.fast), try divergence(.exact))
        print("KL to floats: fast \(fast.mean), exact \(exact.mean); largest \(fast.largest), \(exact.largest)")
        #expect(fast.mean > 1e-5)
        #expect(exact.mean < fast.mean / 1000)
        #expect(exact.largest < fast.largest / 30)
    }

    @Test("Chunks, threads and other sequences do not change a bit of exact products")
    func oneArithmetic() throws {
        let model = try Model.load(path: Fixture.demoPath)
        let expected = try Self.logits(model, .exact, threads: 1)
        for (chunk, threads) in [(1, 2), (3, 1), (64, 3)] {
            let found = try Self.logits(model, .exact, chunk: chunk, threads: threads)
            #expect(found == expected, "chunks of \(chunk), \(threads) threads")
        }
        let runner = try SynchronousRunner(
            model: model, keyValueType: .f32, precision: .exact, threads: 2, contextSize: 256)
        let (first, second) = (runner.makeSequence(), runner.makeSequence())
        let half = Self.tokens.count / 2
        _ = try runner.run([BatchSegment(sequence: first, tokens: Self.tokens[..<half], wanted: .none)])
        let both = try #require(
            try runner.executor.run([
                BatchSegment(sequence: second, tokens: Self.tokens[...], wanted: .last),
                BatchSegment(sequence: first, tokens: Self.tokens[half...], wanted: .last),
            ]))
        let last = Array(expected.suffix(model.vocabularySize))
        for rows in both { #expect(Array(rows.values) == last) }
    }

    @Test("State that exact products have computed goes by another name: what fast ones kept is computed anew")
    func otherState() throws {
        let model = try Model.load(path: Fixture.demoPath)
        var options = EngineOptions()
        let fast = try Engine(model: model, options: options).sequenceFormat
        options.precision = .exact
        let exact = try Engine(model: model, options: options).sequenceFormat
        #expect(fast?.instructionSet == InstructionSet.arithmetic())
        #expect(exact?.instructionSet == InstructionSet.arithmetic() + ", exact")
        let runner = try SynchronousRunner(
            model: model, keyValueType: .f32, precision: .exact, threads: 1, contextSize: 64)
        #expect(runner.layout.arithmetic == exact?.instructionSet)
    }
}
