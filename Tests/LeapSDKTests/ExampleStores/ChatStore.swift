import LeapSDK
import Observation

/// A chat app's store: loads a model by name or from a file, streams replies into bubbles, can be stopped.
@MainActor
@Observable
final class ChatStore {
    enum Phase: Equatable {
        case empty, ready
        case loading(Double)
        case failed(String)
    }

    struct Bubble: Identifiable {
        let id = UUID()
        let role: ChatMessageRole
        var text = ""
        var reasoning = ""
    }

    private(set) var phase = Phase.empty
    private(set) var bubbles: [Bubble] = []
    private(set) var tokensPerSecond: Float = 0
    private(set) var lastReason: GenerationFinishReason?
    var isReplying: Bool { conversation?.isGenerating ?? false }

    @ObservationIgnored private var runner: ModelRunner?
    @ObservationIgnored private var conversation: Conversation?
    @ObservationIgnored private var reply: Task<Void, Never>?

    func open(model: String, quantization: String) async {
        phase = .loading(0)
        do {
            let runner = try await Leap.load(
                model: model,
                quantization: quantization,
                options: LiquidInferenceEngineManifestOptions(contextSize: 2048)
            ) { fraction, _ in
                self.phase = .loading(fraction)
            }
            begin(with: runner)
        } catch {
            phase = .failed("No model: \(error.localizedDescription)")
        }
    }

    func open(file: URL) async {
        phase = .loading(0)
        do {
            begin(with: try await Leap.load(url: file))
        } catch {
            phase = .failed("No model: \(error.localizedDescription)")
        }
    }

    private func begin(with runner: ModelRunner) {
        self.runner = runner
        conversation = runner.createConversation(systemPrompt: "You answer in one sentence.")
        bubbles = []
        phase = .ready
    }

    func send(_ text: String, options: GenerationOptions? = nil) {
        guard let conversation, !isReplying else { return }
        bubbles.append(Bubble(role: .user, text: text))
        bubbles.append(Bubble(role: .assistant))
        let message = ChatMessage(role: .user, content: [.text(text)])
        reply = Task { [weak self] in
            do {
                for try await response in conversation.generateResponse(message: message, generationOptions: options) {
                    self?.take(response)
                }
            } catch {
                self?.phase = .failed(error.localizedDescription)
            }
        }
    }

    func stop() { reply?.cancel() }

    /// Waits for the reply that is under way.
    func settle() async { await reply?.value }

    private func take(_ response: MessageResponse) {
        let last = bubbles.count - 1
        switch onEnum(of: response) {
        case .chunk(let piece): bubbles[last].text += piece.text
        case .reasoningChunk(let piece): bubbles[last].reasoning += piece.reasoning
        case .functionCalls, .audioSample: break
        case .complete(let completion):
            lastReason = completion.finishReason
            if let stats = completion.stats { tokensPerSecond = stats.tokenPerSecond }
        }
    }

    /// The chat as a file.
    func export() throws -> Data {
        let text: String = conversation?.exportToJSON() ?? "[]"
        return Data(text.utf8)
    }

    func close() async {
        stop()
        await runner?.unload()
        (runner, conversation, phase) = (nil, nil, .empty)
    }
}
