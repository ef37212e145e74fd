import Foundation
import LeapDemoModel
import LeapSDK
import LeapUi

/// The models of the app: some of the LEAP library, and the demonstration model, which an app of yours leaves out.
public struct PocketLibrary: ModelLibrary {
    static let quantization = "Q4_K_M"
    static let names = ["LFM2-350M", "LFM2-1.2B"]
    private let downloader: LeapDownloader

    /// Makes a library over a folder of models.
    public init(downloader: LeapDownloader = LeapDownloader()) { self.downloader = downloader }

    /// Returns the models; those that are not on the device are downloaded when they are chosen.
    public func choices() async throws -> [ModelChoice] {
        var choices: [ModelChoice] = []
        for name in Self.names {
            let status = await downloader.queryStatus(modelName: name, quantizationType: Self.quantization)
            choices.append(ModelChoice(id: name, name: name, isOnDevice: status == .downloaded))
        }
        let demo = ModelChoice(id: LeapDemoModel.name, name: "Demo", detail: "knows a few stories, capitals and sums")
        return choices + [demo]
    }

    /// Loads a model.
    public func load(
        _ choice: ModelChoice, progress: @escaping @MainActor (_ fraction: Double) -> Void
    ) async throws -> any ModelRunner {
        guard choice.id != LeapDemoModel.name else { return try await Leap.load(url: LeapDemoModel.url) }
        return try await downloader.loadModel(
            modelName: choice.id, quantizationType: Self.quantization,
            downloadProgress: { fraction, _ in progress(fraction) })
    }
}
