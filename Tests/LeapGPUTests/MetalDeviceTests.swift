import LeapModel

#if LEAP_METAL_TESTS && !canImport(Darwin)
    import Foundation
    import LeapBase
    import LeapDevices
    import LeapDevicesOverStub
    import LeapGPU
    import LeapTestSupport
    import Metal
    import Testing

    @testable import LeapMetalOverStub

    extension GPUTests {
        /// The behaviour of Metal alone, over a stub whose device compiles the kernels' text and runs it on the
        /// processor.
        struct MetalDeviceTests {
            private let stub = StubDevice()

            /// Adds two lists, and waits.
            private func add(_ gpu: TestGPU, seconds: Double = 60) throws -> [Float] {
                let ones = try gpu.buffer([Float](repeating: 1, count: 200)), out = try gpu.output(200)
                let commands = try gpu.device.makeCommands(), pipeline = try gpu.device.makePipeline(.add)
                try commands.dispatch(
                    pipeline, [GPUBinding(ones), GPUBinding(ones), GPUBinding(out)], constants: [200],
                    groups: (2, 1, 1))
                try commands.submit()
                // Commands that still run are never let go: that would wait for them.
                if stub.withState({ $0.isHanging }) { _ = Unmanaged.passRetained(commands as AnyObject) }
                try commands.wait(seconds: seconds)
                return out.floats
            }

            private static let twos = [Float](repeating: 2, count: 200)

            @Test("A device is found by its number and name, and refused where its family has no shuffles")
            func devices() throws {
                for choice in ["0", "apple gpu", nil] {
                    let properties = try MetalDevices.open(choice).properties
                    #expect(properties.name == "Emulated Apple GPU" && properties.kind == .integrated)
                    #expect(properties.isUnified && properties.hostMemoryAlignment == Int(getpagesize()))
                    #expect(properties.driver.contains(MetalKernelText.identity))
                }
                #expect(try LeapDevicesOverStub.SystemGPUs.open("0") is MetalDevice)
                #expect(throws: GPUError.noDeviceNamed("llvmpipe", names: ["Emulated Apple GPU"])) {
                    try MetalDevices.open("llvmpipe")
                }
                stub.withState { $0.families = [.apple5] }
                #expect(throws: GPUError.self) { try MetalDevice(stub) }
                stub.withState {
                    $0.families = [.apple6]
                    $0.hasUnifiedMemory = false
                }
                #expect(try MetalDevice(stub).properties.kind == .discrete)
            }

            @Test(
                "Why commands failed is known, and the next ones are carried out",
                arguments: [
                    (MTLCommandBufferError.Code.outOfMemory, GPUError.outOfMemory(byteCount: 0)),
                    (.notPermitted, .inBackground), (.timeout, .stopped), (.pageFault, .lost),
                    (.unnamedImpactingInteractivity, .stopped),
                    (.internal, .driver(operation: "computing", result: 1)),
                ])
            func failures(code: MTLCommandBufferError.Code, error: GPUError) throws {
                let gpu = try TestGPU(try MetalDevice(stub))
                stub.withState { $0.failures = [code] }
                #expect(throws: error) { try add(gpu) }
                #expect(try add(gpu) == Self.twos)
            }

            @Test("Commands that do not end are waited for as long as was asked for")
            func hanging() throws {
                let gpu = try TestGPU(try MetalDevice(stub))
                stub.withState { $0.isHanging = true }
                #expect(throws: GPUError.timedOut(seconds: 0.01)) { try add(gpu, seconds: 0.01) }
            }

            @Test("In the background nothing is given to the GPU, whose memory is let go; both come back with the app")
            func background() throws {
                let gpu = try TestGPU(try MetalDevice(stub))
                #expect(try add(gpu) == Self.twos)
                #expect(stub.residency.isRequested)
                let count = stub.withState { $0.commandBufferCount }
                NotificationCenter.default.post(name: MetalNotices.didEnterBackground, object: nil)
                #expect(!stub.residency.isRequested)
                #expect(throws: GPUError.inBackground) { try add(gpu) }
                #expect(stub.withState { $0.commandBufferCount } == count)
                NotificationCenter.default.post(name: MetalNotices.willEnterForeground, object: nil)
                #expect(try add(gpu) == Self.twos)
                #expect(stub.residency.isRequested)
            }

            @Test(
                "Buffers are in the residency set while they live; where memory is short it is let go until it is used")
            func residency() throws {
                let gpu = try TestGPU(try MetalDevice(stub))
                let kept = try gpu.device.makeBuffer(byteCount: 4096)
                #expect(try add(gpu) == Self.twos)
                // Without the two lists of the addition, which are gone.
                #expect(stub.residency.byteCount == 4096)
                StubMemoryPressure.warn()
                #expect(!stub.residency.isRequested)
                #expect(try add(gpu) == Self.twos)
                #expect(stub.residency.isRequested)
                withExtendedLifetime(kept) {}
                let other = try gpu.device.makeCommands()
                try other.submit()
                #expect(stub.residency.byteCount == 4096)
                try other.wait(seconds: 60)
            }

            @Test("Residency is requested again while a system lets go of what is not used, until a minute is over")
            func heartbeat() throws {
                let beats = Locked<[@Sendable () -> Void]>([]), queue = try #require(stub.makeCommandQueue())
                let made = MetalResidency(stub, queue) { beat in beats.withLock { $0.append(beat) } }
                let residency = try #require(made)
                func beat() {
                    let due = beats.withLock { all -> [@Sendable () -> Void] in
                        defer { all = [] }
                        return all
                    }
                    for next in due { next() }
                }
                residency.use()
                residency.use()
                #expect(stub.residency.isRequested && beats.withLock { $0.count } == 1)
                for _ in 0..<MetalResidency.beatCount {
                    stub.unwire()
                    #expect(!stub.residency.isRequested)
                    beat()
                    #expect(stub.residency.isRequested)
                }
                beat()
                #expect(!stub.residency.isRequested && beats.withLock { $0.isEmpty })
                // Commands begin it anew; a lack of memory ends it at once.
                residency.use()
                #expect(stub.residency.isRequested)
                residency.end()
                beat()
                #expect(!stub.residency.isRequested && beats.withLock { $0.isEmpty })
                // What a system let go of is requested before commands.
                residency.use()
                stub.unwire()
                residency.use()
                #expect(stub.residency.isRequested)
            }

            @Test("A buffer that is gone is in no residency set, also where no commands follow")
            func goneBuffers() throws {
                let device = try MetalDevice(stub)
                var kept: (any GPUBuffer)? = try device.makeBuffer(byteCount: 4096)
                let commands = try device.makeCommands()
                try commands.submit()
                try commands.wait(seconds: 60)
                #expect(stub.residency.byteCount == 4096)
                kept = nil
                #expect(stub.residency.byteCount == 0 && kept == nil)
            }

            @Test("Kernels that a model needs are compiled at the same time, each once")
            func compilation() throws {
                let arrived = Locked(0), both = DispatchSemaphore(value: 0), missed = Locked(0)
                stub.withState {
                    $0.onCompilation = { _ in
                        if arrived.withLock({
                            $0 += 1
                            return $0
                        }) == 2 {
                            both.signal()
                            both.signal()
                        }
                        // Ends only where two are here.
                        if both.wait(timeout: .now() + 60) != .success { missed.withLock { $0 += 1 } }
                    }
                }
                let device = try MetalDevice(stub)
                device.prepare([.add, .gather])
                _ = try device.makePipeline(.add)
                _ = try device.makePipeline(.gather)
                _ = try device.makePipeline(.add)
                #expect(arrived.withLock { $0 } == 2 && missed.withLock { $0 } == 0)
            }

            @Test(
                "A model has its kernels compiled before it needs the first, no others, and those of one type at once")
            func compiledKernels() throws {
                let names = Locked<Set<String>>([]), texts = Locked<[String]>([])
                stub.withState {
                    $0.onCompilation = { text in texts.withLock { $0.append(text) } }
                    $0.onFunction = { name in names.withLock { _ = $0.insert(name) } }
                }
                let runner = try SplitRunner(
                    try SplitRunner.fixture("lfm2"), layerCount: .max,
                    open: { [stub] () throws(GPUError) in try MetalDevice(stub) })
                #expect(runner.device.pass != nil, "\(runner.notices.withLock { $0 })")
                let products: Set = ["vector_product", "matrix_product", "pair_product"]
                let others: Set = [
                    "rms_norm", "gather", "place_f16", "attention_f16", "attention_page_f16", "attention_join",
                    "short_convolution",
                ]
                #expect(names.withLock { $0 } == products.union(others))
                // The products are of one type of weights.
                #expect(texts.withLock { $0.count } == others.count + 1)
            }

            @Test("Weights are read where the file is mapped")
            func mappedWeights() throws {
                let model = try SplitRunner.demo()
                let runner = try SplitRunner(
                    model, layerCount: .max, open: { [stub] () throws(GPUError) in try MetalDevice(stub) })
                #expect(runner.device.pass != nil, "\(runner.notices.withLock { $0 })")
                let bytes = model.layers.stack.layers.count * 100_000
                let shared = stub.withState { $0.sharedByteCount }
                #expect(shared > bytes)
            }

            @Test("A text that does not compile is refused with what the compiler said")
            func refusedText() throws {
                var text = try #require(try MetalKernelText.of(.add))
                let whole = text
                text.source.replace("= outputs_1", with: "= nothing")
                guard case .failure(let refusal) = MetalCompiler.compile(text, stub) else {
                    Issue.record("it was compiled")
                    return
                }
                #expect(refusal.code == .compilation && refusal.field == "add" && refusal.message.contains("nothing"))
                stub.withState { $0.threadExecutionWidth = 16 }
                let narrow = MetalCompiler.compile(whole, stub)
                let error = #expect(throws: GPUError.self, "SIMD-groups of 16 were accepted") { try narrow.get() }
                #expect(error?.code == .unusable)
            }
        }
    }
#endif
