import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Sequences of 131,072 tokens.
@Suite(.inTurns)
struct LongContextTests {
    private static let length = 131_072
    private static let chunk = 512

    private func tokens(_ model: Model, _ count: Int) -> [TokenID] {
        (0..<count).map { TokenID($0 * 7919 % model.vocabularySize) }
    }

    @Test(
        "A sequence of 131,072 tokens takes its pages and what a short one takes",
        arguments: TestLevel.cases(["lfm2", "llama"], standard: 1),
        TestLevel.cases([KeyValueType.f16, .q8_0], standard: 1))
    func boundedMemory(name: String, type: KeyValueType) throws {
        let model = try Fixture.model(name)
        let runner = try SynchronousRunner(model: model, keyValueType: type, threads: 2, contextSize: Self.length)
        let memory = runner.layout.pool
        let sequence = runner.sequence
        let all = tokens(model, Self.length)
        _ = try runner.run(all[..<Self.chunk], wanted: .last)
        let short = memory.used
        // The state of the middle is reserved and not computed, for which unoptimised kernels would take an hour: it is
        // zeros.
        let computed = Self.length - 24
        for start in stride(from: Self.chunk, to: computed, by: Self.chunk) {
            let stretch = all[start..<min(start + Self.chunk, computed)]
            try sequence.reserve(stretch.count)
            sequence.commit(.tokens(stretch, vectors: nil))
        }
        // The end attends to all of it, in a step of many tokens, of a few, and of one.
        let end = Self.length - 4
        _ = try runner.run(all[computed..<(end - 4)], wanted: .none)
        let together = Array(try runner.run(all[(end - 4)..<end], wanted: .last))
        #expect(sequence.truncate(to: end - 4) == end - 4)
        var single: [Float] = []
        for index in (end - 4)..<end { single = Array(try runner.run(all[index...index], wanted: .last)) }
        #expect(single == together && single.allSatisfy(\.isFinite))
        _ = try runner.run(all[end...], wanted: .last)

        #expect(sequence.count == Self.length)
        let pages = Self.length / StatePage.length
        let added = (Self.length - Self.chunk) / StatePage.length * runner.layout.pageByteCount
        // The table of pages, which doubles when it grows: two addresses for each page and layer with attention.
        let table = 2 * pages * runner.layout.attention.count * 2 * MemoryLayout<PageTable.PageAddress>.stride
        #expect(memory.used - short >= added && memory.used - short <= added + table)
        // A full context refuses one more token, and holds what it held.
        let refused = #expect(throws: EngineError.self) { try runner.run(all[..<1], wanted: .last) }
        #expect(refused?.code == .contextExceeded && sequence.count == Self.length)
    }
}
