import Foundation
import LeapDemoModel
import LeapSDK
import LeapUi
import Testing

@testable import PocketChatLogic

/// The app without its screens, with the demonstration model.
@MainActor
struct PocketChatTests {
    private struct DemoLibrary: ModelLibrary {
        func choices() -> [ModelChoice] { [ModelChoice(id: "far", name: "Far", isOnDevice: false)] + demo }
        private var demo: [ModelChoice] { [ModelChoice(id: "demo", name: "Demo")] }

        func load(
            _ choice: ModelChoice, progress: @escaping @MainActor (_ fraction: Double) -> Void
        ) async throws -> any ModelRunner { try await Leap.load(url: LeapDemoModel.url) }
    }

    private let file = HistoryFile(
        url: FileManager.default.temporaryDirectory.appending(path: "pocket-\(UUID().uuidString)/conversation.json"))

    private func started() async -> PocketChat {
        let chat = PocketChat(library: DemoLibrary(), file: file)
        await chat.start()
        await chat.picker.work?.value
        #expect(chat.picker.selection == "demo")
        return chat
    }

    @Test("A conversation goes on at the next launch")
    func keeps() async throws {
        let first = await started()
        let store = try #require(first.conversation)
        store.send("My name is Nina.")
        await store.reply?.value
        first.keep()
        #expect(first.problem == nil)
        let second = await started()
        let again = try #require(second.conversation)
        #expect(again.rows.map(\.copyText) == store.rows.map(\.copyText))
        again.send("What is my name?")
        await again.reply?.value
        #expect(again.rows.last?.copyText.contains("Nina") == true)
    }

    @Test("Each model of the library has a download, which says that it is absent")
    func downloads() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pocket-\(UUID().uuidString)")
        let downloader = LeapDownloader(config: LeapDownloaderConfig(saveDir: folder.path))
        let choices = try await PocketLibrary(downloader: downloader).choices()
        let chat = PocketChat(library: DemoLibrary(), downloads: PocketDownload.all(downloader: downloader), file: file)
        #expect(chat.downloads.map(\.id) + [LeapDemoModel.name] == choices.map(\.id))
        for download in chat.downloads {
            await download.store.refresh()
            #expect(download.store.state.phase == .absent)
        }
    }

    @Test("A card is filled in from a text")
    func card() async throws {
        let chat = await started()
        #expect(!chat.canReadCard)
        chat.cardText = "Mira is 31 years old and lives in Lisbon."
        chat.readCard()
        let card = try #require(chat.card)
        await card.reply?.value
        #expect(card.value?.name == "Mira" && card.value?.age == 31 && card.value?.city == "Lisbon")
        #expect(card.fields.map(\.label) == ["Name", "Age", "City"])
    }

    private struct LoggedTask: BackgroundTask {
        let log: @Sendable (String) -> Void

        func begin(onExpiration: @escaping @Sendable () -> Void) { log("begin") }
        func update(completed: Int, of total: Int) {}
        func end(success: Bool) { log("end \(success)") }
    }

    @Test("A reply asks the system for time in the background, and gives it back")
    func background() async throws {
        let (log, continuation) = AsyncStream.makeStream(of: String.self)
        let chat = PocketChat(library: DemoLibrary(), file: file)
        chat.makeBackgroundTask = { LoggedTask { continuation.yield($0) } }
        await chat.start()
        await chat.picker.work?.value
        let store = try #require(chat.conversation)
        store.send("My name is Nina.")
        await store.reply?.value
        var lines: [String] = []
        for await line in log {
            lines.append(line)
            if line.hasPrefix("end") { break }
        }
        #expect(lines == ["begin", "end true"], "\(lines)")
        #expect(!store.isSuspended)
    }

    @Test("Calls are run, and those that cannot be say why")
    func tools() throws {
        let roll = try Int(PocketTools.run(LeapFunctionCall(name: "roll_dice", arguments: ["sides": 6])))
        #expect((1...6).contains(roll ?? 0))
        #expect(throws: PocketToolError.self) {
            try PocketTools.run(LeapFunctionCall(name: "roll_dice", arguments: ["sides": 1]))
        }
    }

    @Test("A file that is no conversation is a problem, and the app works")
    func damaged() async throws {
        try file.write("{")
        let chat = await started()
        #expect(chat.problem?.contains("not JSON") == true)
        #expect(chat.conversation?.rows.isEmpty == true)
    }
}
