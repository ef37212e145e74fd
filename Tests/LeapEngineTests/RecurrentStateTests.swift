import Foundation
import LeapBase
import LeapGGUF
import LeapMeasurement
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Sequences of models whose layers keep a state of the whole sequence: where they can be cut, and what that costs.
@Suite(.inTurns)
struct RecurrentStateTests {
    private static func sequence(_ count: Int, seed: UInt64 = 1) -> [TokenID] {
        var random = RandomGenerator(seed: seed)
        return (0..<count).map { _ in TokenID.random(in: 0..<384, using: &random) }
    }

    private static func runner(_ name: String = "qwen35") throws -> SynchronousRunner {
        try SynchronousRunner(model: try Fixture.model(name), keyValueType: .f32, threads: 2, contextSize: 1024)
    }

    private static func logits(of tokens: [TokenID], _ name: String = "qwen35") throws -> [Float] {
        let runner = try runner(name)
        // The rows are the runner's.
        return try withExtendedLifetime(runner) { Array(try runner.run(tokens[...], wanted: .last)) }
    }

    @Test("A sequence is cut to the last place at which its state was kept, and goes on from there with the same bits")
    func places() throws {
        let runner = try Self.runner()
        let tokens = Self.sequence(300)
        #expect(runner.layout.checkpointInterval == 64)
        runner.sequence.planCheckpoints(promptCount: 200)
        _ = try runner.run(tokens[..<150], wanted: .none)
        _ = try runner.run(tokens[150..<210], wanted: .none)
        #expect(runner.sequence.checkpoints.map(\.count) == [64, 128, 192, 199])
        // The start of the latest pass, and the end.
        for length in [0, 64, 128, 150, 192, 199, 210] { #expect(runner.sequence.canContinue(at: length)) }
        for length in [1, 63, 65, 149, 151, 198, 200, 209] { #expect(!runner.sequence.canContinue(at: length)) }
        for (cut, kept) in [(210, 210), (209, 199), (198, 192), (191, 128), (127, 64), (63, 0)] {
            #expect(runner.sequence.truncate(to: cut) == kept && runner.sequence.count == kept)
            #expect(runner.sequence.tokens == Array(tokens[..<kept]))
            #expect(runner.sequence.checkpoints.allSatisfy { $0.count <= kept })
            let other = Array(tokens[..<kept]) + Self.sequence(9, seed: UInt64(cut))
            let found = Array(try runner.run(other[kept...], wanted: .last))
            #expect(try found == Self.logits(of: other), "cut to \(cut)")
            #expect(runner.sequence.truncate(to: kept) == kept)
        }
    }

    @Test("The latest pass is taken back as a whole; another one before it is not")
    func revert() throws {
        let runner = try Self.runner()
        let tokens = Self.sequence(60)
        _ = try runner.run(tokens[..<10], wanted: .none)
        _ = try runner.run(tokens[10..<20], wanted: .none)
        _ = try runner.run(tokens[20..<25], wanted: .none)
        #expect(runner.sequence.truncate(to: 23) == 20)
        #expect(Array(try runner.run(tokens[20..<40], wanted: .last)) == (try Self.logits(of: Array(tokens[..<40]))))
        #expect(runner.sequence.truncate(to: 20) == 20)
        #expect(runner.sequence.truncate(to: 19) == 0)
        #expect(Array(try runner.run(tokens[...], wanted: .last)) == (try Self.logits(of: tokens)))
    }

    @Test(
        "A pass that is given up in any layer changes nothing",
        arguments: ["qwen35", "qwen35moe", "granitehybrid", "falcon-h1", "nemotron-h"])
    func abandoned(name: String) throws {
        let tokens = Self.sequence(150)
        let expected = try Self.logits(of: tokens, name)
        let runner = try Self.runner(name)
        for stop in 0..<min(4, try Fixture.model(name).layerCount) {
            runner.reset()
            _ = try runner.run(tokens[..<50], wanted: .none)
            var layers = 0
            let stopped = try runner.executor.run([
                BatchSegment(sequence: runner.sequence, tokens: tokens[50..<140], wanted: .last)
            ]) {
                layers += 1
                return layers <= stop
            }
            #expect(stopped == nil && runner.sequence.count == 50 && runner.sequence.checkpoints.isEmpty)
            #expect(Array(try runner.run(tokens[50...], wanted: .last)) == expected)
        }
    }

    @Test(
        "A state goes to a file and back, and on with the same bits",
        arguments: ["qwen35", "granitehybrid"], [1, 63, 64, 65, 128, 150])
    func savedState(name: String, length: Int) throws {
        let model = try Fixture.model(name)
        let runner = try Self.runner(name)
        let format = SequenceFormat(model: model, memory: runner.layout, contextSize: 1024)
        let tokens = Self.sequence(length)
        _ = try runner.run(tokens[...], wanted: .none)
        let shared = runner.sequence.shared()
        #expect(shared.count == length)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
        defer { FileSystem.remove(path) }
        let publication = try FilePublication(path: path, permissions: 0o600)
        try format.write(
            SequenceSnapshot(tokens: tokens, adapters: nil, prefix: SharedPrefix(shared)), to: publication)
        try publication.publish(durable: false)
        let file = try OpenFile(path, .readingWithoutWaiting)
        #expect(try file.status().byteCount == Int64(format.byteCount(tokenCount: length)))
        let read = try format.read(tokens, adapters: nil, from: file, at: 0)
        let other = try Self.runner(name)
        try other.sequence.restore(read.prefix.match, of: tokens, adapters: nil)
        #expect(other.sequence.count == length)
        let whole = tokens + Self.sequence(10, seed: 4)
        #expect(Array(try other.run(whole[length...], wanted: .last)) == (try Self.logits(of: whole, name)))
        #expect(other.sequence.truncate(to: length) == length)
    }

    @Test("Memory without room for copies makes a sequence that can be cut to fewer places, and no error")
    func shortOfMemory() throws {
        let model = try Fixture.model("qwen35")
        let pool = MemoryPool()
        let layout = CacheLayout(model.layers.stack, keyValueType: .f32, pool: pool)
        let executor = CPUExecutor(model: model, layout: layout, kernels: try Kernels(threads: 1), contextSize: 1024)
        let sequence = executor.makeSequence(limit: 1024)
        let tokens = Self.sequence(200)
        _ = try executor.run([BatchSegment(sequence: sequence, tokens: tokens[..<60], wanted: .none)])
        try sequence.reserve(40)
        pool.limit = pool.used
        _ = try executor.run([BatchSegment(sequence: sequence, tokens: tokens[60..<100], wanted: .none)])
        pool.limit = .max
        #expect(sequence.checkpoints.isEmpty && sequence.truncate(to: 80) == 60)
        _ = try executor.run([BatchSegment(sequence: sequence, tokens: tokens[60...], wanted: .none)])
        #expect(sequence.checkpoints.map(\.count) == [64, 128, 192])
        #expect(layout.tailByteCount(positions: 0) == layout.recurrentByteCount && layout.recurrentByteCount > 0)
    }

    @Test("Layers that propose tokens are passed over")
    func multiTokenPrediction() throws {
        let plain = try Fixture.model("qwen35")
        var writer = GGUFWriter(copyingMetadataOf: plain.file)
        writer.set("qwen35.block_count", .uint32(5))
        writer.set("qwen35.nextn_predict_layers", .uint32(1))
        for tensor in plain.file.tensors { try writer.add(tensor) }
        try writer.add(
            tensor: "blk.4.nextn.eh_proj.weight", shape: [128, 64], floats: [Float](repeating: 1, count: 8192))
        let model = try Model.load(file: try writer.file())
        #expect(model.layerCount == 4)
        let tokens = Self.sequence(20)
        let found = try Evaluation.logits(model: model, tokens: tokens, keyValueType: .f32, threads: 1)
        #expect(found == (try Evaluation.logits(model: plain, tokens: tokens, keyValueType: .f32, threads: 1)))
    }
}
