import Foundation
import LeapModelDownloader
import LeapTestTraits
import MisbehavingServer
import Testing

/// Failures of downloads that nobody waits for, and values that must not be lost on the way.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct FailureTests {
    @Test("A request that fails after it has begun says so to who watches, and to who asks later")
    func surfaces() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        #expect(downloader.lastDownloadError(modelName: "Missing", quantizationType: "Q8_0") == nil)
        downloader.requestDownloadModel(modelName: "Missing", quantizationType: "Q8_0")
        var last: ProgressData?
        for await data in downloader.observeDownloadProgress(modelName: "Missing", quantizationType: "Q8_0") {
            last = data
        }
        #expect(last?.phase == .failed)
        #expect(last?.note?.contains("Missing") == true)
        #expect(last?.progress == 0)
        let error = downloader.lastDownloadError(modelName: "Missing", quantizationType: "Q8_0")
        #expect((error?.cause as? DownloadError)?.code == .notFound)
        #expect(await downloader.queryStatus(modelName: "Missing", quantizationType: "Q8_0") == .notOnLocal)
        // Another downloader of the same folder knows it too; another folder's does not.
        #expect(
            LeapDownloader(config: bench.config).lastDownloadError(modelName: "Missing", quantizationType: "Q8_0")
                != nil)
        let elsewhere = LeapDownloader(config: bench.config.with(saveDir: bench.folder + "-other"))
        #expect(elsewhere.lastDownloadError(modelName: "Missing", quantizationType: "Q8_0") == nil)
    }

    @Test("A failure is forgotten when the model arrives")
    func recovers() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        let url = bench.server.url("/elsewhere/nothing.json")
        downloader.requestDownloadModel(manifestUrl: url)
        for await _ in downloader.observeDownloadProgress(manifestUrl: url) {}
        #expect(downloader.lastDownloadError(manifestUrl: url) != nil)
        let good = bench.server.url("/elsewhere/manifest.json")
        downloader.requestDownloadModel(manifestUrl: good)
        for await _ in downloader.observeDownloadProgress(manifestUrl: good) {}
        #expect(downloader.lastDownloadError(manifestUrl: good) == nil)
        #expect(await downloader.queryStatus(manifestUrl: good) == .downloaded)
    }

    @Test("A name that is none is a failure that can be asked for")
    func badName() {
        let downloader = LeapDownloader()
        let error = downloader.lastDownloadError(modelName: "no such name", quantizationType: "Q8_0")
        #expect((error?.cause as? DownloadError)?.code == .invalidName)
    }

    @Test("What is set on a manifest is what its JSON says, and the rest stays as it was")
    func manifestRoundTrip() throws {
        let text = """
            {"schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text", "note": [1, {"deep": null}],
             "load_time_parameters": {"model": "a.gguf", "chat_template": "T", "later": true},
             "generation_time_parameters": {"sampling_parameters": {"temperature": 0.3, "future": 1}, "number_of_decoding_threads": 2}}
            """
        var manifest = try ModelManifest(json: Data(text.utf8))
        let untouched = try ModelManifest(json: manifest.json())
        #expect(untouched == manifest)
        manifest.schemaVersion = "1.1.0"
        manifest.inferenceType = "llama.cpp/image-to-text"
        manifest.loadTimeParameters.model = "b.gguf"
        manifest.loadTimeParameters.chatTemplate = nil
        manifest.loadTimeParameters.multimodalProjector = "mmproj.gguf"
        manifest.loadTimeParameters.audioDecoder = "decoder.gguf"
        manifest.loadTimeParameters.audioTokenizer = "tokenizer.gguf"
        manifest.generationTimeParameters?.samplingParameters?.temperature = 0.7
        manifest.generationTimeParameters?.samplingParameters?.topK = 40
        manifest.generationTimeParameters?.numberOfDecodingThreads = nil
        manifest.originalUrl = "https://host/m.json"
        manifest.pathOnDisk = "/models/m.json"
        let again = try ModelManifest(json: manifest.json())
        #expect(again == manifest)
        #expect(again.schemaVersion == "1.1.0" && again.inferenceType == "llama.cpp/image-to-text")
        #expect(again.loadTimeParameters == manifest.loadTimeParameters)
        #expect(again.loadTimeParameters.model == "b.gguf" && again.loadTimeParameters.chatTemplate == nil)
        #expect(again.loadTimeParameters.audioTokenizer == "tokenizer.gguf")
        #expect(again.generationTimeParameters?.samplingParameters?.temperature == 0.7)
        #expect(again.generationTimeParameters?.samplingParameters?.topK == 40)
        #expect(again.generationTimeParameters?.numberOfDecodingThreads == nil)
        #expect(again.originalUrl == "https://host/m.json" && again.pathOnDisk == "/models/m.json")
        let json = String(decoding: try again.json(), as: UTF8.self)
        for kept in ["\"deep\"", "\"later\"", "\"future\""] { #expect(json.contains(kept)) }
        manifest.generationTimeParameters = nil
        manifest.originalUrl = nil
        let without = try ModelManifest(json: manifest.json())
        #expect(without.generationTimeParameters == nil && without.originalUrl == nil)
    }

    @Test("HOME, LEAP_HOME and XDG_DATA_HOME say where models are, LEAP_HOME also as a relative path")
    func folders() {
        func folder(_ saveDir: String, _ environment: [String: String]) -> String {
            LeapDownloaderConfig(saveDir: saveDir).resolvedSaveDir(environment, currentDirectory: "/work/here")
        }
        #expect(folder("/absolute", ["LEAP_HOME": "/l", "HOME": "/h"]) == "/absolute")
        #expect(folder("models", ["LEAP_HOME": "/l", "HOME": "/h"]) == "/l/models")
        #expect(folder("models", ["LEAP_HOME": "data/../leap", "HOME": "/h"]) == "/work/here/leap/models")
        #expect(folder("models", ["LEAP_HOME": "~/leap", "HOME": "/h"]) == "/h/leap/models")
        #expect(folder("~/models", ["HOME": "/h"]) == "/h/models")
        #if os(Linux)
            #expect(folder("models", ["HOME": "/h"]) == "/h/.local/share/models")
            #expect(folder("models", ["HOME": "/h", "LEAP_HOME": ""]) == "/h/.local/share/models")
            #expect(folder("models", ["HOME": "/h", "XDG_DATA_HOME": "/x"]) == "/x/models")
            #expect(folder("models", ["HOME": "/h", "XDG_DATA_HOME": "relative"]) == "/h/.local/share/models")
        #endif
    }
}
