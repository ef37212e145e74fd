#if ModelService
    import Foundation
    import LeapBase
    import LeapCore
    import LeapDemoModel
    import LeapSDK
    import LeapTransfers
    import MisbehavingServer
    import Testing

    @testable import LeapService
    @testable import LeapServing

    @Suite(.timeLimit(.minutes(30)))
    struct LoadingTests {
        @Test("Two apps share one copy of a model; the first one's options win, and can be read back")
        func firstOptionsWin() async throws {
            let bench = try ServiceBench()
            let cache = LiquidCacheOptions(
                path: bench.folder + "/the app's own", enabled: true, maxEntriesDisk: 7, maxEntriesMemory: 5,
                maxBytesMemory: 1 << 20)
            let first = try await bench.load(
                options: LiquidInferenceEngineManifestOptions(cacheOptions: cache, cpuThreads: 2, contextSize: 512))
            let second = try await bench.load(options: LiquidInferenceEngineManifestOptions(contextSize: 1024))
            #expect(first.isInService && second.isInService)
            #expect(first.contextSize == 512 && second.contextSize == 512)
            #expect(await bench.host.pool.state.runners.count == 1)

            let client = try #require(await bench.client())
            let path = try LeapDemoModel.url.path
            let configuration = try #require(try await client.getLoadedModelConfig(model: path))
            #expect(configuration.contextSize == 512)
            #expect(configuration.cpuThreads == 2)
            // The directory is the service's, the limits are the app's.
            #expect(configuration.cacheOptions?.path == bench.folder + "/cache")
            #expect(configuration.cacheOptions?.maxEntriesDisk == 7)
            #expect(configuration.cacheOptions?.maxEntriesMemory == 5)
            #expect(configuration.cacheOptions?.maxBytesMemory == 1 << 20)
            #expect(try await client.getLoadedModelConfig(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M") == nil)
            _ = try await WholeReply(
                first.createConversation().generateResponse(
                    userTextMessage: "Hello", generationOptions: GenerationOptions(temperature: 0, maxTokens: 4)))
            #expect(!FileManager.default.fileExists(atPath: bench.folder + "/the app's own"))

            client.evictUnusedModel()
            await first.unload()
            #expect(try await client.status().models == [path])
        }

        @Test("Sampling values and the chat template are each app's own, as they are part of its requests")
        func ownValues() async throws {
            let bench = try ServiceBench()
            _ = try await bench.load(
                options: LiquidInferenceEngineManifestOptions(chatTemplate: "first {{ messages[0].content }}"),
                parameters: GenerationTimeParameters(samplingParameters: SamplingParameters(temperature: 2)))
            let second = try await bench.load()
            let local = try await ServiceBench.local()
            let replies = try await [second, local].asyncMap {
                try await WholeReply(
                    $0.createConversation().generateResponse(
                        userTextMessage: "Hello", generationOptions: GenerationOptions(rngSeed: 4, maxTokens: 24)))
            }
            #expect(replies[0] == replies[1])
        }

        @Test("A template without end, which one app brings, ends, and other apps are answered meanwhile and after")
        func endlessTemplate() async throws {
            let bench = try ServiceBench()
            // A list that holds itself twice, a hundred times over: loading renders small conversations with it.
            let endless =
                "{% set ns = namespace(s=[1]) %}{% for i in range(100) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}"
                + "{{ ns.s | tojson }}{{ messages[0].content }}"
            async let first = bench.load(options: LiquidInferenceEngineManifestOptions(chatTemplate: endless))
            let client = try #require(await bench.client())
            _ = try await client.status()
            let second = try await bench.load()
            let reply = try await WholeReply(
                second.createConversation().generateResponse(
                    userTextMessage: "Hello", generationOptions: GenerationOptions(temperature: 0, maxTokens: 4)))
            #expect(!reply.pieces.isEmpty)
            #expect(try await first.isInService)
            #expect(await bench.host.pool.state.runners.count == 1)
        }

        @Test("forceLocal loads in this process although there is a service")
        func forceLocal() async throws {
            let bench = try ServiceBench()
            let downloader = ServiceBench.downloader(bench.place.path)
            let source = try ServiceBench.demo()
            #expect(try await downloader.loadSimpleModel(model: source).isInService)
            #expect(try await !downloader.loadSimpleModel(model: source, forceLocal: true).isInService)
            #expect(await bench.host.pool.state.runners.count == 1)
        }

        @Test(
            "Without a service, with a socket of a dead process, or with one that never answers, the model is loaded here"
        )
        func fallbacks() async throws {
            let folder = try ServiceBench.temporaryFolder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            func isLocal(_ patience: DispatchTimeInterval = ServiceBench.patience) async throws -> Bool {
                try await !ServiceBench.downloader(folder + "/s", patience: patience).loadSimpleModel(
                    model: try ServiceBench.demo()
                )
                .isInService
            }
            #expect(try await isLocal())

            // Closed without being removed, as a process that dies leaves it.
            UnixSocket.close(try UnixSocket.listen(folder + "/s"))
            #expect(FileManager.default.fileExists(atPath: folder + "/s"))
            #expect(try await isLocal())

            FileSystem.remove(folder + "/s")
            let silent = try UnixSocket.listen(folder + "/s", backlog: 1)
            #expect(try await isLocal(.milliseconds(200)))
            // Connections that nobody takes fill the queue.
            let waiting = (0..<4).compactMap { _ in try? UnixSocket.connect(folder + "/s") }
            #expect(try await isLocal())
            for descriptor in waiting + [silent] { UnixSocket.close(descriptor) }

            FileSystem.remove(folder + "/s")
            #expect(FileManager.default.createFile(atPath: folder + "/s", contents: Data("a file".utf8)))
            #expect(try await isLocal())
        }

        @Test(
            "A socket or a folder that others could have put there is not used",
            .enabled(if: geteuid() == 0, "needs root"))
        func otherUsers() async throws {
            let bench = try ServiceBench()
            let downloader = ServiceBench.downloader(bench.place.path)
            let source = try ServiceBench.demo()
            #expect(chown(bench.place.path, 65_534, 65_534) == 0)
            #expect(try await !downloader.loadSimpleModel(model: source).isInService)
            #expect(chown(bench.place.path, 0, 0) == 0)
            #expect(chmod(bench.folder, 0o777) == 0)
            #expect(try await !downloader.loadSimpleModel(model: source).isInService)
            #expect(chmod(bench.folder, 0o700) == 0)
            #expect(chown(bench.folder, 65_534, 65_534) == 0)
            #expect(try await !downloader.loadSimpleModel(model: source).isInService)
            #expect(chown(bench.folder, 0, 0) == 0)
            #expect(try await downloader.loadSimpleModel(model: source).isInService)
        }

        @Test("A file that was replaced since the service loaded it is loaded here")
        func replaced() async throws {
            let bench = try ServiceBench()
            let path = bench.folder + "/model.gguf"
            try FileManager.default.copyItem(atPath: try LeapDemoModel.url.path, toPath: path)
            let source = ModelSource(modelPath: path, modelName: "demo", quantizationId: "Q8_0")
            let downloader = ServiceBench.downloader(bench.place.path)
            #expect(try await downloader.loadSimpleModel(model: source).isInService)
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: try LeapDemoModel.url.path, toPath: path)
            #expect(FileSystem.touch(path))
            #expect(try await !downloader.loadSimpleModel(model: source).isInService)
        }

        @Test("A file that is no model is the same typed error as in this process")
        func damaged() async throws {
            let bench = try ServiceBench()
            let source = ModelSource(modelPath: #filePath, modelName: "damaged", quantizationId: "any")
            var messages: [String] = []
            for forceLocal in [false, true] {
                let error = await #expect(throws: LeapModelLoadingException.self) {
                    try await ServiceBench.downloader(bench.place.path).loadSimpleModel(
                        model: source, forceLocal: forceLocal)
                }
                #expect(error?.path == #filePath)
                messages.append(error?.message ?? "")
            }
            #expect(messages[0] == messages[1])
            #expect(await bench.host.pool.state.runners.isEmpty)
        }

        @Test("The service fetches a model once for all apps, and tells them how far it is")
        func downloads() async throws {
            let library = try Library()
            let folder = try ServiceBench.temporaryFolder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let bench = try ServiceBench(
                downloader: LeapDownloader(config: LeapDownloaderConfig(saveDir: folder + "/service")))
            let fractions = Locked<[Double]>([])
            var transfers: [Int] = []
            for app in ["first", "second"] {
                let config = LeapDownloaderConfig(saveDir: folder + "/" + app, endpoint: library.server.url(""))
                let runner = try await ServiceBench.downloader(bench.place.path, config: config).loadModel(
                    modelName: "Demo", quantizationType: "Q8_0"
                ) { fraction, _ in fractions.withLock { $0.append(fraction) } }
                #expect(runner.isInService)
                #expect(runner.modelId == "Demo")
                #expect(!FileManager.default.fileExists(atPath: folder + "/" + app))
                transfers.append(library.transfers.withLock { $0 })
            }
            #expect(transfers[0] > 0)
            #expect(transfers[1] == transfers[0])
            // Delivered on the main queue, so a moment later.
            #expect(try await ServiceBench.eventually { fractions.withLock { $0.count(where: { $0 == 1 }) } == 2 })
            let first = fractions.withLock { $0.prefix { $0 < 1 } }
            #expect(!first.isEmpty)
            #expect(Array(first) == first.sorted())
            let client = try #require(await bench.client())
            #expect(
                try await client.getLoadedModelConfig(modelName: "Demo", quantizationType: "Q8_0")?.model
                    == "Demo:Q8_0")
        }

        @Test("What an app has installed is loaded from there")
        func installed() async throws {
            let library = try Library()
            let bench = try ServiceBench()
            let config = LeapDownloaderConfig(saveDir: bench.folder + "/app", endpoint: library.server.url(""))
            let downloader = ServiceBench.downloader(bench.place.path, config: config)
            let model = try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
            #expect(try await downloader.loadModel(modelName: "Demo", quantizationType: "Q8_0").isInService)
            let client = try #require(await bench.client())
            #expect(
                try await client.getLoadedModelConfig(modelName: "Demo", quantizationType: "Q8_0")?.path
                    == model.localModelPath)
        }

        @Test("A download that fails in the service is the same typed error")
        func failedDownload() async throws {
            let library = try Library()
            let bench = try ServiceBench()
            let config = LeapDownloaderConfig(saveDir: bench.folder + "/app", endpoint: library.server.url(""))
            let error = await #expect(throws: LeapModelLoadingException.self) {
                try await ServiceBench.downloader(bench.place.path, config: config).loadModel(
                    modelName: "Nothing", quantizationType: "Q8_0")
            }
            #expect((error?.cause as? DownloadError)?.code == .notFound)
        }

        @Test("The state is told while it changes")
        func states() async throws {
            let bench = try ServiceBench()
            let telling = Task { await bench.host.tellStates(every: .milliseconds(1)) }
            defer { telling.cancel() }
            func isTold(_ line: String) async throws -> Bool {
                try await ServiceBench.eventually { bench.states.withLock { $0.last } == line }
            }
            #expect(try await isTold("Ready — 0 models loaded"))
            let conversation = try await bench.load(options: ServiceBench.longContext).createConversation()
            #expect(try await isTold("Ready — 1 model loaded"))
            let generation = Task {
                try await WholeReply(
                    conversation.generateResponse(userTextMessage: "Hello", generationOptions: ServiceBench.long))
            }
            #expect(try await isTold("Generating… 1 active"))
            generation.cancel()
            #expect(try await isTold("Ready — 1 model loaded"))
            #expect(ServiceHost.line((loading: 1, loaded: 2, generations: 3)) == "Loading model…")
        }
    }

    extension Sequence {
        func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
            var result: [T] = []
            for element in self { result.append(try await body(element)) }
            return result
        }
    }

    /// A library with the demo model.
    final class Library: Sendable {
        let server: MisbehavingServer.Server
        /// The number of times that the model's file was begun.
        let transfers: Locked<Int>

        init() throws {
            let model = Array(try Data(contentsOf: try LeapDemoModel.url))
            let transfers = Locked(0)
            self.transfers = transfers
            server = try MisbehavingServer.Server { request in
                switch request.path {
                case "/LiquidAI/LeapBundles/resolve/main/Demo-GGUF/Q8_0.json":
                    return .text(
                        #"{"schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text", "load_time_parameters": {"model": "demo.gguf"}}"#
                    )
                case let path where path.hasSuffix("demo.gguf"):
                    if request.method == "GET", request.range(size: model.count)?.lowerBound ?? 0 == 0 {
                        transfers.withLock { $0 += 1 }
                    }
                    return request.serve(model, etag: "\"d\"")
                default: return Reply(status: 404)
                }
            }
        }

        deinit { server.stop() }
    }
#endif
