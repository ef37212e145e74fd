import BackgroundAssets
import Foundation
import Testing

@testable import LeapModelDownloaderOverStubs

/// Asset packs, over a stub of the framework.
struct AssetPackStubTests {
    @Test("A pack of the framework is downloaded, and its file is the model; a pack that there is none of is an error")
    func pack() async throws {
        let name = "model-\(UUID().uuidString).gguf"
        StubAssetPacks.shared.publish("chat", [name: Data([1, 2, 3])])
        let source = try await ModelSource.backgroundAssets(
            pack: "chat", modelFile: name, modelName: "Demo", quantizationId: "Q8_0")
        #expect(try Data(contentsOf: URL(fileURLWithPath: source.modelPath)) == Data([1, 2, 3]))
        try FileManager.default.removeItem(atPath: source.modelPath)
        let error = await #expect(throws: LeapModelLoadingException.self) {
            try await ModelSource.backgroundAssets(
                pack: "none", modelFile: name, modelName: "Demo", quantizationId: "Q8_0")
        }
        #expect(error?.message.contains("none") == true && error?.cause is CocoaError)
    }
}
