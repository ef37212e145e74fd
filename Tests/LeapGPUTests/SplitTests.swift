import Foundation
import LeapBase
import LeapCPU
import LeapCompute
import LeapDevices
import LeapGGUF
import LeapModel
import LeapTestSupport
import LeapTokenizer
import Testing

@testable import LeapGPU

extension GPUTests {
    /// Models whose last layers a GPU computes.
    struct SplitTests {
        /// The largest difference of two lists of numbers.
        private static func difference(_ one: ArraySlice<Float>, _ other: ArraySlice<Float>) -> Float {
            var largest: Float = 0
            for (a, b) in zip(one, other) { largest = max(largest, abs(a - b)) }
            return largest
        }

        /// Logits as the processor computes them; the fixtures are in F32, so that both compute with the same numbers.
        private func cpu(_ model: Model, _ type: KeyValueType = .f16) throws -> SplitRunner {
            try SplitRunner(model, layerCount: 0, keyValueType: type)
        }

        /// Models of each kind, and those whose kernels others have too.
        private static let parityModels = [
            "lfm2", "gemma3", "qwen2", "qwen3moe", "gpt-oss", "qwen35moe", "lfm3", "granitehybrid", "falcon-h1",
            "nemotron-h-moe", "mistral3", "gemma4", "gemma4moe", "gemma3n", "muse-glimmer",
        ]
        private static let furtherModels = [
            "llama", "qwen3", "smollm3", "qwen2 with biases", "gemma3 with biases", "lfm2moe", "qwen35", "qwen3next",
            "granite",
            "nemotron-h",
        ]

        /// Models with types of keys and values; an emulation has one of each kind, and all types for one model.
        private static let parityCases: [(name: String, type: KeyValueType)] =
            TestGPU.isEmulated
            ? [("lfm2", .f32), ("gpt-oss", .q8_0)] + parityModels.map { ($0, .f16) }
            : (parityModels + furtherModels).map { ($0, .f16) } + parityModels.map { ($0, .f32) }
                + ["lfm2", "gemma3", "gpt-oss", "qwen35", "lfm3"].map { ($0, .q8_0) }

        @Test(
            "Logits are the processor's, wherever the model is split",
            arguments: TestGPU.cases(parityCases, brief: 4))
        func parity(name: String, type: KeyValueType) throws {
            let words = name.split(separator: " ").map(String.init)
            let model = try words.count > 1 ? SplitRunner.withOutputBiases(words[0]) : SplitRunner.model(name)
            let count = model.layers.stack.layers.count
            // Windows are of 20 positions at most, pages of 64.
            let isShort = TestGPU.isBrief && !name.hasPrefix("gemma") && name != "gpt-oss"
            let tokens = SplitRunner.tokens(
                model, count: isShort ? 6 : TestGPU.isEmulated && (TestGPU.isBrief || name != "lfm2") ? 24 : 90)
            let expected = try cpu(model, type).logits(tokens)
            let size = expected.reduce(0) { max($0, abs($1)) }
            var splits = [Int.max]
            if TestGPU.isEmulated {
                if name == "lfm2", type == .f16 { splits.append(count / 2) }
            } else if type == .f16, Self.parityModels.contains(name) {
                // One model of each kind is split elsewhere too.
                splits += [1, count / 2] + (name == "lfm2" ? [count, 99, Int(UInt32.max)] : [])
            }
            for layers in Set(splits) where layers > 0 {
                let runner = try SplitRunner(model, layerCount: layers, keyValueType: type)
                let logits = try runner.logits(tokens)
                let notices = runner.notices.withLock { $0 }
                try #require(notices.count == 1)
                let pass = try #require(runner.device.pass, "\(notices[0])")
                #expect(pass.batchCount == 1)
                let first = max(0, count - min(count, layers))
                let use = runner.report.use
                #expect(use.device == runner.device.pass?.deviceName && use.passes == 1 && use.processorPasses == 0)
                #expect(
                    use.layers == count - first && use.modelLayers == count && use.computesHead == (layers >= count))
                #expect(use.note == nil && notices[0].hasSuffix("\(use)"))
                #expect(pass.firstLayer == first)
                // Half-precision keys and values may be rounded to neighbours. Floats are added up in another order:
                // gemma3n's logits are apart by up to 1.04e-4 beside AVX2's, by less beside AVX-512's.
                let bound = size * (type == .f32 ? 2e-4 : 5e-3)
                let difference = Self.difference(logits[...], expected[...])
                #expect(difference <= bound, "\(layers) layers")
                #expect(logits.count == expected.count)
                #expect(logits != expected)
            }
        }

        #if !LEAP_METAL_TESTS
            @Test(
                "Where the host does not see the device's own memory, weights are copied to it: the bits are the same")
            func hiddenMemory() throws {
                let model = try SplitRunner.model("lfm2"), tokens = SplitRunner.tokens(model, count: 90)
                let expected = try SplitRunner(model, layerCount: .max).logits(tokens)
                let instance = try VulkanInstance(), index = TestGPU.first ?? 0
                let runner = try SplitRunner(
                    model, layerCount: .max,
                    open: { () throws(GPUError) in
                        let real = try VulkanDevice(instance, index: index, hidesOwnMemory: true)
                        let device = FaultyDevice(real)
                        (device.properties.isUnified, device.properties.hostMemoryAlignment) = (false, nil)
                        return device
                    })
                #expect(try runner.logits(tokens) == expected)
                let pass = try #require(runner.device.pass)
                #expect(pass.batchCount == 1 && pass.model.weights.sharedByteCount == 0)
                #expect(throws: GPUError.self) {
                    let buffer = try VulkanDevice(instance, index: index, hidesOwnMemory: true)
                        .makeBuffer(byteCount: 64, .own)
                    #expect(buffer.contents.isEmpty && buffer.byteCount == 64)
                    try [UInt8](repeating: 0, count: 8).withUnsafeBytes { try buffer.write($0, at: 60) }
                }
            }
        #endif

        @Test(
            "The demo model says the same, wherever it is split: where its two best tokens are far apart",
            .enabled(if: !TestGPU.isBrief, TestGPU.brevity))
        func demoText() throws {
            let model = try SplitRunner.demo(), count = model.layers.stack.layers.count
            let prompt = model.tokenizer.encode("The lamp is on the table. The lamp is", addSpecial: true)
            let length = TestGPU.isEmulated ? 8 : 24
            let cpu = try cpu(model), reply = try cpu.reply(prompt, count: length)
            let text = prompt + reply
            let expected = try cpu.logits(text)
            var decided = 0
            let splits = TestGPU.isEmulated ? [Int.max] : [1, count / 2, count, Int.max]
            for layers in splits {
                let runner = try SplitRunner(model, layerCount: layers)
                #expect(runner.device.pass != nil, "\(runner.notices.withLock { $0 })")
                let logits = try runner.logits(text)
                for position in text.indices {
                    let range = position * model.vocabularySize..<(position + 1) * model.vocabularySize
                    let difference = Self.difference(logits[range], expected[range])
                    #expect(difference <= 0.5, "\(layers) layers, position \(position)")
                    let best = expected[range].sorted(by: >).prefix(2)
                    guard best[0] - best[1] > 2 * difference else { continue }
                    decided += 1
                    #expect(SplitRunner.largest(logits[range]) == SplitRunner.largest(expected[range]))
                }
                #expect(try runner.reply(prompt, count: length) == reply, "\(layers) layers")
            }
            let most = splits.count / 2 * text.count
            #expect(decided > most)
        }

        @Test("Without layers for it, no GPU is opened")
        func none() throws {
            let runner = try SplitRunner(
                try SplitRunner.fixture("lfm2"), layerCount: 0,
                open: { () throws(GPUError) in throw .invalid("it was opened") })
            #expect(runner.device.pass == nil && runner.notices.withLock { $0 }.isEmpty)
            #expect(runner.report.use == DeviceUse())
        }

        @Test(
            "Whole or in pieces, alone or beside others, cut or from shared pages: the bits are the same",
            .enabled(if: !TestGPU.isBrief, TestGPU.brevity))
        func sameBits() throws {
            let cases: [(String, Int, KeyValueType)] =
                TestGPU.isEmulated
                ? [("lfm2", .max, .f16)]
                : [
                    ("lfm2", .max, .f16), ("lfm2", 2, .f16), ("llama", .max, .f16), ("llama", .max, .q8_0),
                    ("gemma3", .max, .q8_0), ("qwen2", .max, .f16), ("lfm2moe", .max, .f16),
                    ("qwen3moe", .max, .q8_0), ("gpt-oss", .max, .f16), ("gemma4", .max, .f16),
                    ("gemma3n", .max, .f16),
                ]
            for (name, layers, type) in cases {
                let model = try SplitRunner.model(name)
                let runner = try SplitRunner(model, layerCount: layers, keyValueType: type)
                try #require(runner.device.pass != nil)
                let tokens = SplitRunner.tokens(model, count: 150), expected = try runner.logits(tokens)
                #expect(try runner.logits(tokens) == expected)
                // Token by token for a model of each kind of layers.
                let isWhole = !TestGPU.isEmulated && layers == .max && ["lfm2", "gpt-oss"].contains(name)
                for chunk in [7, 64, 100] + (isWhole ? [1] : []) {
                    #expect(try runner.logits(tokens, chunk: chunk) == expected, "\(name) in pieces of \(chunk)")
                }

                // Beside another sequence, which is somewhere else.
                let other = SplitRunner.tokens(model, count: 40, seed: 2),
                    (first, second) = (
                        runner.makeSequence(), runner.makeSequence()
                    )
                _ = try runner.logits(Array(other[..<30]), in: second)
                _ = try runner.logits(Array(tokens[..<70]), in: first)
                let rows = try #require(
                    try runner.executor.run(
                        [
                            BatchSegment(sequence: second, tokens: other[30...], wanted: .none),
                            BatchSegment(sequence: first, tokens: tokens[70...], wanted: .all),
                        ], shouldContinue: { true }))
                let from = 70 * model.vocabularySize
                let (own, whole) = (Array(rows[1].values), Array(expected[from...]))
                #expect(own == whole, "\(name) beside another")

                // Cut within a page and gone on.
                let kept = first.truncate(to: 140)
                let rest = try runner.logits(Array(tokens[kept...]), in: first)
                let expectedRest = Array(expected[(kept * model.vocabularySize)...])
                #expect(rest == expectedRest, "\(name) cut to \(kept)")

                // From shared pages, in another sequence.
                let heir = runner.makeSequence()
                try heir.adopt(first.shared(upTo: 128), of: tokens)
                #expect(heir.count >= 64)
                let rested = try runner.logits(Array(tokens[heir.count...]), in: heir)
                #expect(rested == Array(expected.suffix(rested.count)), "\(name) from shared pages")
            }
        }

        @Test(
            "Commands are carried out again where other sequences of the batch have more pages or fewer than before",
            .enabled(if: !TestGPU.isBrief, TestGPU.brevity))
        func repeatedPages() throws {
            let model = try SplitRunner.model("lfm2"), runner = try SplitRunner(model, layerCount: .max)
            let tokens = SplitRunner.tokens(model, count: 140)
            func step(_ sequences: [SequenceState], _ token: Int) throws -> [[Float]] {
                let segments = sequences.map {
                    BatchSegment(sequence: $0, tokens: tokens[token..<token + 1], wanted: .last)
                }
                let rows = try runner.executor.run(segments, shouldContinue: { true })
                return (rows ?? []).map { Array($0.values) }
            }
            // The first sequence has three pages throughout, the second one and then two: its last page is the last of
            // the list.
            let (long, short, alone) = (runner.makeSequence(), runner.makeSequence(), runner.makeSequence())
            _ = try runner.logits(Array(tokens[..<132]), in: long)
            for sequence in [short, alone] { _ = try runner.logits(Array(tokens[..<20]), in: sequence) }
            #expect(try step([long, short], 20)[1] == step([alone], 20)[0])
            for sequence in [short, alone] { _ = try runner.logits(Array(tokens[21..<90]), in: sequence) }
            #expect(try step([long, short], 90)[1] == step([alone], 90)[0])
            // Fewer pages than the commands were recorded for.
            let other = runner.makeSequence(), otherAlone = runner.makeSequence()
            for sequence in [other, otherAlone] { _ = try runner.logits(Array(tokens[..<20]), in: sequence) }
            #expect(try step([long, other], 20)[1] == step([otherAlone], 20)[0])
        }

        @Test("A batch of which something is wanted in places only gives what one with everything wanted gives")
        func wanted() throws {
            // The last layers of Gemma's read the keys of others: in front of them rows that nothing is wanted of end.
            let cases: [(name: String, layers: Int)] =
                TestGPU.isEmulated
                ? [("lfm2", .max)] + (TestGPU.isBrief ? [] : [("gemma4", .max)])
                : [("lfm2", .max), ("llama", .max), ("gemma4", .max), ("gemma4", 2), ("gemma3n", .max)]
            for (name, layers) in cases {
                let model = try SplitRunner.model(name), runner = try SplitRunner(model, layerCount: layers)
                try #require(runner.device.pass != nil, "\(runner.notices.withLock { $0 })")
                let tokens = SplitRunner.tokens(model, count: TestGPU.isBrief ? 6 : 20)
                let all = try runner.logits(tokens + [tokens[0]])
                let parts = [BatchSegment.Wanted.last, .first, .suffix(3), .none]
                for wanted in TestGPU.isBrief ? [.suffix(3), .none] : parts {
                    let segment = BatchSegment(sequence: runner.makeSequence(), tokens: tokens[...], wanted: wanted)
                    let rows = try #require(try runner.executor.run([segment], shouldContinue: { true }))
                    let indices = segment.wantedIndices
                    let size = model.vocabularySize
                    let expected = Array(all[indices.lowerBound * size..<indices.upperBound * size])
                    #expect(Array(rows[0].values) == expected)
                    // What was kept of it is the same too.
                    let next = try runner.logits([tokens[0]], in: segment.sequence)
                    #expect(next == Array(all.suffix(size)))
                }
            }
        }

        /// Vectors in place of tokens, the same for a position whatever stands around it.
        private struct ImageVectors: InputVectors {
            let memory: AlignedMemory
            let length: Int

            init(_ values: [Float], length: Int) throws {
                self.length = length
                memory = try AlignedMemory(byteCount: values.count * 4, pool: MemoryPool())
                let floats = memory.base.assumingMemoryBound(to: Float.self)
                for (index, value) in values.enumerated() { floats[index] = value }
            }

            func vector(at position: Int) -> UnsafePointer<Float> {
                UnsafePointer(memory.base.assumingMemoryBound(to: Float.self) + position * length)
            }
        }

        @Test("Positions of a picture see all of it where the model's do, and the reply is the CPU's")
        func wholePictures() throws {
            let model = try SplitRunner.model("gemma4moe")
            #expect(model.layers.stack.needsWholeImages)
            var random = SeededGenerator(seed: 5)
            let (count, picture) = TestGPU.isBrief ? (14, 3..<10) : (40, 8..<30)
            var tokens = SplitRunner.tokens(model, count: count)
            for index in picture { tokens[index] = -1 }
            let width = model.embeddingLength
            let values = random.floats(tokens.count * width)
            func logits(_ layerCount: Int, _ values: [Float]) throws -> [Float] {
                let vectors = try ImageVectors(values, length: width)
                let runner = try SplitRunner(model, layerCount: layerCount, keyValueType: .f32)
                let segment = BatchSegment(
                    sequence: runner.makeSequence(), inputs: .tokens(tokens[...], vectors: vectors), wanted: .all)
                let rows = try runner.executor.run([segment], shouldContinue: { true })
                #expect(runner.report.use.passes == (layerCount > 0 ? 1 : 0))
                return rows?.first.map { Array($0.values) } ?? []
            }
            let expected = try logits(0, values), size = expected.reduce(0) { max($0, abs($1)) }
            for layers in TestGPU.isBrief ? [Int.max] : [Int.max, 1] {
                let own = try logits(layers, values)
                #expect(Self.difference(own[...], expected[...]) <= 1e-4 * size, "\(layers) layers")
            }
            // The last position of the picture, and no token behind it, matters to its first one.
            var other = values
            for index in (picture.upperBound - 1) * width..<picture.upperBound * width { other[index] += 1 }
            let start = picture.lowerBound * model.vocabularySize
            let first = start..<start + model.vocabularySize
            let changed = try logits(.max, other)
            #expect(Self.difference(changed[first], expected[first]) > 1e-3 * size)
        }

        @Test("Layers that a draft model reads stay with the CPU; a prompt's last position is the same besides")
        func captured() throws {
            let model = try SplitRunner.model("llama")
            let tokens = SplitRunner.tokens(model, count: TestGPU.isBrief ? 6 : 20)
            func last(_ layerCount: Int, captured: [Int]) throws -> [Float] {
                let runner = try SplitRunner(
                    model, layerCount: layerCount, keyValueType: .f32, readLayerCount: 1,
                    open: { () throws(GPUError) in try TestGPU.shared() })
                runner.executor.capturedLayers = captured
                let segment = BatchSegment(sequence: runner.makeSequence(), tokens: tokens[...], wanted: .last)
                let rows = try runner.executor.run([segment], shouldContinue: { true })
                #expect(runner.report.use.passes == (layerCount > 0 ? 1 : 0))
                #expect((runner.executor.capturedStreams?.count ?? 0) == (captured.isEmpty ? 0 : tokens.count))
                return rows?.first.map { Array($0.values) } ?? []
            }
            let expected = try last(0, captured: []), size = expected.reduce(0) { max($0, abs($1)) }
            try #require(expected.count == model.vocabularySize)
            #expect(Self.difference(try last(.max, captured: [0])[...], expected[...]) <= 1e-4 * size)
            #expect(try last(.max, captured: [0]) == last(.max, captured: []))
        }

        @Test(
            "Layers without kernels stay with the CPU, which a log line says; the output is the CPU's",
            arguments: [
                "gemma3n", "gemma4", "falcon-h1", "qwen3-odd-heads",
            ])
        func obstacles(name: String) throws {
            let model = try SplitRunner.fixture(name), runner = try SplitRunner(model, layerCount: .max)
            let notices = runner.notices.withLock { $0 }
            #expect(notices.count == 1 && notices[0].contains("stay"), "\(notices)")
            #expect(runner.report.use.note?.contains("stay") == true)
            let tokens = SplitRunner.tokens(model, count: 20)
            if runner.device.pass == nil {
                #expect(try runner.logits(tokens) == (try cpu(model).logits(tokens)))
            } else {
                #expect(!(try runner.logits(tokens)).isEmpty)
            }
        }

        @Test(
            "A model on a device without memory for a page stays with the CPU")
        func otherObstacles() throws {
            let model = try SplitRunner.fixture("llama")
            let small = try SplitRunner(
                model, layerCount: .max,
                open: { () throws(GPUError) in
                    let device = FaultyDevice(try TestGPU.open())
                    device.properties.memoryByteCount = 1000
                    return device
                })
            #expect(small.device.pass == nil)
            #expect(small.notices.withLock { $0 }.first?.contains("no memory") == true)
        }

        @Test("Batches with adapters are computed by the CPU, as without a GPU, which is said once")
        func adapters() throws {
            let model = try SplitRunner.fixture("llama"), tokens = SplitRunner.tokens(model, count: 5)
            var random = SeededGenerator(seed: 3)
            var writer = GGUFWriter()
            writer.set("general.architecture", "llama")
            writer.set("general.type", "adapter")
            writer.set("adapter.type", "lora")
            writer.set("adapter.lora.alpha", .float32(4))
            for tensor in model.file.tensors where tensor.name.hasSuffix("ffn_down.weight") {
                for (half, shape) in [("a", [tensor.shape[0], 2]), ("b", [2, tensor.shape[1]])] {
                    try writer.add(
                        tensor: "\(tensor.name).lora_\(half)", shape: shape,
                        floats: random.floats(shape[0] * shape[1]))
                }
            }
            let adapters = try AdapterSet([(try Adapter.load(file: try writer.file(), for: model), 1)])
            func adapted(_ runner: SplitRunner) throws -> [Float] {
                let sequence = runner.makeSequence()
                sequence.use(adapters)
                return try runner.logits(tokens, in: sequence)
            }
            let runner = try SplitRunner(model, layerCount: .max), plain = try runner.logits(tokens)
            for _ in 0..<2 { #expect(try adapted(runner) == (try adapted(try cpu(model)))) }
            #expect(runner.notices.withLock { $0 }.count { $0.contains("adapters") } == 1)
            #expect(try runner.logits(tokens) == plain)
            #expect(runner.report.use.passes == 2 && runner.report.use.processorPasses == 2)
        }

        @Test("Where a device has pages for one sequence only, the CPU computes the others, and says so once")
        func fewPages() throws {
            let model = try SplitRunner.fixture("llama")
            // Two pages for a sequence, or one.
            let tokens = SplitRunner.tokens(model, count: TestGPU.isBrief ? 4 : 70)
            let runner = try SplitRunner(
                model, layerCount: .max, contextSize: TestGPU.isBrief ? 60 : 80,
                open: { () throws(GPUError) in try TestGPU.open() })
            let pass = try #require(runner.device.pass)
            let sequences = (0..<4).map { _ in runner.makeSequence() }
            let logits = try sequences.map { try runner.logits(tokens, in: $0) }
            // Twice the context: the pages of two sequences.
            #expect(pass.batchCount == 2)
            #expect(logits[0] == logits[1])
            #expect(logits[2] == logits[3])
            #expect(logits[0] != logits[2])
            #expect(runner.notices.withLock { $0 }.count { $0.contains("are full") } == 1)
            let use = runner.report.use
            #expect(use.passes == 2 && use.processorPasses == 2 && use.failure == nil && use.layers == use.modelLayers)
        }

        @Test(
            "Of a context that the device's pages do not hold, the device computes the beginning and the CPU the rest",
            .enabled(if: !TestGPU.isBrief, TestGPU.brevity))
        func longContext() throws {
            let model = try SplitRunner.fixture("llama"), tokens = SplitRunner.tokens(model, count: 300)
            let expected = try cpu(model, .f32).logits(tokens)
            let layout = CacheLayout(model: model, keyValueType: .f32)
            let whole = try SplitRunner(model, layerCount: .max, keyValueType: .f32)
            let weights = try #require(whole.device.pass).model.weights.byteCount
            // Three pages and a spare one.
            let memory = TestGPU.memory(leaving: 4 * ((layout.pageByteCount + 255) & ~255), besides: weights)
            let runner = try SplitRunner(
                model, layerCount: .max, keyValueType: .f32,
                open: { () throws(GPUError) in
                    let device = FaultyDevice(try TestGPU.open())
                    device.properties.memoryByteCount = memory
                    return device
                })
            let pass = try #require(runner.device.pass, "\(runner.notices.withLock { $0 })")
            let logits = try runner.logits(tokens, chunk: 50)
            // 192 positions in whole pieces of 50.
            #expect(pass.batchCount == 3 && runner.report.use.processorPasses == 3)
            let size = expected.reduce(0) { max($0, abs($1)) }
            #expect(Self.difference(logits[...], expected[...]) <= size * 1e-4)
            #expect(runner.notices.withLock { $0 }.count { $0.contains("are full") } == 1)
        }

        @Test(
            "Experts that are more than a kernel sees, and devices that cannot be used, leave all layers with the CPU")
        func unusable() throws {
            let model = try SplitRunner.fixture("qwen3moe"), tokens = SplitRunner.tokens(model, count: 9)
            let expected = try cpu(model).logits(tokens)
            func runner(_ open: @escaping () throws(GPUError) -> any GPUDevice) throws -> SplitRunner {
                try SplitRunner(model, layerCount: .max, open: open)
            }
            let small = try runner { () throws(GPUError) in
                let device = FaultyDevice(try TestGPU.open())
                device.properties.bindingByteCount = 20_000
                return device
            }
            #expect(small.report.use.note?.contains("more than a kernel can address") == true, "\(small.report.use)")
            let old = try runner { () throws(GPUError) in
                throw .unusable(device: "Old", reason: "its driver has no 16-bit storage")
            }
            #expect(old.report.use.note == "Old is not used: its driver has no 16-bit storage")
            let gone = try runner { () throws(GPUError) in try TestGPU.open(at: 4_294_967_295) }
            #expect(gone.report.use.note?.contains("there is no GPU 4294967295") == true)
            for runner in [small, old, gone] {
                #expect(runner.device.pass == nil && runner.report.use.layers == 0)
                #expect(runner.notices.withLock { $0 }.first?.contains("the CPU runs every layer") == true)
                #expect(try runner.logits(tokens) == expected)
            }
        }

        @Test("Experts have more rows together than a dispatch has, each of them fewer")
        func manyExperts() throws {
            let model = try SplitRunner.fixture("qwen3moe")
            let tokens = SplitRunner.tokens(model, count: TestGPU.isBrief ? 3 : 9)
            let expected = try SplitRunner(model, layerCount: .max).logits(tokens)
            let runner = try SplitRunner(
                model, layerCount: .max,
                open: { () throws(GPUError) in
                    let device = FaultyDevice(try TestGPU.open())
                    device.properties.groupCounts[0] = 32
                    return device
                })
            #expect(runner.device.pass != nil, "\(runner.notices.withLock { $0 })")
            #expect(try runner.logits(tokens) == expected)
            #expect(runner.report.use.passes == 1)
        }

        @Test("A matrix above the longest binding is split at rows, and weights are copied where they cannot be shared")
        func smallBindings() throws {
            let model = try SplitRunner.fixture("lfm2")
            let all = SplitRunner.tokens(model, count: TestGPU.isBrief ? 25 : 30)
            let expected = try SplitRunner(model, layerCount: .max).logits(all)
            for isUnified in [true, false] {
                // Logits of all are longer than a binding too, which once is enough.
                let tokens = Array(all.prefix(TestGPU.isBrief && !isUnified ? 3 : all.count))
                let runner = try SplitRunner(
                    model, layerCount: .max,
                    open: { () throws(GPUError) in
                        let device = FaultyDevice(try TestGPU.open())
                        // The vocabulary is 512 rows of 256 bytes, and logits are as many floats.
                        device.properties.bindingByteCount = 50_000
                        device.properties.isUnified = isUnified
                        return device
                    })
                #expect(runner.device.pass != nil, "\(runner.notices.withLock { $0 })")
                #expect(try runner.logits(tokens) == Array(expected.prefix(tokens.count * model.vocabularySize)))
            }
        }

        @Test("The identity of kept state names the device and the split")
        func arithmetic() throws {
            let model = try SplitRunner.fixture("lfm2")
            let names = try [0, 1, 2, Int.max].map {
                try SplitRunner(model, layerCount: $0).executor.memory.arithmetic
            }
            #expect(Set(names).count == names.count, "\(names)")
            #expect(try names[1].contains(TestGPU.open().properties.name))
        }

        @Test(
            "Norms behind blocks take two dispatches more for a layer, biases and pages in q8_0 one, a mixture four, one with biases nine",
            arguments: TestGPU.cases(
                [
                    ("llama", KeyValueType.f16, 10), ("llama", .q8_0, 11), ("gemma3", .f16, 12), ("qwen2", .f16, 11),
                    ("qwen2", .q8_0, 12), ("qwen3moe", .f16, 14),
                    // Biases of queries, keys and values, of the output, and those of the mixture.
                    ("gpt-oss", .f16, 21),
                ], brief: 2))
        func furtherDispatches(name: String, type: KeyValueType, perLayer: Int) throws {
            let model = try SplitRunner.fixture(name)
            let runner = try SplitRunner(model, layerCount: .max, keyValueType: type)
            _ = try runner.logits([5], in: runner.makeSequence())
            let dispatchCount = try #require(runner.device.pass).dispatchCount
            #expect(dispatchCount == perLayer * model.layers.stack.layers.count + 3)
        }

        @Test(
            "Layers that read the keys of others take two dispatches less, vectors of tokens four more, and streams side by side most of all",
            arguments: TestGPU.cases([("gemma4", 95), ("gemma4moe", 69), ("gemma3n", 240)], brief: 1))
        func gemmaDispatches(name: String, count: Int) throws {
            let model = try SplitRunner.model(name), runner = try SplitRunner(model, layerCount: .max)
            _ = try runner.logits([5], in: runner.makeSequence())
            let dispatchCount = try #require(runner.device.pass).dispatchCount
            #expect(dispatchCount == count)
        }

        @Test("A token takes 7 dispatches for a convolution layer, 10 for an attention layer, and 3 behind the layers")
        func dispatches() throws {
            let model = try SplitRunner.demo(), runner = try SplitRunner(model, layerCount: .max)
            _ = try runner.logits([5])
            // Five and three of them; LFM2-1.2B, which has 10 and 6, takes 133.
            let dispatchCount = try #require(runner.device.pass).dispatchCount
            #expect(dispatchCount == 68)
        }
    }
}
