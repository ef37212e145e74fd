import Foundation
import LeapEngine
import LeapModel
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

@Suite(.inTurns)
struct LoadingOptionsTests {
    @Test("Every documented order of arguments compiles, with literals and UInt32")
    func orders() {
        let size: UInt32 = 4096
        let cache = LiquidCacheOptions.enabled(path: "/tmp/c")
        let a = LiquidInferenceEngineOptions(bundlePath: "/m", cpuThreads: 6, contextSize: size)
        #expect(a.cpuThreads == 6 && a.contextSize == 4096 && a.bundlePath == "/m")
        let b = LiquidInferenceEngineManifestOptions(cacheOptions: .enabled(path: "/tmp/c"), contextSize: 4096)
        #expect(b.cacheOptions == cache && b.contextSize == 4096)
        let c = LiquidInferenceEngineManifestOptions(contextSize: 8192, cpuThreads: 6)
        #expect(c.contextSize == 8192 && c.cpuThreads == 6)
        let d = LiquidInferenceEngineManifestOptions(contextSize: 8192, nGpuLayers: 99)
        #expect(d.nGpuLayers == 99)
        #expect(LiquidInferenceEngineManifestOptions(contextSize: 8192, nGpuLayers: -1).nGpuLayers == .max)
        #expect(LiquidInferenceEngineOptions(bundlePath: "/m", contextSize: size, cpuThreads: 2).cpuThreads == 2)
        #expect(LiquidInferenceEngineManifestOptions(contextSize: size, cacheOptions: cache).cacheOptions == cache)
        #expect(LiquidInferenceEngineManifestOptions(cpuThreads: 2, cacheOptions: cache).cpuThreads == 2)
        let e = LiquidInferenceEngineOptions(
            bundlePath: "/m", mmProjPath: "/p", audioDecoderPath: "/d", chatTemplate: "t", audioTokenizerPath: "/k")
        #expect(
            e.mmProjPath == "/p" && e.audioDecoderPath == "/d" && e.audioTokenizerPath == "/k" && e.chatTemplate == "t")
        #expect(LiquidInferenceEngineManifestOptions() == LiquidInferenceEngineManifestOptions())
    }

    @Test("Builders return new options")
    func builders() {
        let options = LiquidInferenceEngineOptions(bundlePath: "/m")
        let changed = options.with(cpuThreads: 6).with(contextSize: 8192).with(useMmap: false).with(
            cacheOptions: .enabled(path: "/c")
        )
        .with(nGpuLayers: 3).with(chatTemplate: "t").with(extras: "{}").with(mmProjPath: "/p").with(
            audioDecoderUseGpu: true
        )
        .with(audioDecoderPath: "/d").with(audioTokenizerPath: "/k")
        #expect(
            changed.cpuThreads == 6 && changed.contextSize == 8192 && changed.useMmap == false
                && changed.nGpuLayers == 3)
        #expect(changed.cacheOptions?.path == "/c" && changed.chatTemplate == "t" && changed.extras == "{}")
        #expect(changed.bundlePath == "/m" && options.cpuThreads == nil && changed.audioDecoderUseGpu)
        #expect(LiquidInferenceEngineManifestOptions().with(contextSize: 5).with(contextSize: nil).contextSize == nil)
    }

    @Test("The disk cap of the cache is taken in the documented order")
    func cache() {
        #expect(LiquidCacheOptions.enabled(path: "/c").diskEntryLimit == 40)
        #expect(LiquidCacheOptions(path: "/c", enabled: true).diskEntryLimit == 4096)
        #expect(LiquidCacheOptions(path: "/c", maxEntries: 7, enabled: true).diskEntryLimit == 7)
        #expect(LiquidCacheOptions(path: "/c", maxEntries: 7, enabled: true, maxEntriesDisk: 9).diskEntryLimit == 9)
        #expect(LiquidCacheOptions(path: "/c", maxEntries: 7).diskEntryLimit == 0)
        #expect(LiquidCacheOptions(path: "/c", enabled: true, diskDisabled: true).diskEntryLimit == 0)
        let full = LiquidCacheOptions(path: "/c")
        #expect(!full.enabled && full.maxEntriesMemory == 256 && full.maxBytesMemory == 512 << 20)
    }

    @Test("Parameters of a manifest are read, and filled in from another")
    func parameters() throws {
        let json =
            #"{"sampling_parameters":{"temperature":0.3,"min_p":0.15,"top_k":40.0},"number_of_decoding_threads":4}"#
        let parameters = try JSONDecoder().decode(GenerationTimeParameters.self, from: Data(json.utf8))
        #expect(parameters.samplingParameters?.topK == 40 && parameters.samplingParameters?.minP == 0.15)
        let mine = GenerationTimeParameters(samplingParameters: SamplingParameters(temperature: 1))
        let both = mine.filled(from: parameters)
        #expect(both.samplingParameters == SamplingParameters(temperature: 1, minP: 0.15, topK: 40))
        #expect(both.numberOfDecodingThreads == 4)
        #expect(SamplingParameters(topK: 3.0).topK == 3)
    }

    @Test("Parameters without a property are read from manifests and written again")
    func otherParameters() throws {
        let json = #"{"frequency_penalty":0.5,"top_k":40,"unknown":1}"#
        let parameters = try JSONDecoder().decode(SamplingParameters.self, from: Data(json.utf8))
        #expect(parameters.values == [.frequencyPenalty: 0.5, .topK: 40])
        let again = try JSONDecoder().decode(SamplingParameters.self, from: try JSONEncoder().encode(parameters))
        #expect(again == parameters && again.topK == 40)
    }
}
