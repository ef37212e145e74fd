import LeapBase
import LeapCPU
import LeapCompute
import LeapDevices
import LeapGPU
import LeapModel
import LeapTokenizer
import Testing

extension GPUTests {
    /// Devices that fail or lie: the reply goes on, on the processor.
    struct FaultTests {
        private let gpu: any GPUDevice
        private let compiled = CompiledKernels()

        init() throws { gpu = try TestGPU.open() }

        private func runner(_ model: Model, layerCount: Int, _ device: FaultyDevice) throws -> SplitRunner {
            try SplitRunner(
                model, layerCount: layerCount, keyValueType: .f32, contextSize: 256,
                open: { () throws(GPUError) in device })
        }

        @Test(
            "At whatever call of a whole reply a device fails, from its opening to the last token, the reply is the same"
        )
        func everyCall() throws {
            let model = try SplitRunner.fixture("lfm2"),
                prompt = SplitRunner.tokens(model, count: TestGPU.isBrief ? 5 : 70)
            // The last layers are of both kinds.
            let layers = 2, count = 4
            let expected = try SplitRunner(model, layerCount: 0, keyValueType: .f32).reply(prompt, count: count)
            let sound = FaultyDevice(gpu, compiled: compiled), whole = try runner(model, layerCount: layers, sound)
            let loadCount = sound.callCount
            #expect(try whole.reply(prompt, count: count) == expected)
            #expect(whole.device.pass?.batchCount == count)
            let total = sound.callCount
            print(
                "calls while a model is loaded: \(loadCount), and in a reply of \(count) tokens: \(total - loadCount)")
            let errors: [GPUError] = [
                .lost, .outOfMemory(byteCount: 1), .driver(operation: "a call", result: -13), .invalid("a call"),
            ]
            let calls = TestGPU.cases(stride(from: 0, to: total, by: TestGPU.isEmulated ? 7 : 1).map { $0 }, brief: 6)
            var (unused, taken, retried) = (0, 0, 0)
            for call in calls {
                let device = FaultyDevice(gpu, compiled: compiled)
                device.fault = (call, errors[call % errors.count])
                let runner = try runner(model, layerCount: layers, device)
                #expect(try runner.reply(prompt, count: count) == expected, "call \(call)")
                let notices = runner.notices.withLock { $0 }
                if let pass = runner.device.pass {
                    if pass.fault == nil {
                        // Memory that a driver does not take is copied, and pages are asked for in another way.
                        #expect((call < loadCount || device.refusedMemory) && pass.batchCount == count)
                        if call < loadCount { unused += 1 } else { retried += 1 }
                        #expect(runner.report.use.failure == nil)
                    } else {
                        #expect(call >= loadCount && pass.batchCount < count)
                        #expect(notices.count == 2 && notices[1].contains("from here on"), "\(notices)")
                        taken += 1
                        let use = runner.report.use
                        #expect(use.failure == pass.fault.map { "\($0)" } && use.layers == 0 && !use.computesHead)
                        #expect(use.passes == pass.batchCount && use.passes + use.processorPasses == count)
                    }
                } else {
                    #expect(call < loadCount && notices.count == 1, "call \(call): \(notices)")
                    #expect(runner.report.use.device == nil && runner.report.use.note != nil)
                }
            }
            // Compiled kernels are shared, and so counted once.
            #expect(taken + retried == calls.count { $0 >= loadCount } && unused < 10 && retried < 3)
        }

        /// The devices that were opened, in order.
        private final class Openings {
            var devices: [FaultyDevice] = []
        }

        /// Beginnings of the entry points of kernels that others stand in for.
        private static let replaced = [
            "vector_", "matrix_", "pair_", "tiles_", "attention_group_", "attention_page_", "attention_join",
        ]

        @Test("A device that does not answer counts as lost: what it may still write is left alone")
        func timeout() throws {
            let model = try SplitRunner.fixture("lfm2"),
                prompt = SplitRunner.tokens(model, count: TestGPU.isBrief ? 5 : 70)
            let count = TestGPU.isBrief ? 4 : 6
            let expected = try SplitRunner(model, layerCount: 0, keyValueType: .f32).reply(prompt, count: count)
            let sound = FaultyDevice(gpu, compiled: compiled), whole = try runner(model, layerCount: .max, sound)
            _ = try whole.reply(prompt, count: 1)
            let afterOne = sound.callCount
            let device = FaultyDevice(gpu, compiled: compiled)
            // The wait of the first token.
            device.fault = (afterOne - 1, .timedOut(seconds: 1))
            let runner = try runner(model, layerCount: .max, device)
            #expect(try runner.reply(prompt, count: count) == expected)
            #expect(runner.device.pass?.fault == .timedOut(seconds: 1))
            // Pages come from elsewhere now.
            #expect(try runner.reply(prompt, count: count) == expected)
        }

        @Test(
            "Work that a watchdog ended is computed again in shorter submissions, twice; then the processor takes over",
            arguments: [
                (GPUError.stopped, 1), (.stopped, 2), (.stopped, 3), (.reset, 1), (.reset, 3),
            ].suffix(TestGPU.isBrief ? 3 : 5))
        func watchdog(error: GPUError, killCount: Int) throws {
            let model = try SplitRunner.fixture("lfm2"),
                prompt = SplitRunner.tokens(model, count: TestGPU.isBrief ? 5 : 70)
            let count = TestGPU.isBrief ? 3 : 5
            let sound = try runner(model, layerCount: 2, FaultyDevice(gpu, compiled: compiled))
            let expected = try sound.reply(prompt, count: count)
            let opened = Openings()
            let runner = try SplitRunner(
                model, layerCount: 2, keyValueType: .f32, contextSize: 256,
                open: { [gpu, compiled] () throws(GPUError) in
                    let device = FaultyDevice(gpu, compiled: compiled)
                    // A device that was opened again is the same one.
                    device.kills = opened.devices.last?.kills
                    opened.devices.append(device)
                    return device
                })
            // The second token's.
            let sequence = runner.makeSequence(), first = try runner.reply(prompt, count: 1, in: sequence)
            opened.devices.last?.kills = (killCount, error)
            let rest = try runner.reply(first, count: count - 1, in: sequence)
            #expect(first + rest == expected)
            let pass = try #require(runner.device.pass)
            // Memory of a device's own is lost with it.
            let isKept = error == .stopped || gpu.properties.isUnified
            let goesOn = killCount < 3 && isKept
            #expect((pass.fault == nil) == goesOn && pass.batchCount == (goesOn ? count : 1))
            #expect(opened.devices.count == (error == .stopped ? 1 : isKept ? min(killCount, 2) + 1 : 2))
            let notices = runner.notices.withLock { $0 }
            #expect(notices.contains { $0.contains("gets less at a time") } == isKept)
            #expect(notices.contains { $0.contains("from here on") } == !goesOn)
        }

        @Test("While an app is in the background the processor computes; the device goes on when it is back")
        func background() throws {
            let model = try SplitRunner.fixture("lfm2"),
                prompt = SplitRunner.tokens(model, count: TestGPU.isBrief ? 5 : 70)
            let count = TestGPU.isBrief ? 4 : 6
            let expected = try SplitRunner(model, layerCount: 0, keyValueType: .f32).reply(prompt, count: count)
            let sound = FaultyDevice(gpu, compiled: compiled), whole = try runner(model, layerCount: 2, sound)
            _ = try whole.reply(prompt, count: 2)
            let afterTwo = sound.callCount
            let device = FaultyDevice(gpu, compiled: compiled)
            // The second token: its last call, which waits.
            device.fault = (afterTwo - 1, .inBackground)
            let runner = try runner(model, layerCount: 2, device)
            #expect(try runner.reply(prompt, count: count) == expected)
            let pass = try #require(runner.device.pass)
            #expect(pass.fault == nil && pass.batchCount == count - 1)
            #expect(runner.notices.withLock { $0 }.count { $0.contains("in the background") } == 1)
        }

        @Test(
            "A kernel that a device leaves out is found and named at load; without some of them the device computes",
            arguments: [
                ("demo", KeyValueType.f32, 10), ("gemma3", .q8_0, 11), ("qwen2", .f16, 10), ("lfm2moe", .f16, 13),
                ("qwen3moe", .f32, 12), ("qwen35", .f16, 14), ("qwen35moe", .f16, 18), ("lfm3", .f16, 12),
                ("granitehybrid", .f16, 16), ("gemma4", .f16, 11), ("gemma4moe", .f16, 13), ("gemma3n", .f16, 18),
                ("gpt-oss", .f16, 14),
            ].suffix(TestGPU.isEmulated ? 1 : 13))
        func lies(name: String, type: KeyValueType, count: Int) throws {
            let model = try name == "demo" ? SplitRunner.demo() : SplitRunner.model(name)
            let sound = FaultyDevice(gpu, compiled: compiled)
            func runner(_ model: Model, layerCount: Int, _ device: FaultyDevice) throws -> SplitRunner {
                try SplitRunner(
                    model, layerCount: layerCount, keyValueType: type, contextSize: 256,
                    open: { () throws(GPUError) in device })
            }
            let whole = try runner(model, layerCount: .max, sound), tokens: [TokenID] = [5, 9, 3]
            #expect(whole.device.pass != nil)
            let logits = try whole.logits(tokens)
            let entries = Set(compiled.pipelines.keys.map(\.entry))
            #expect(entries.count == count, "\(entries.sorted())")
            for entry in entries {
                let device = FaultyDevice(gpu, compiled: compiled)
                device.ignored = entry
                let runner = try runner(model, layerCount: .max, device)
                let first = runner.notices.withLock { $0 }.first
                #expect(first?.contains("wrong results") == true, "\(entry)")
                guard Self.replaced.contains(where: { entry.hasPrefix($0) }) else {
                    #expect(runner.device.pass == nil, "\(entry)")
                    continue
                }
                #expect(first?.contains("with the kernel \(entry): it computes with other kernels") == true)
                #expect(runner.device.pass != nil && runner.report.use.layers > 0, "\(entry)")
                // Matrix units round, and the kernels in their place do not.
                if !entry.hasPrefix("tiles_") { #expect(try runner.logits(tokens) == logits, "\(entry)") }
            }
        }
    }
}
