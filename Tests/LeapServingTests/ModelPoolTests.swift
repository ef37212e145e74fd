import Foundation
import LeapBase
import LeapCore
import LeapDemoModel
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct ModelPoolTests {
    @Test("Requests at the same time load a model once")
    func once() async throws {
        let pool = ServingSupport.pool([try ServingSupport.demo()])
        let leases = try await withThrowingTaskGroup(of: ModelLease.self) { group in
            for _ in 0..<16 { group.addTask { try await pool.lease("demo") } }
            return try await group.reduce(into: [ModelLease]()) { $0.append($1) }
        }
        let first = try #require(leases.first)
        #expect(leases.count == 16)
        #expect(leases.allSatisfy { $0.runner === first.runner })
        #expect(await pool.state.loaded == ["demo"])
    }

    @Test("Layers for a GPU are asked for with every model; the figures tell what came of it")
    func gpu() async throws {
        var configuration = ModelPool.Configuration()
        configuration.nGpuLayers = .max
        configuration.extras.gpuDevice = TestLevel.softwareGPU
        let server = try ServingSupport.server(nil, configuration)
        #expect(try await server.post("/v1/completions", #"{"prompt": "Once", "max_tokens": 3}"#).status == 200)
        let page = try await server.reply(to: ServerRequest(method: "GET", path: "/metrics")).collectText()
        let isThere = page.contains("# TYPE leap_gpu_info gauge\nleap_gpu_info{model=\"demo\",device=\"llvmpipe")
        #expect(page.contains("leap_gpu_layers{model=\"demo\"} \(isThere ? 8 : 0)\n"))
        #expect(page.contains("leap_gpu_passes_total{model=\"demo\"} 0\n") != isThere)
        #expect(page.contains("leap_gpu_failures_total{model=\"demo\"} 0\n"))
        #expect(isThere || !page.contains("leap_gpu_info"))
    }

    @Test("Within a memory limit a model that nobody uses gives way, and one in use does not")
    func memory() async throws {
        let models = [try ServingSupport.demo("first"), try ServingSupport.demo("second")]
        var configuration = ModelPool.Configuration()
        configuration.memory = models[0].byteCount + 1
        let pool = ServingSupport.pool(models, configuration)
        var lease: ModelLease? = try await pool.lease("first")
        let busy = await #expect(throws: APIError.self) { try await pool.lease("second") }
        #expect(busy?.status == 429)
        #expect(busy?.retryAfter == 1)
        withExtendedLifetime(lease) {}
        lease = nil
        // The pool hears of the end of a lease a moment later.
        for _ in 0..<24_000 {
            if (try? await pool.lease("second")) != nil { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(await pool.state.loaded == ["second"])
    }

    @Test("A model that gave way finds the prefixes of its prompts in the cache's directory when it comes back")
    func prefixesOfModelsThatGaveWay() async throws {
        let folder = NSTemporaryDirectory() + "leap-swapped-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let models = [try ServingSupport.demo("first"), try ServingSupport.demo("second")]
        let prompt = (0..<40).map { "Line \($0): the fox met a hen." }.joined(separator: " ")
        /// Prompt tokens that were kept, of the first model's second answer, and prompt tokens.
        func kept(_ cache: LiquidCacheOptions) async throws -> (cached: Int, prompt: Int) {
            var configuration = ModelPool.Configuration()
            configuration.memory = models[0].byteCount + 1
            configuration.cache = cache
            let pool = ServingSupport.pool(models, configuration)
            let server = Server(pool: pool, access: AccessRules())
            var usage: JSONValue?
            for (model, prompt) in [("first", prompt), ("second", "Hello."), ("first", prompt)] {
                let body = #"{"model": "\#(model)", "prompt": "\#(prompt)", "max_tokens": 1}"#
                var reply = try await server.post("/v1/completions", body)
                // The pool hears a moment later that the request before has ended.
                for _ in 0..<24_000 where reply.status == 429 {
                    try await Task.sleep(for: .milliseconds(5))
                    reply = try await server.post("/v1/completions", body)
                }
                #expect(reply.status == 200)
                #expect(await pool.state.loaded == [model])
                usage = reply.body["usage"]
            }
            await pool.close()
            return (
                usage?["prompt_tokens_details"]?["cached_tokens"]?.integer ?? -1,
                usage?["prompt_tokens"]?.integer ?? -1
            )
        }
        let onDisk = try await kept(.enabled(path: folder))
        #expect(onDisk.prompt > 200 && onDisk.cached > onDisk.prompt * 3 / 4, "\(onDisk)")
        let inMemory = try await kept(LiquidCacheOptions(path: "", enabled: true, diskDisabled: true))
        #expect(inMemory.prompt == onDisk.prompt && inMemory.cached == 0, "\(inMemory)")
    }

    @Test("A model that is larger than the limit is refused for good")
    func tooLarge() async throws {
        let model = try ServingSupport.demo()
        var configuration = ModelPool.Configuration()
        configuration.memory = model.byteCount - 1
        let error = await #expect(throws: APIError.self) {
            try await ServingSupport.pool([model], configuration).lease(nil)
        }
        #expect(error?.status == 503)
        #expect(error?.code == "model_too_large")
    }

    @Test("A file that is no model is refused each time, and the others go on")
    func damaged() async throws {
        let pool = ServingSupport.pool([
            ModelCatalog.model(path: #filePath, id: "damaged"), try ServingSupport.demo(),
        ])
        for _ in 0..<2 {
            await #expect(throws: LeapModelLoadingException.self) { try await pool.lease("damaged") }
        }
        _ = try await pool.lease("demo")
    }

    @Test("A pool that is closed refuses")
    func closed() async throws {
        let pool = ServingSupport.pool([try ServingSupport.demo()])
        _ = try await pool.lease(nil)
        await pool.close()
        let error = await #expect(throws: APIError.self) { try await pool.lease(nil) }
        #expect(error?.status == 503)
        #expect(await pool.state.loaded.isEmpty)
    }

    /// Events whose consumers are counted.
    private final class CountedPressure: MemoryPressureSource {
        let consumers = Locked(0)

        func events() -> AsyncStream<MemoryEvent> {
            consumers.withLock { $0 += 1 }
            return AsyncStream { $0.finish() }
        }
    }

    @Test("Each model that is loaded follows the events of memory, where that is asked for")
    func memoryEvents() async throws {
        let pressure = CountedPressure()
        var configuration = ModelPool.Configuration()
        configuration.memoryEvents = pressure
        let pool = ServingSupport.pool([try ServingSupport.demo()], configuration)
        for _ in 0..<2 { _ = try await pool.lease("demo") }
        #expect(pressure.consumers.withLock { $0 } == 1)
    }

    /// Waits until no model is in memory; the suite's time limit is for what never is.
    private func waitUntilEmpty(_ pool: ModelPool) async throws {
        while await !pool.state.loaded.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test("A model goes some time after its last request, and stays while it is used", .timeLimit(.minutes(30)))
    func keepAlive() async throws {
        var configuration = ModelPool.Configuration()
        configuration.keepAlive = .milliseconds(30)
        let pool = ServingSupport.pool([try ServingSupport.demo()], configuration)
        var lease: ModelLease? = try await pool.lease("demo")
        for _ in 0..<20 { _ = try await pool.lease("demo") }
        try await Task.sleep(for: .milliseconds(60))
        #expect(await pool.state.loaded == ["demo"])
        withExtendedLifetime(lease) {}
        lease = nil
        try await waitUntilEmpty(pool)
    }

    @Test(
        "A request says how long a model stays; one that is given up goes when its last user does",
        .timeLimit(.minutes(30)))
    func keepAliveOfRequests() async throws {
        let pool = ServingSupport.pool([try ServingSupport.demo()])
        _ = try await pool.lease("demo", keepAlive: KeepAlive(duration: .zero))
        try await waitUntilEmpty(pool)
        _ = try await pool.lease("demo", keepAlive: KeepAlive(duration: nil))
        #expect(await pool.residents.map(\.remaining) == [nil])
        var lease: ModelLease? = try await pool.lease("demo")
        await pool.giveUp("demo")
        #expect(await pool.state.loaded == ["demo"])
        withExtendedLifetime(lease) {}
        lease = nil
        try await waitUntilEmpty(pool)
        await pool.giveUp("demo")
        await pool.giveUp("nothing")
    }

    @Test("What cannot be loaded is told before a server starts, with the file or the option")
    func checks() throws {
        let demo = try ServingSupport.demo()
        let folder = NSTemporaryDirectory() + "leap-check-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cut = folder + "/cut.gguf"
        try Data(contentsOf: try LeapDemoModel.url).prefix(1_000_000).write(to: URL(fileURLWithPath: cut))
        try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
        func message(_ model: ServedModel, _ memory: Int64? = nil) -> String? {
            do {
                try ModelCatalog(given: [model], downloader: nil).check(memory: memory)
                return nil
            } catch {
                return (error as? LeapException)?.message ?? (error as? APIError)?.message
            }
        }
        #expect(message(demo) == nil && message(demo, demo.byteCount) == nil)
        for (path, word) in [
            (#filePath, "text file"), (cut, "cut.gguf"), (folder + "/empty", "empty"), (folder + "/none", "none"),
        ] {
            let found = message(ModelCatalog.model(path: path))
            #expect(found?.contains(word) == true && found?.contains(path) == true, "\(found ?? "nothing")")
        }
        #expect(message(demo, 1000)?.contains("--memory is 1000, and 'demo'") == true)
        #expect(throws: APIError.self) { try ModelCatalog(given: [], downloader: nil).check(memory: 1000) }
    }

    @Test("Requests name models, never paths")
    func names() async throws {
        let model = try ServingSupport.demo()
        let pool = ServingSupport.pool([model])
        guard case .path(let path) = model.source else { return }
        for name in [path, "../demo", "demo/", "DEMO"] {
            let error = await #expect(throws: APIError.self) { try await pool.lease(name) }
            #expect(error?.status == 404)
        }
        #expect(try await pool.lease("demo:latest").model.id == "demo")
    }
}
