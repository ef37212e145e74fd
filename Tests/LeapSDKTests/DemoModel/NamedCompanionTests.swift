import LeapDemoModel
import LeapSDK
import Testing

/// Companions that a manifest names and that are not there.
struct NamedCompanionTests {
    @Test(
        "A companion that the manifest names and that is missing fails the loading, by its name",
        arguments: ["multimodal_projector", "audio_decoder", "audio_tokenizer"])
    func missing(member: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("companions-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(
            at: try LeapDemoModel.url, to: folder.appendingPathComponent("model.gguf"))
        let manifest = folder.appendingPathComponent("manifest.json")
        func write(_ companion: String) throws {
            let text = """
                {"schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text",
                 "load_time_parameters": {"model": "model.gguf"\(companion)}}
                """
            try Data(text.utf8).write(to: manifest)
        }
        try write("")
        let downloader = LeapDownloader(config: LeapDownloaderConfig(saveDir: folder.path))
        _ = try await downloader.loadModel(manifestUrl: manifest, forceLocal: true)

        try write(#", "\#(member)": "gone.gguf""#)
        let error = await #expect(throws: LeapModelLoadingException.self) {
            try await downloader.loadModel(manifestUrl: manifest, forceLocal: true)
        }
        #expect(error?.message.contains("gone.gguf") == true && error?.message.contains(member) == true)
        #expect(error?.path?.hasSuffix("gone.gguf") == true)
    }
}
