import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapModel

/// Outputs of layers that a pass keeps for others.
@Suite(.inTurns)
struct LayerCaptureTests {
    private static func executor(_ model: Model) throws -> CPUExecutor {
        let executor = try CPUDevice(threads: 2).makeExecutor(
            for: model, keyValueType: .f32, contextSize: 256, memory: MemoryPool())
        return try #require(executor as? CPUExecutor)
    }

    @Test(
        "Of every row, in prompts of pieces whose logits nobody wants, with the same logits as without",
        arguments: TestLevel.cases(Fixture.names, standard: 6))
    func captured(name: String) throws {
        let model = try Fixture.model(name)
        let tokens = try Fixture.load(name).tokens
        let layers = Array(Set([0, model.layerCount / 2, model.layerCount - 1])).sorted()
        let plain = try Self.executor(model)
        var expected = [[Float]](repeating: [], count: layers.count)
        var logits: [Float] = []
        let sequence = plain.makeSequence(limit: 256)
        _ = try plain.pass.compute(
            [BatchSegment(sequence: sequence, tokens: tokens[...], wanted: .all)],
            afterLayer: { (index, rows) throws(EngineError) in
                if let slot = layers.firstIndex(of: index) { expected[slot] = Array(rows.values) }
            },
            body: { (rows) throws(EngineError) in
                logits = Array(try plain.logits(of: rows.slice(rows.count - 1..<rows.count)).values)
            })

        let executor = try Self.executor(model)
        executor.capturedLayers = layers
        let (other, more) = (executor.makeSequence(limit: 256), executor.makeSequence(limit: 256))
        var found = [[Float]](repeating: [], count: layers.count)
        var outputs: [Float] = []
        for (range, wanted) in [(0..<30, .none), (30..<31, .first), (31..<tokens.count, .last)]
            as [(Range<Int>, BatchSegment.Wanted)]
        {
            // Beside another sequence, of whose rows some are left out too.
            let beside = BatchSegment(sequence: more, tokens: tokens[range], wanted: .none)
            let rows = try #require(
                try executor.run(
                    [beside, BatchSegment(sequence: other, tokens: tokens[range], wanted: wanted)]))
            outputs = Array(rows[1].values)
            let streams = try #require(executor.capturedStreams)
            #expect(streams.count == 2 * range.count && streams.length == layers.count * model.embeddingLength)
            for row in range.count..<2 * range.count {
                for slot in layers.indices {
                    let start = streams.row(row) + slot * model.embeddingLength
                    found[slot] += UnsafeBufferPointer(start: start, count: model.embeddingLength)
                }
            }
        }
        #expect(found == expected && outputs == logits)

        executor.capturedLayers = []
        _ = try executor.run([BatchSegment(sequence: other, tokens: tokens[..<1], wanted: .last)])
        #expect(executor.capturedStreams == nil)
    }
}
