import LeapSDK

// The code of SharingModels.md, compiled and not run.

#if ModelService
    func sharingModelsStatus() async throws {
        if let service = await LeapServiceClient.connect() {
            print(try await service.status().state)
            let configuration = try await service.getLoadedModelConfig(
                modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
            print(configuration?.contextSize ?? 0)
        }
    }
#endif

func sharingModelsForceLocal(_ downloader: LeapDownloader) async throws -> any ModelRunner {
    let runner = try await downloader.loadModel(
        modelName: "LFM2-1.2B", quantizationType: "Q4_K_M", forceLocal: true)
    return runner
}
