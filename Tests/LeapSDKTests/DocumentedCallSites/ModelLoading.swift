// swift-format-ignore-file
// The snippets stand as they are in the document "Model Loading" (0.10.6).
import Foundation
import LeapDemoModel
import LeapSDK
import Testing

struct ModelLoadingCallSites {
    func urlBasedLoader(ggufURL: URL, mmprojURL: URL) async throws {
        do {
            let runner = try await Leap.load(url: ggufURL)
            _ = runner
        }
        let options = LiquidInferenceEngineOptions(
          bundlePath: ggufURL.path,
          mmProjPath: mmprojURL.path
        )
        let runner = try await Leap.load(url: ggufURL, options: options, autoDetectCompanionFiles: false)
        _ = runner
    }

    func runtimeOptions(ggufURL: URL) async throws {
        let manifestOpts = LiquidInferenceEngineManifestOptions(
          contextSize: 8192,
          cpuThreads: 6
        )
        _ = manifestOpts

        // Sideloaded variant (URL-based)
        let options = LiquidInferenceEngineOptions(
          bundlePath: ggufURL.path,
          cpuThreads: 6,
          contextSize: 8192
        )
        let runner = try await Leap.load(url: ggufURL, options: options)
        _ = runner
    }

    func builderStyle(ggufURL: URL, cacheDir: URL) {
        let opts = LiquidInferenceEngineOptions(bundlePath: ggufURL.path)
            .with(cpuThreads: 6)
            .with(contextSize: 8192)
            .with(useMmap: false)
            .with(cacheOptions: .enabled(path: cacheDir.path))
        _ = opts
    }

    func cacheConfiguration() async throws {
        let cacheDir = FileManager.default
          .urls(for: .cachesDirectory, in: .userDomainMask)[0]
          .appendingPathComponent("leap-kv-cache")

        let options = LiquidInferenceEngineManifestOptions(
          cacheOptions: .enabled(path: cacheDir.path),
          contextSize: 4096
        )
        _ = options
        let compat = LiquidInferenceEngineManifestOptions(contextSize: 4096)
        _ = compat
    }

    func loadTimeParameters() {
        _ = GenerationTimeParameters(
            samplingParameters: SamplingParameters(temperature: 0.3, topP: nil, minP: 0.15, repetitionPenalty: 1.05),
            numberOfDecodingThreads: 4)
        _ = LiquidCacheOptions(path: "/tmp/cache", enabled: true, diskDisabled: true)
        _ = CpuThreadAdvisor.getRecommendedThreadCount()
    }

    func manifestOptionsWithURL(bundleURL: URL, options: LiquidInferenceEngineManifestOptions) async throws {
        let runner = try await Leap.load(url: bundleURL, options: options)
        _ = runner
        let shared = try await Leap.shared.load(url: bundleURL)
        _ = shared
        let sharedOptions = try await Leap.shared.load(url: bundleURL, options: LiquidInferenceEngineOptions(bundlePath: bundleURL.path))
        _ = sharedOptions
    }

    @Test("The loading snippets run")
    func run() async throws {
        try await runtimeOptions(ggufURL: LeapDemoModel.url)
        builderStyle(ggufURL: try LeapDemoModel.url, cacheDir: FileManager.default.temporaryDirectory)
        try await cacheConfiguration()
        loadTimeParameters()
        try await manifestOptionsWithURL(bundleURL: LeapDemoModel.url, options: LiquidInferenceEngineManifestOptions(contextSize: 512))
    }
}
