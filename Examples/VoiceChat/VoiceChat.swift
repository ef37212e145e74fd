import LeapAudioDemoModel
import LeapDemoModel
import LeapSDK
import LeapUi

#if canImport(Darwin) && canImport(SwiftUI)
    import SwiftUI

    /// An app with two screens: one to type and one to speak.
    @main
    struct VoiceChat: App {
        var body: some Scene {
            WindowGroup {
                TabView {
                    ChatScreen().tabItem { Label("Chat", systemImage: "text.bubble") }
                    VoiceScreen().tabItem { Label("Voice", systemImage: "mic") }
                }
            }
        }
    }

    /// Bubbles, and a field below them.
    struct ChatScreen: View {
        @State private var store = ChatStore()
        @State private var draft = ""

        var body: some View {
            VStack {
                ScrollView {
                    VStack(spacing: 12) {
                        ForEach(store.bubbles) { bubble in
                            Text(bubble.text)
                                .padding()
                                .background(bubble.isMine ? Color.blue.opacity(0.2) : Color.gray.opacity(0.2))
                                .frame(maxWidth: .infinity, alignment: bubble.isMine ? .trailing : .leading)
                        }
                    }
                }
                if let problem = store.problem { Text(problem).foregroundStyle(.red) }
                HStack {
                    TextField("Message", text: $draft).onSubmit(send)
                    if store.isReplying {
                        Button("Stop", action: store.stop)
                    } else {
                        Button("Send", action: send).disabled(!store.isReady)
                    }
                }
            }
            .padding()
            .task { await open() }
        }

        private func open() async { await store.open(try LeapDemoModel.url) }
        private func send() {
            store.send(draft)
            draft = ""
        }
    }

    /// The assistant that listens and speaks.
    ///
    /// `Info.plist` needs `NSMicrophoneUsageDescription`.
    struct VoiceScreen: View {
        @State private var assistant = VoiceAssistantStore.makeForApple()

        var body: some View {
            VoiceWidget(store: assistant).task {
                do {
                    assistant.setModelProgress(fraction: 0, message: "")
                    let runner = try await Leap.load(url: LeapAudioDemoModel.url)
                    assistant.setConversation(conv: ModelVoiceConversation(conversation: runner.createConversation()))
                } catch {
                    assistant.setModelError(message: error.localizedDescription)
                }
            }
        }
    }
#else
    /// A script that uses the store of the chat as its screen would, for systems without SwiftUI.
    @main
    @MainActor
    struct VoiceChat {
        static func main() async {
            let store = ChatStore()
            await store.open(try LeapDemoModel.url)
            for text in ["My name is Nina.", "What is my name?"] {
                store.send(text)
                await store.reply?.value
            }
            for bubble in store.bubbles { print(bubble.isMine ? "> \(bubble.text)" : bubble.text) }
            if let problem = store.problem { print(problem) }
        }
    }
#endif
