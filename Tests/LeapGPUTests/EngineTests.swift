// Engines open the devices of the system, which on Linux are Vulkan's.
import LeapCompute

#if !LEAP_METAL_TESTS
    import LeapBase
    import LeapDevices
    import LeapEngine
    import LeapGPU
    import LeapModel
    import LeapTokenizer
    import Testing

    extension GPUTests {
        /// Engines whose layers a GPU computes.
        struct EngineTests {
            private func engine(_ model: Model, layers: Int = .max) throws -> Engine {
                var options = EngineOptions()
                options.threads = 1
                options.gpuLayers = layers
                options.gpuDevice = TestGPU.first.map(String.init)
                return try Engine(model: model, options: options, devices: SystemDevices())
            }

            /// The tokens of a reply, and why it ended.
            private func reply(
                _ engine: Engine, _ prompt: [TokenID], count: Int, onToken: @Sendable (Int) -> Void = { _ in }
            ) async -> (tokens: [TokenID], reason: GenerationResult.Reason?) {
                let session = engine.makeSession()
                var (tokens, reason): ([TokenID], GenerationResult.Reason?) = ([], nil)
                for await event in session.events(
                    GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: count))
                {
                    switch event {
                    case .token(let token):
                        tokens.append(token)
                        onToken(tokens.count)
                    case .finished(let result): reason = result.reason
                    case .prefill, .speech: break
                    }
                }
                return (tokens, reason)
            }

            @Test("Two engines compute on one device at the same time, each as it does alone")
            func together() async throws {
                let models = [try SplitRunner.fixture("lfm2"), try SplitRunner.fixture("llama")]
                let prompts = models.map { SplitRunner.tokens($0, count: 50) }
                var alone: [[TokenID]] = []
                for (model, prompt) in zip(models, prompts) {
                    let engine = try engine(model)
                    alone.append(await reply(engine, prompt, count: 12).tokens)
                    await engine.unload()
                }
                let engines = try models.map { try engine($0) }
                let both = await withTaskGroup(of: (Int, [TokenID]).self) { group in
                    for round in 0..<6 {
                        let (engine, prompt) = (engines[round % 2], prompts[round % 2])
                        group.addTask { (round % 2, await self.reply(engine, prompt, count: 12).tokens) }
                    }
                    return await group.reduce(into: [(Int, [TokenID])]()) { $0.append($1) }
                }
                #expect(both.count == 6)
                for (index, tokens) in both { #expect(tokens == alone[index]) }
                for engine in engines {
                    let use = try #require(engine.statistics.gpu)
                    #expect(use.passes > 0 && use.failure == nil && use.layers == use.modelLayers && use.layers > 0)
                    await engine.unload()
                }
            }

            @Test(
                "Either switch has the encoder of pictures on the device; the figures and the pictures' identity tell so"
            )
            func imageEncoder() async throws {
                let model = try SplitRunner.fixture("vision/vision"), encoder = try MadeTower.sigLIP.encoder()
                for (layers, decodesAudio) in [(0, false), (1, false), (0, true)] {
                    var options = EngineOptions()
                    (options.threads, options.gpuLayers, options.decodesAudioOnGPU) = (1, layers, decodesAudio)
                    options.gpuDevice = TestGPU.first.map(String.init)
                    let engine = try Engine(
                        model: model, encoders: [encoder], options: options, devices: SystemDevices())
                    let use = engine.statistics.imageEncoderGPU
                    #expect((engine.statistics.gpu != nil) == (layers > 0) && engine.statistics.audioDecoderGPU == nil)
                    #expect((use?.layers == 2) == (layers > 0 || decodesAudio) && use?.note == nil)
                    #expect(
                        engine.encoderArithmetic.map { $0.contains(use?.device ?? "none") } == use.map { _ in true })
                    await engine.unload()
                }
            }

            @Test(
                "An engine that is unloaded while the device computes ends its replies, and the device serves the next one"
            )
            func unload() async throws {
                let model = try SplitRunner.demo(), prompt = SplitRunner.tokens(model, count: 20)
                for count in 1...4 {
                    let engine = try engine(model)
                    let (told, tell) = AsyncStream<Void>.makeStream()
                    async let reply = reply(engine, prompt, count: 400) { if $0 == count { tell.finish() } }
                    for await _ in told {}
                    await engine.unload()
                    let (tokens, reason) = await reply
                    #expect(tokens.count >= count && tokens.count < 400)
                    guard case .cancelled? = reason else {
                        Issue.record("it ended otherwise: \(String(describing: reason))")
                        continue
                    }
                    #expect(engine.statistics.gpu?.failure == nil)
                }
            }
        }
    }
#endif
