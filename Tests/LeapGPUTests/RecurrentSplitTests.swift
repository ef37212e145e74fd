import LeapBase
import LeapCPU
import LeapCompute
import LeapDevices
import LeapModel
import LeapTestSupport
import Testing

@testable import LeapGPU

extension GPUTests {
    /// Models with layers whose state has a fixed size, computed by a GPU.
    struct RecurrentSplitTests {
        /// Gated DeltaNet and Mamba-2, beside attention and alone, in front of networks and mixtures.
        static let models =
            TestGPU.isEmulated
            ? ["qwen35"] : ["qwen35", "qwen35moe", "qwen3next", "granitehybrid", "falcon-h1", "nemotron-h-moe"]

        @Test(
            "Whole or in pieces, alone or beside others, cut, taken back or from kept states: the bits are the same",
            .enabled(if: !TestGPU.isBrief, TestGPU.brevity), arguments: models)
        func sameBits(name: String) throws {
            let model = try SplitRunner.model(name), runner = try SplitRunner(model, layerCount: .max)
            let pass = try #require(runner.device.pass, "\(runner.notices.withLock { $0 })")
            let size = model.vocabularySize, count = 75
            let tokens = SplitRunner.tokens(model, count: count), expected = try runner.logits(tokens)
            #expect(try runner.logits(tokens) == expected)
            let isWhole = ["qwen35", "falcon-h1"].contains(name)
            for chunk in TestGPU.isEmulated ? [40] : [7, 64] + (isWhole ? [1] : []) {
                #expect(try runner.logits(tokens, chunk: chunk) == expected, "in pieces of \(chunk)")
            }

            // Beside another sequence, which is somewhere else, with places to keep the state at in the middle and at
            // the end.
            let (first, second) = (runner.makeSequence(), runner.makeSequence())
            let other = SplitRunner.tokens(model, count: 9, seed: 2)
            _ = try runner.logits(Array(other[..<4]), in: second)
            _ = try runner.logits(Array(tokens[..<50]), in: first)
            for place in [55, 70] { first.planCheckpoint(at: place) }
            let rows = try #require(
                try runner.executor.run(
                    [
                        BatchSegment(sequence: second, tokens: other[4...], wanted: .none),
                        BatchSegment(sequence: first, tokens: tokens[50..<70], wanted: .all),
                    ], shouldContinue: { true }))
            let (own, whole) = (Array(rows[1].values), Array(expected[50 * size..<70 * size]))
            #expect(own == whole)
            let otherWhole = try runner.logits(other + [tokens[0]])
            #expect(try runner.logits([tokens[0]], in: second) == Array(otherWhole.suffix(size)))

            // Cut to the place in the middle, and gone on; another sequence goes on from the same place.
            let shared = first.shared(upTo: 60)
            #expect(first.truncate(to: 60) == 55)
            #expect(try runner.logits(Array(tokens[55...]), in: first) == Array(expected[(55 * size)...]))
            let heir = runner.makeSequence()
            try heir.adopt(shared, of: tokens)
            #expect(heir.count == 55)
            #expect(try runner.logits(Array(tokens[55...]), in: heir) == Array(expected[(55 * size)...]))

            // A pass that is taken back, as drafts that were wrong are.
            let end = heir.count
            _ = try runner.logits(other, in: heir)
            #expect(heir.truncate(to: end) == end)
            let next = try runner.logits([tokens[1]], in: heir), nextWhole = try runner.logits(tokens + [tokens[1]])
            #expect(next == Array(nextWhole.suffix(size)))
            #expect(pass.fault == nil && runner.report.use.processorPasses == 0)
        }

        @Test(
            "A batch of which something is wanted in places only gives what one with everything wanted gives",
            .enabled(if: !TestGPU.isBrief, TestGPU.brevity), arguments: models)
        func wanted(name: String) throws {
            let model = try SplitRunner.model(name), runner = try SplitRunner(model, layerCount: .max)
            let tokens = SplitRunner.tokens(model, count: 12), all = try runner.logits(tokens + [tokens[0]])
            let size = model.vocabularySize
            for wanted in [BatchSegment.Wanted.first, .suffix(3), .none] {
                let segment = BatchSegment(sequence: runner.makeSequence(), tokens: tokens[...], wanted: wanted)
                let rows = try #require(try runner.executor.run([segment], shouldContinue: { true }))
                let indices = segment.wantedIndices
                #expect(Array(rows[0].values) == Array(all[indices.lowerBound * size..<indices.upperBound * size]))
                // What was kept of it is the same too.
                #expect(try runner.logits([tokens[0]], in: segment.sequence) == Array(all.suffix(size)))
            }
        }

        @Test("At whatever call of a reply a device fails, or does not answer, the reply is the same")
        func faults() throws {
            let gpu = try TestGPU.open(), compiled = CompiledKernels()
            let model = try SplitRunner.model("qwen35")
            let prompt = SplitRunner.tokens(model, count: TestGPU.isBrief ? 5 : 12)
            func reply(_ device: FaultyDevice) throws -> (tokens: [Int32], runner: SplitRunner, loadCount: Int) {
                let runner = try SplitRunner(
                    model, layerCount: 3, keyValueType: .f32, contextSize: 256,
                    open: { () throws(GPUError) in device })
                let loadCount = device.callCount
                return (try runner.reply(prompt, count: 4).map { Int32($0) }, runner, loadCount)
            }
            let cpu = try SplitRunner(model, layerCount: 0, keyValueType: .f32)
            let expected = try cpu.reply(prompt, count: 4).map { Int32($0) }
            let sound = FaultyDevice(gpu, compiled: compiled), whole = try reply(sound)
            #expect(whole.tokens == expected && whole.runner.device.pass?.batchCount == 4)
            let calls = TestGPU.cases(
                stride(from: whole.loadCount, to: sound.callCount, by: TestGPU.isEmulated ? 90 : 11).map { $0 },
                brief: 2)
            for call in calls {
                let device = FaultyDevice(gpu, compiled: compiled)
                device.fault = (call, call % 2 == 0 ? .lost : .timedOut(seconds: 1))
                let (tokens, runner, _) = try reply(device)
                #expect(tokens == expected, "call \(call)")
                // Pages and states are asked for in another way.
                #expect(runner.device.pass?.fault != nil || device.refusedMemory)
                // Other conversations have their states elsewhere, or where the device wrote last.
                #expect(try runner.reply(prompt, count: 4).map { Int32($0) } == expected)
            }
        }

        @Test(
            "Where a device has memory for the state of one sequence only, the CPU computes the others, and says so once",
            .enabled(if: !TestGPU.isBrief, TestGPU.brevity))
        func fewStates() throws {
            let model = try SplitRunner.model("qwen35"), tokens = SplitRunner.tokens(model, count: 5)
            let layout = CacheLayout(model: model, keyValueType: .f16)
            let whole = try SplitRunner(model, layerCount: .max)
            let weights = try #require(whole.device.pass).model.weights.byteCount
            let memory = TestGPU.memory(leaving: 4 * 3 * layout.recurrentByteCount, besides: weights)
            let runner = try SplitRunner(
                model, layerCount: .max,
                open: { () throws(GPUError) in
                    let device = FaultyDevice(try TestGPU.open())
                    // A quarter of what weights and batches leave is for states, two of which a sequence has.
                    device.properties.memoryByteCount = memory
                    return device
                })
            let pass = try #require(runner.device.pass, "\(runner.notices.withLock { $0 })")
            let sequences = (0..<2).map { _ in runner.makeSequence() }
            let logits = try sequences.map { try runner.logits(tokens, in: $0) }
            #expect(pass.batchCount == 1 && runner.report.use.processorPasses == 1)
            let size = logits[0].reduce(0) { max($0, abs($1)) }
            for (one, other) in zip(logits[0], logits[1]) { #expect(abs(one - other) <= 5e-3 * size) }
            #expect(runner.notices.withLock { $0 }.count { $0.contains("recurrent states") } == 1)
        }

        /// Dispatches of a token.
        private static let dispatchCounts: [(name: String, count: Int)] = [
            // Three layers of Gated DeltaNet with 10 and one of attention with 8, each with a network of 3; 3 behind
            // them.
            ("qwen35", 53),
            // The same with mixtures of 7, and 4 for the expert that all go through.
            ("qwen35moe", 85),
            // The same with one projection fewer in each layer of Gated DeltaNet.
            ("qwen3next", 82),
            // Five convolutions with 9, three times attention with gates of heads, 14, all with norms behind their
            // blocks.
            ("lfm3", 90),
            // 8 of Mamba-2 and 7 of attention in a layer, but for one norm, and its network.
            ("falcon-h1", 54),
            // Layers of one block: four of Mamba-2 with 8, one of attention with 7, three networks with 3.
            ("nemotron-h", 51),
        ]

        @Test(
            "Dispatches of a token, layer by layer",
            arguments: dispatchCounts.filter { !TestGPU.isEmulated || $0.name == "lfm3" })
        func dispatches(name: String, count: Int) throws {
            let model = try SplitRunner.model(name), runner = try SplitRunner(model, layerCount: .max)
            _ = try runner.logits([5])
            let pass = try #require(runner.device.pass, "\(runner.notices.withLock { $0 })")
            #expect(pass.dispatchCount == count)
        }
    }
}
