import Foundation
import LeapSDK
import LeapUi
import Observation

/// The state of the app behind its screens.
@MainActor
@Observable
public final class PocketChat {
    /// The models.
    public let picker: ModelPickerStore
    /// The downloads of the models.
    public let downloads: [PocketDownload]
    /// The conversation; nil until a model is loaded.
    public private(set) var conversation: ConversationStore?
    /// The card; nil until a model is loaded.
    public private(set) var card: StructuredReplyStore<Person>?
    /// The text that the card is read from.
    public var cardText = ""
    /// True if the chat shows the choice of models.
    public var isChoosingModel = false
    /// The problem with the kept conversation, in one sentence; nil if there is none.
    public private(set) var problem: String?

    /// Makes the system's task for a reply that goes on in the background; nil where the system has none.
    @ObservationIgnored public var makeBackgroundTask: (@Sendable () -> any BackgroundTask)?
    @ObservationIgnored private let file: HistoryFile

    /// Makes the app's state; nothing is loaded yet.
    public init(
        library: any ModelLibrary = PocketLibrary(), downloads: [PocketDownload] = PocketDownload.all(),
        file: HistoryFile = HistoryFile()
    ) {
        self.downloads = downloads
        self.file = file
        picker = ModelPickerStore(library: library)
        picker.onLoad = { [weak self] runner in self?.use(runner) }
    }

    /// Lists the models, and loads the first one that is on the device.
    public func start() async {
        guard picker.choices.isEmpty else { return }
        await picker.refresh()
        let first = picker.choices.first { $0.isOnDevice && $0.obstacle == nil }
        if let first { picker.choose(first.id) }
    }

    /// Keeps the conversation for the next launch.
    public func keep() {
        guard let conversation else { return }
        attempt { try file.write(conversation.conversation.exportToJSON()) }
    }

    /// True if there is a model, and a text to read.
    public var canReadCard: Bool { card?.isReplying == false && !cardText.isEmpty }

    /// Reads the person that the text tells of.
    public func readCard() {
        if canReadCard { card?.generate("Extract name, age and city as JSON: \(cardText)") }
    }

    private func use(_ runner: any ModelRunner) {
        isChoosingModel = false
        // Memory goes back when the system asks for it, and when the app leaves the foreground.
        runner.follow(MemoryPolicy())
        let options = GenerationOptions().with(temperature: 0).with(injectSchemaIntoPrompt: false)
        card = StructuredReplyStore(conversation: runner.createConversation(), generationOptions: options)
        if let conversation { return conversation.use(runner) }
        var history = [ChatMessage(role: .system, textContent: "You are a helpful assistant.")]
        attempt { history = try file.read() ?? history }
        let first = runner.createConversationFromHistory(history: history)
        first.registerFunctions(PocketTools.functions)
        let store = ConversationStore(conversation: first, runCall: PocketTools.run)
        store.background = makeBackgroundTask.map {
            ConversationBackground(savingTo: file.suspended, makeTask: $0)
        }
        store.onChooseModel = { [weak self] in self?.isChoosingModel = true }
        conversation = store
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
            problem = nil
        } catch {
            problem = error.localizedDescription
        }
    }
}
