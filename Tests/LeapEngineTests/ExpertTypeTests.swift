import CLeapKernels
import LeapGGUF
import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Experts as released files of gpt-oss have them: MXFP4 with biases, and gates and ups in one tensor as other files.
@Suite(.inTurns)
struct ExpertTypeTests {
    private typealias Quantizer = RequantizedModelTests.Quantizer

    private static func floats(_ tensor: GGUFTensor) -> [Float] {
        (0..<tensor.elementCount).map { tensor.data.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }

    /// The fixture with experts in MXFP4, or with the same numbers as floats.
    private static func model(asFloats: Bool) throws -> Model {
        let file = try GGUFFile.open(path: Fixture.path("gpt-oss"))
        var writer = GGUFWriter(copyingMetadataOf: file)
        for tensor in file.tensors {
            guard tensor.name.hasSuffix("_exps.weight") else {
                try writer.add(tensor)
                continue
            }
            let bytes = Quantizer.mxfp4(floats(tensor))
            guard asFloats else {
                try writer.add(tensor: tensor.name, type: Quantizer.mxfp4.type, shape: tensor.shape, bytes: bytes)
                continue
            }
            var values = [Float](repeating: 0, count: tensor.elementCount)
            leap_dequantize_row(Int32(LEAP_MXFP4), bytes, &values, Int64(values.count))
            try writer.add(tensor: tensor.name, shape: tensor.shape, floats: values)
        }
        return try Model.load(file: try writer.file())
    }

    /// The fixture with gates and ups of experts in one tensor, and their biases too.
    private static func joined() throws -> Model {
        let file = try GGUFFile.open(path: Fixture.path("gpt-oss"))
        var writer = GGUFWriter(copyingMetadataOf: file)
        for tensor in file.tensors where !tensor.name.contains("ffn_up_exps") {
            guard tensor.name.contains("ffn_gate_exps"),
                let up = file.tensor(tensor.name.replacing("ffn_gate_exps", with: "ffn_up_exps"))
            else {
                try writer.add(tensor)
                continue
            }
            let isMatrix = tensor.shape.count == 3
            let experts = tensor.shape[isMatrix ? 2 : 1]
            let size = tensor.elementCount / experts
            let (gates, ups) = (floats(tensor), floats(up))
            var values: [Float] = []
            for expert in 0..<experts {
                let range = expert * size..<(expert + 1) * size
                values += gates[range]
                values += ups[range]
            }
            var shape = tensor.shape
            shape[isMatrix ? 1 : 0] *= 2
            try writer.add(
                tensor: tensor.name.replacing("ffn_gate_exps", with: "ffn_gate_up_exps"), shape: shape, floats: values)
        }
        return try Model.load(file: try writer.file())
    }

    private static func logits(
        _ model: Model, _ precision: Precision = .fast, chunk: Int, threads: Int = 2
    ) throws -> [Float] {
        let tokens = try Fixture.load("gpt-oss").tokens
        let runner = try SynchronousRunner(
            model: model, keyValueType: .f32, precision: precision, threads: threads, contextSize: 256)
        var logits: [Float] = []
        for start in stride(from: 0, to: tokens.count, by: chunk) {
            logits += try runner.run(tokens[start..<min(start + chunk, tokens.count)], wanted: .all)
        }
        return logits
    }

    @Test("MXFP4 experts are near the same numbers as floats, and equal in any chunks, on every instruction set")
    func mxfp4() throws {
        let quantized = try Self.model(asFloats: false)
        let expected = try Self.logits(try Self.model(asFloats: true), chunk: 512)
        let width = quantized.vocabularySize
        var index: Int32 = 0
        while let name = leap_isa_at(index) {
            _ = leap_isa_select(name)
            defer { _ = leap_isa_select(nil) }
            index += 1
            let found = try Self.logits(quantized, chunk: 512)
            var worst = [Float](repeating: 0, count: found.count / width)
            for (index, value) in found.enumerated() {
                let difference: Float = abs(value - expected[index])
                worst[index / width] = max(worst[index / width], difference)
            }
            // Inputs of products are rounded to eight bits, which may change the choice of an expert here or there.
            let median = worst.sorted()[worst.count / 2]
            #expect(median > 0 && median < 0.02, "\(String(cString: name)): \(median)")
            for (chunk, threads) in TestLevel.isAll ? [(1, 1), (7, 3)] : [(1, 3)] {
                #expect(try Self.logits(quantized, chunk: chunk, threads: threads) == found, "\(String(cString: name))")
            }
            let exact = try Self.logits(quantized, .exact, chunk: 512)
            let largest = zip(exact, expected).map { abs($0 - $1) }.max() ?? .infinity
            #expect(largest < 1e-3, "\(String(cString: name)): \(largest)")
            #expect(try Self.logits(quantized, .exact, chunk: 7, threads: 3) == exact, "\(String(cString: name))")
        }
        #expect(index > 0)
    }

    @Test("Gates and ups in one tensor compute the same bits")
    func joinedTensors() throws {
        #expect(try Self.logits(try Self.joined(), chunk: 64) == Self.logits(try Fixture.model("gpt-oss"), chunk: 64))
    }
}
