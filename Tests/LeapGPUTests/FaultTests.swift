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
            var (unused, taken) = (0, 0)
            for call in calls {
                let device = FaultyDevice(gpu, compiled: compiled)
                device.fault = (call, errors[call % errors.count])
                let runner = try runner(model, layerCount: layers, device)
                #expect(try runner.reply(prompt, count: count) == expected, "call \(call)")
                let notices = runner.notices.withLock { $0 }
                if let pass = runner.device.pass {
                    if pass.fault == nil {
                        // Memory that a driver does not take is copied.
                        #expect(call < loadCount && pass.batchCount == count)
                        unused += 1
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
            #expect(taken == calls.count { $0 >= loadCount } && unused < 10)
        }

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
            "A device that leaves out a kernel is found out at load, whichever it is",
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
            #expect(try runner(model, layerCount: .max, sound).device.pass != nil)
            let entries = Set(compiled.pipelines.keys.map(\.entry))
            #expect(entries.count == count, "\(entries.sorted())")
            for entry in entries {
                let device = FaultyDevice(gpu, compiled: compiled)
                device.ignored = entry
                let runner = try runner(model, layerCount: .max, device)
                #expect(runner.device.pass == nil, "\(entry)")
                #expect(runner.notices.withLock { $0 }.first?.contains("wrong results") == true, "\(entry)")
            }
        }
    }
}
