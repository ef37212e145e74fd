import LeapSDK
import Observation

/// The state and the actions of a chat's screen; without SwiftUI, so that it is compiled and tested on every system.
@MainActor
@Observable
final class ChatStore {
    struct Bubble: Identifiable {
        let id = UUID()
        let isMine: Bool
        var text: String
    }

    private(set) var bubbles: [Bubble] = []
    private(set) var problem: String?
    private(set) var isReady = false
    private(set) var isReplying = false
    @ObservationIgnored private var conversation: (any Conversation)?
    /// The reply that is under way, or the last one.
    @ObservationIgnored private(set) var reply: Task<Void, Never>?

    /// Loads a model and begins a chat.
    func open(_ model: @autoclosure () throws -> URL) async {
        do {
            let runner = try await Leap.load(url: model())
            conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
            isReady = true
        } catch {
            problem = error.localizedDescription
        }
    }

    /// Asks; the reply grows in the last bubble.
    func send(_ text: String) {
        guard let conversation, !isReplying, !text.isEmpty else { return }
        bubbles += [Bubble(isMine: true, text: text), Bubble(isMine: false, text: "")]
        isReplying = true
        problem = nil
        reply = Task {
            do {
                let options = GenerationOptions().with(temperature: 0).with(contextOverflowPolicy: .trimOldestTurns)
                for try await response in conversation.generateResponse(
                    userTextMessage: text, generationOptions: options)
                {
                    if case .chunk(let piece) = response { bubbles[bubbles.count - 1].text += piece }
                }
            } catch {
                problem = error.localizedDescription
            }
            isReplying = false
        }
    }

    /// Ends the reply that is under way; what is there of it stays.
    func stop() { reply?.cancel() }
}
