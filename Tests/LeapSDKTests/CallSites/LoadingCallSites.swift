import LeapDemoModel
import LeapSDK
import Testing

/// Loading from a path.
struct LoadingCallSites {
    func loadFromFile(file: URL) async throws -> ModelRunner {
        let runner = try await Leap.load(url: file)
        return runner
    }

    func loadWithThreadsThenContext(file: URL) async throws -> ModelRunner {
        let settings = LiquidInferenceEngineOptions(
            bundlePath: file.path,
            cpuThreads: 2,
            contextSize: 1024
        )
        return try await Leap.load(url: file, options: settings)
    }

    func loadWithCompanions(file: URL, projector: URL) async throws -> ModelRunner {
        let settings = LiquidInferenceEngineOptions(bundlePath: file.path, mmProjPath: projector.path)
        return try await Leap.load(url: file, options: settings, autoDetectCompanionFiles: false)
    }

    func loadWithManifestOptions(file: URL) async throws -> ModelRunner {
        try await Leap.load(url: file, options: LiquidInferenceEngineManifestOptions(contextSize: 512))
    }

    func loadThroughShared(file: URL) async throws -> ModelRunner {
        _ = try await Leap.shared.load(url: file)
        return try await Leap.shared.load(url: file, options: LiquidInferenceEngineOptions(bundlePath: file.path))
    }

    func chainOptions(file: URL, cache: URL) -> LiquidInferenceEngineOptions {
        LiquidInferenceEngineOptions(bundlePath: file.path)
            .with(cpuThreads: 3)
            .with(contextSize: 2048)
            .with(useMmap: false)
            .with(cacheOptions: .enabled(path: cache.path))
    }

    func orderManifestOptions(cache: URL) -> [LiquidInferenceEngineManifestOptions] {
        [
            LiquidInferenceEngineManifestOptions(contextSize: 2048, cpuThreads: 3),
            LiquidInferenceEngineManifestOptions(cacheOptions: .enabled(path: cache.path), contextSize: 2048),
            LiquidInferenceEngineManifestOptions(contextSize: 2048, nGpuLayers: 0),
            LiquidInferenceEngineManifestOptions(contextSize: 2048),
        ]
    }

    func offloadAllLayers(file: URL) -> [UInt32?] {
        [
            LiquidInferenceEngineOptions(bundlePath: file.path).with(nGpuLayers: -1).nGpuLayers,
            LiquidInferenceEngineManifestOptions().with(nGpuLayers: -1).nGpuLayers,
            LiquidInferenceEngineOptions(bundlePath: file.path, nGpuLayers: -1).nGpuLayers,
            LiquidInferenceEngineManifestOptions(contextSize: 512, nGpuLayers: -1).nGpuLayers,
        ]
    }

    func capTheCache(cache: URL) -> [LiquidCacheOptions] {
        [
            LiquidCacheOptions(path: cache.path, enabled: true, diskDisabled: true),
            LiquidCacheOptions(
                path: cache.path, maxEntries: 12, enabled: true, maxEntriesDisk: 24, maxEntriesMemory: 8,
                maxBytesMemory: 1 << 20, diskDisabled: false),
        ]
    }

    func overrideSampling() -> (GenerationTimeParameters, Int) {
        let sampling = SamplingParameters(temperature: 0.2, topP: nil, minP: 0.1, repetitionPenalty: 1.02)
        let parameters = GenerationTimeParameters(samplingParameters: sampling, numberOfDecodingThreads: 2)
        return (parameters, Int(CpuThreadAdvisor.getRecommendedThreadCount()))
    }

    @Test("Call sites that load from a path load")
    func run() async throws {
        let file = try LeapDemoModel.url
        let cache = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
            .appendingPathComponent("harbour-desk")
        for runner in [
            try await loadFromFile(file: file), try await loadWithThreadsThenContext(file: file),
            try await loadWithManifestOptions(file: file), try await loadThroughShared(file: file),
        ] {
            #expect(!runner.modelId.isEmpty)
        }
        let chained = chainOptions(file: file, cache: cache)
        #expect(chained.cpuThreads == 3 && chained.contextSize == 2048 && chained.useMmap == false)
        #expect(orderManifestOptions(cache: cache).allSatisfy { $0.contextSize == 2048 })
        #expect(offloadAllLayers(file: file).allSatisfy { $0 == .max })
        #expect(capTheCache(cache: cache).allSatisfy { $0.enabled })
        #expect(overrideSampling().0.numberOfDecodingThreads == 2)
    }
}
