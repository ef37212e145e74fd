import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Every architecture against transformers in float32, on tiny random models.
@Suite(.inTurns)
struct ArchitectureTests {
    @Test("Logits are those of the reference", arguments: Fixture.names)
    func logitsThoseReference(name: String) throws {
        let fixture = try Fixture.load(name)
        let model = try Fixture.model(name)
        let logits = try Evaluation.logits(model: model, tokens: fixture.tokens, keyValueType: .f32, threads: 2)
        let width = fixture.shape[1]
        #expect(model.vocabularySize == width)
        let positions = fixture.positions ?? Array(0..<fixture.tokens.count)
        var worst: Float = 0
        for (row, position) in positions.enumerated() {
            for i in 0..<width {
                worst = max(worst, abs(logits[position * width + i] - fixture.logits[row * width + i]))
            }
        }
        print("largest logit difference of \(name): \(worst)")
        #expect(worst <= 1e-4)
        #expect(worst <= (try MeasuredTable.row(fixture.arch).difference), "docs/Models.md tells less")
    }

    @Test("Greedy decoding continues as the reference does", arguments: Fixture.names)
    func greedyDecodingContinuesReference(name: String) throws {
        let fixture = try Fixture.load(name)
        let model = try Fixture.model(name)
        let runner = try SynchronousRunner(model: model, keyValueType: .f32, threads: 1, contextSize: 256)
        var logits = try runner.run(fixture.tokens[...], wanted: .last)
        var text: [TokenID] = []
        for _ in fixture.greedy {
            text.append(argmax(logits))
            logits = try runner.run(text[(text.count - 1)...], wanted: .last)
        }
        #expect(text == fixture.greedy)
    }
}
