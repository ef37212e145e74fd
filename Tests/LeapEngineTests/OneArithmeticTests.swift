import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The same text gives the same bits, however it is computed.
@Suite(.inTurns)
struct OneArithmeticTests {
    static let models = Fixture.names

    private func reference(_ model: Model, _ tokens: [TokenID], _ type: KeyValueType = .f16) throws -> [Float] {
        let runner = try SynchronousRunner(model: model, keyValueType: type, threads: 1, contextSize: 1024)
        return Array(try runner.run(tokens[...], wanted: .all))
    }

    /// Some text, longer than a page of the cache.
    private func text(_ model: Model, count: Int = 140, seed: UInt64 = 1) -> [TokenID] {
        var random = RandomGenerator(seed: seed)
        return (0..<count).map { _ in TokenID.random(in: 0..<TokenID(model.vocabularySize), using: &random) }
    }

    @Test("Chunks and threads do not change a bit", arguments: TestLevel.cases(models, standard: 7))
    func chunksThreadsDoNot(name: String) throws {
        let model = try Fixture.model(name)
        let tokens = text(model)
        let expected = try reference(model, tokens)
        // Every combination for models with two kinds of layers, the corners for the others.
        let every = TestLevel.cases([1, 2, 3, 7, 64, 512], standard: 3)
        let chunks = ["lfm2", "qwen35", "granitehybrid"].contains(name) ? every : [3, 64]
        for threads in TestLevel.cases([1, 2, 3], standard: 2) {
            let runner = try SynchronousRunner(model: model, keyValueType: .f16, threads: threads, contextSize: 1024)
            for chunk in chunks {
                runner.reset()
                var logits: [Float] = []
                var start = 0
                while start < tokens.count {
                    let end = min(start + chunk, tokens.count)
                    logits += try runner.run(tokens[start..<end], wanted: .all)
                    start = end
                }
                #expect(logits == expected, "\(threads) threads, chunks of \(chunk)")
            }
        }
    }

    @Test(
        "Chunks and threads do not change a bit where keys and values are quantised",
        arguments: TestLevel.cases(Fixture.names, standard: 5))
    func quantisedChunks(name: String) throws {
        let model = try Fixture.model(name)
        let tokens = text(model)
        let expected = try reference(model, tokens, .q8_0)
        #expect(try reference(model, tokens) != expected)
        for (threads, chunk) in TestLevel.cases([(1, 1), (2, 3), (3, 7), (2, 64)], standard: 2) {
            let runner = try SynchronousRunner(model: model, keyValueType: .q8_0, threads: threads, contextSize: 1024)
            var logits: [Float] = []
            for start in stride(from: 0, to: tokens.count, by: chunk) {
                logits += try runner.run(tokens[start..<min(start + chunk, tokens.count)], wanted: .all)
            }
            #expect(logits == expected, "\(threads) threads, chunks of \(chunk)")
        }
    }

    @Test(
        "A quantised text that was cut goes on as if it had never been longer",
        arguments: TestLevel.cases([1, 63, 64, 65, 129, 139], standard: 3))
    func quantisedTextWasCut(cut: Int) throws {
        for name in TestLevel.cases(["lfm2", "llama", "qwen35", "granitehybrid"], standard: 2) {
            let model = try Fixture.model(name)
            let first = text(model)
            let second = Array(first[..<cut]) + text(model, count: 30, seed: 9)
            let expected = try reference(model, second, .q8_0)
            let runner = try SynchronousRunner(model: model, keyValueType: .q8_0, threads: 2, contextSize: 1024)
            _ = try runner.run(first[...], wanted: .none)
            let kept = runner.sequence.truncate(to: cut)
            let logits = try runner.run(second[kept...], wanted: .last)
            #expect(Array(logits) == Array(expected.suffix(model.vocabularySize)))
        }
    }

    @Test("The last row alone is the last row of all", arguments: TestLevel.cases(models, standard: 7))
    func lastRowAloneLast(name: String) throws {
        let model = try Fixture.model(name)
        let tokens = text(model)
        let expected = try reference(model, tokens)
        let runner = try SynchronousRunner(model: model, keyValueType: .f16, threads: 2, contextSize: 1024)
        _ = try runner.run(tokens[..<100], wanted: .none)
        let logits = try runner.run(tokens[100...], wanted: .last)
        #expect(Array(logits) == Array(expected.suffix(model.vocabularySize)))
    }

    @Test("Other sequences in the batch do not change a bit", arguments: TestLevel.cases(models, standard: 7))
    func otherSequencesBatchDo(name: String) throws {
        let model = try Fixture.model(name)
        let texts = (0..<3).map { text(model, count: 70 + 17 * $0, seed: UInt64(40 + $0)) }
        let expected = try texts.map { try reference(model, $0) }
        let runner = try SynchronousRunner(model: model, keyValueType: .f16, threads: 3, contextSize: 1024)
        let sequences = texts.map { _ in runner.layout.makeSequence(limit: 1024) }
        let chunks = [5, 1, 33]
        var results = texts.map { _ in [Float]() }
        while let longest = (0..<3).map({ texts[$0].count - sequences[$0].count }).max(), longest > 0 {
            var batch: [BatchSegment] = []
            var owners: [Int] = []
            for i in 0..<3 {
                let start = sequences[i].count
                let end = min(start + chunks[i], texts[i].count)
                guard start < end else { continue }
                batch.append(BatchSegment(sequence: sequences[i], tokens: texts[i][start..<end], wanted: .all))
                owners.append(i)
            }
            let outputs = try #require(try runner.executor.run(batch))
            for (owner, rows) in zip(owners, outputs) { results[owner] += rows.values }
        }
        for i in 0..<3 { #expect(results[i] == expected[i]) }
    }

    @Test(
        "A text that was cut goes on as if it had never been longer",
        arguments: [
            "lfm2", "lfm3", "llama", "qwen35", "granitehybrid", "gpt-oss", "gemma3n", "gemma4", "muse-glimmer",
        ],
        TestLevel.isAll ? [0, 1, 2, 63, 64, 65, 66, 100, 127, 128, 129, 139] : [65, 139])
    func textWasCutGoes(name: String, cut: Int) throws {
        let model = try Fixture.model(name)
        let first = text(model)
        let second = Array(first[..<cut]) + text(model, count: 30, seed: 9)
        let expected = try reference(model, second)
        let runner = try SynchronousRunner(model: model, keyValueType: .f16, threads: 2, contextSize: 1024)
        _ = try runner.run(first[...], wanted: .none)
        let kept = runner.sequence.truncate(to: cut)
        let step = runner.layout.isRecurrent ? runner.layout.checkpointInterval : StatePage.length
        #expect(kept <= cut && cut - kept < step)
        let cutsAnywhere = ["llama", "gpt-oss", "gemma3n", "gemma4", "muse-glimmer"].contains(name)
        if cutsAnywhere || (name == "lfm2" && cut > first.count - 60) { #expect(kept == cut) }
        let logits = try runner.run(second[kept...], wanted: .last)
        #expect(Array(logits) == Array(expected.suffix(model.vocabularySize)))
    }

    @Test("A pass that is stopped leaves the sequence usable", arguments: TestLevel.cases(models, standard: 7))
    func passStoppedLeavesSequence(name: String) throws {
        let model = try Fixture.model(name)
        let tokens = text(model)
        let expected = try reference(model, tokens)
        let runner = try SynchronousRunner(model: model, keyValueType: .f16, threads: 2, contextSize: 1024)
        for count in TestLevel.cases([1, 3, 63], standard: 2) {
            runner.reset()
            _ = try runner.run(tokens[..<77], wanted: .none)
            var layers = 0
            let stopped = try runner.executor.run([
                BatchSegment(sequence: runner.sequence, tokens: tokens[77..<77 + count], wanted: .last)
            ]) {
                layers += 1
                return layers < min(3, model.layers.stack.layers.count)
            }
            #expect(stopped == nil)
            let kept = runner.sequence.count
            #expect(kept == 77 || (!runner.layout.isRecurrent && count > 60 && kept == 64))
            let logits = try runner.run(tokens[kept...], wanted: .last)
            #expect(Array(logits) == Array(expected.suffix(model.vocabularySize)), "stopped after \(count)")
        }
    }
}
