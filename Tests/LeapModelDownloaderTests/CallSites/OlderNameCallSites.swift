import LeapModelDownloader
import Testing

/// `ModelDownloader` by the names it has in earlier versions; the module's name is a type's too.
struct OlderNameCallSites {
    func makeByOldName(folder: String) -> [LeapModelDownloader] {
        [
            LeapModelDownloader(),
            LeapModelDownloader(config: LeapDownloaderConfig(saveDir: folder)),
            LeapModelDownloader.ModelDownloader(config: LeapModelDownloader.LeapDownloaderConfig(saveDir: folder)),
        ]
    }

    func askForTheType(_ status: ModelDownloader.ModelDownloadStatus) -> ModelDownloader.ModelDownloadStatusType {
        let type: LeapModelDownloader.ModelDownloadStatusType = status.type
        return type
    }

    @Test("The downloader has its earlier name too")
    func run() async {
        let downloaders: [ModelDownloader] = makeByOldName(folder: "/no/such/folder")
        #expect(downloaders.map(\.config.saveDir) == ["leap_models", "/no/such/folder", "/no/such/folder"])
        #expect(await downloaders[1].queryStatus(modelName: "A", quantizationType: "Q4_0") == .notOnLocal)
        #expect(askForTheType(.downloadInProgress(progress: 0.5)) == .downloadInProgress)
    }
}
