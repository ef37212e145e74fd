import LeapSDK
import LeapUi

/// The download of a model of the app, as a screen shows it.
@MainActor
public struct PocketDownload: Identifiable {
    /// The name of the model.
    public nonisolated let id: String
    /// The state of its download.
    public let store: ModelDownloadStore

    /// Makes the downloads of all models of the library, over a folder of models.
    public static func all(downloader: LeapDownloader = LeapDownloader()) -> [PocketDownload] {
        PocketLibrary.names.map { name in
            let store = ModelDownloadStore(
                downloader: downloader, modelName: name, quantizationType: PocketLibrary.quantization)
            return PocketDownload(id: name, store: store)
        }
    }
}
