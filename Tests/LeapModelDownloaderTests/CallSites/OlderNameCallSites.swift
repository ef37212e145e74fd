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

    func nameTypesByModule(
        _ runner: any LeapModelDownloader.ModelRunner, options: LeapModelDownloader.GenerationOptions
    ) -> (any LeapModelDownloader.Conversation, LeapModelDownloader.MessageResponseStream) {
        let content = LeapModelDownloader.ChatMessageContent.text("Which berth is free?")
        let message = LeapModelDownloader.ChatMessage(role: .user, content: [content])
        let conversation: any LeapModelDownloader.Conversation = runner.createConversation(systemPrompt: nil)
        return (conversation, conversation.generateResponse(message: message, generationOptions: options))
    }

    @Test("Types are reached through the module's name, which is a type's too")
    func moduleName() async {
        await #expect(throws: LeapModelLoadingException.self) {
            let url = URL(fileURLWithPath: "/no/such/berth.gguf")
            let runner = try await LeapModelDownloader.Leap.load(url: url)
            _ = nameTypesByModule(runner, options: LeapModelDownloader.GenerationOptions())
        }
    }

    @Test("The downloader has its earlier name too")
    func run() async {
        let downloaders: [ModelDownloader] = makeByOldName(folder: "/no/such/folder")
        #expect(downloaders.map(\.config.saveDir) == ["leap_models", "/no/such/folder", "/no/such/folder"])
        #expect(await downloaders[1].queryStatus(modelName: "A", quantizationType: "Q4_0") == .notOnLocal)
        #expect(askForTheType(.downloadInProgress(progress: 0.5)) == .downloadInProgress)
    }
}
