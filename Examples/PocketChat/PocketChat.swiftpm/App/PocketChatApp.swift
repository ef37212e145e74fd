import LeapUi
import PocketChatLogic
import SwiftUI

/// The app: a chat, a card that a model fills in, and the choice of models.
@main
struct PocketChatApp: App {
    @State private var chat = PocketChat()
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            TabView {
                ChatScreen(chat: chat).tabItem { Label("Chat", systemImage: "text.bubble") }
                CardScreen(chat: chat).tabItem { Label("Card", systemImage: "person.crop.rectangle") }
                ModelsScreen(chat: chat).tabItem { Label("Models", systemImage: "cpu") }
            }
            .task {
                chat.makeBackgroundTask = Self.makeBackgroundTask
                await chat.start()
            }
            .onChange(of: phase) {
                if phase == .background { chat.keep() }
                if phase == .active { chat.conversation?.resume() }
            }
        }
    }

    /// The task of iOS 26, whose identifier `Info.plist` has.
    private static var makeBackgroundTask: (@Sendable () -> any BackgroundTask)? {
        #if canImport(BackgroundTasks) && canImport(UIKit)
            if #available(iOS 26, *) {
                return {
                    ContinuedProcessingTask(
                        identifier: "org.example.PocketChat.reply", title: "Writing a reply", subtitle: "PocketChat")
                }
            }
        #endif
        return nil
    }
}

/// The conversation; before a model is loaded, the choice of models.
struct ChatScreen: View {
    @Bindable var chat: PocketChat

    var body: some View {
        if let store = chat.conversation {
            VStack {
                if let problem = chat.problem { Text(problem).foregroundStyle(.red) }
                ConversationView(store: store)
            }
            .sheet(isPresented: $chat.isChoosingModel) { ModelPicker(store: chat.picker) }
        } else {
            ModelPicker(store: chat.picker)
        }
    }
}

/// The downloads of the models, above the list to choose from.
struct ModelsScreen: View {
    let chat: PocketChat

    var body: some View {
        VStack {
            ForEach(chat.downloads) { download in
                ModelDownloadView(title: download.id, store: download.store)
                    .onChange(of: download.store.state.phase) { Task { await chat.picker.refresh() } }
            }
            ModelPicker(store: chat.picker)
        }
    }
}

/// A text, and the person that it tells of.
struct CardScreen: View {
    @Bindable var chat: PocketChat

    var body: some View {
        VStack(alignment: .leading, spacing: 16) {
            TextField("Mira is 31 years old and lives in Lisbon.", text: $chat.cardText)
            Button("Read") { chat.readCard() }.disabled(!chat.canReadCard)
            if let card = chat.card { StructuredReplyView(store: card) }
            Spacer()
        }
        .padding()
    }
}
