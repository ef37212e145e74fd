import LeapBase
import LeapCPU
import LeapCompute
import LeapDevices
import LeapModel
import LeapTokenizer
import Testing

@testable import LeapGPU

extension GPUTests {
    /// The memory that a device gives for pages.
    struct ChunkTests {
        @Test("A device without memory for pages keeps its layers, and computes them when it has memory")
        func refusal() throws {
            let model = try SplitRunner.fixture("llama"), tokens = SplitRunner.tokens(model, count: 3)
            let device = FaultyDevice(try TestGPU.open())
            let runner = try SplitRunner(
                model, layerCount: 1, contextSize: 64, open: { () throws(GPUError) in device })
            let pass = try #require(runner.device.pass, "\(runner.notices.withLock { $0 })")
            #expect(pass.arena.chunks.isEmpty)
            device.isFull = true
            let expected = try SplitRunner(model, layerCount: 0).logits(tokens)
            #expect(try runner.logits(tokens) == expected)
            #expect(runner.notices.withLock { $0 }.count { $0.contains("no memory for keys") } == 1)
            device.isFull = false
            for _ in 0..<StateArena.refusalCount { _ = try pass.arena.take(byteCount: 1, pool: MemoryPool()) }
            _ = try runner.logits(tokens)
            let use = runner.report.use
            #expect(use.passes == 1 && use.processorPasses == 1 && use.failure == nil && use.layers == 1)
            #expect(pass.arena.chunks.count == 1)
        }

        @Test(
            "Where attention to pages side by side computes wrong results, pages lie in one buffer",
            .enabled(if: !TestGPU.isBrief, TestGPU.brevity))
        func oneBuffer() throws {
            let model = try SplitRunner.fixture("llama"), tokens = SplitRunner.tokens(model, count: 70)
            let slot = (CacheLayout(model: model, keyValueType: .f16).pageByteCount + 255) & ~255
            let device = try #require(try TestGPU.shared() as? FaultyDevice)
            let alignment = device.properties.hostMemoryAlignment ?? 1
            device.properties.bindingByteCount = (3 * slot + alignment - 1) / alignment * alignment
            device.ignored = GPUKernel.attentionJoin.entry
            let runner = try SplitRunner(model, layerCount: .max, open: { () throws(GPUError) in device })
            let pass = try #require(runner.device.pass, "\(runner.notices.withLock { $0 })")
            #expect(!pass.arena.isGrowing)
            let expected = try SplitRunner(model, layerCount: .max).logits(tokens)
            #expect(try runner.logits(tokens) == expected)
            #expect(pass.arena.chunks.count == 1 && runner.report.use.processorPasses == 0)
        }

        @Test(
            "Logits have the same bits where pages lie in several buffers, also those of conversations side by side",
            arguments: TestGPU.cases([KeyValueType.f16, .f32, .q8_0], brief: 1))
        func bits(type: KeyValueType) throws {
            let model = try SplitRunner.fixture("llama"), layerCount = TestGPU.isBrief ? 1 : Int.max
            let count = TestGPU.isBrief ? 66 : 300
            let one = SplitRunner.tokens(model, count: count), other = SplitRunner.tokens(model, count: count, seed: 2)
            let slot = (CacheLayout(model: model, keyValueType: type).pageByteCount + 255) & ~255
            let whole = try SplitRunner(model, layerCount: layerCount, keyValueType: type)
            let runner = try SplitRunner(
                model, layerCount: layerCount, keyValueType: type,
                open: { () throws(GPUError) in
                    let device = FaultyDevice(try TestGPU.open())
                    // Two pages and a spare one, or one and a spare one.
                    let alignment = device.properties.hostMemoryAlignment ?? 1
                    let byteCount = (TestGPU.isBrief ? 2 : 3) * slot
                    device.properties.bindingByteCount = (byteCount + alignment - 1) / alignment * alignment
                    return device
                })
            let pass = try #require(runner.device.pass, "\(runner.notices.withLock { $0 })")
            #expect(pass.arena.isGrowing && pass.arena.chunks.isEmpty)
            let sequences = [runner.makeSequence(), runner.makeSequence()]
            var logits: [[Float]] = [[], []]
            for start in stride(from: 0, to: count, by: 50) {
                for (index, tokens) in [one, other].prefix(TestGPU.isBrief ? 1 : 2).enumerated() {
                    let part = Array(tokens[start..<min(start + 50, count)])
                    logits[index] += try runner.logits(part, in: sequences[index])
                }
            }
            #expect(runner.report.use.processorPasses == 0, "\(runner.notices.withLock { $0 })")
            #expect(pass.arena.chunks.count > 1 && pass.arena.slotCount >= count / StatePage.length)
            #expect(logits[0] == (try whole.logits(one, chunk: 50)))
            if !TestGPU.isBrief { #expect(logits[1] == (try whole.logits(other, chunk: 50))) }
        }
    }
}
