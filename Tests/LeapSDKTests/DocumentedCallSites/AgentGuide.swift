// swift-format-ignore-file
// The snippets stand as they are in the document "AI Agent Usage Guide" (0.10), without the view around them.
import Foundation
import LeapDemoModel
import LeapSDK
import Testing

@MainActor
final class AgentGuideCallSites {
    private var currentText = ""
    private var conversation: Conversation?
    private var dispatched: [LeapFunctionCall] = []

    private func dispatch(_ call: LeapFunctionCall) async { dispatched.append(call) }
    private func appendUI(_ text: String) { currentText += text }
    private func runtimeDispatch(_ call: LeapFunctionCall) async -> String { #"{"temperature": 21, "conditions": "sunny"}"# }

    @MainActor
    private func handle(_ response: MessageResponse) {
        switch onEnum(of: response) {
        case .chunk(let chunk):
            currentText += chunk.text
        case .reasoningChunk(let reasoning):
            log("Reasoning:", reasoning.reasoning)
        case .functionCalls(let payload):
            for call in payload.functionCalls {
                Task { await dispatch(call) }
            }
        case .audioSample(let audio):
            audioPlayer.enqueue(audio.samples, sampleRate: Int(audio.sampleRate))
        case .complete(let completion):
            currentText = ""
            if let stats = completion.stats {
                log("Done: \(stats.totalTokens) tokens at \(stats.tokenPerSecond) tok/s")
            }
        }
    }

    func agentLoop(initialQuestion: String) async throws {
        var workingConv = conversation!
        var pending = ChatMessage(role: .user, content: [.text(initialQuestion)])
        while true {
            var toolCalls: [LeapFunctionCall] = []
            for try await response in workingConv.generateResponse(message: pending) {
                switch onEnum(of: response) {
                case .chunk(let c):
                    appendUI(c.text)
                case .functionCalls(let payload):
                    toolCalls.append(contentsOf: payload.functionCalls)
                case .complete:
                    break
                default:
                    break
                }
            }
            if toolCalls.isEmpty { break } // Agent is done
            // Execute tools, append results, loop
            let toolMessages = await toolCalls.asyncMap { call in
                let result = await runtimeDispatch(call)
                return ChatMessage(role: .tool, content: [.text(result)])
            }
            let updatedHistory = workingConv.history + toolMessages
            workingConv = workingConv.modelRunner.createConversationFromHistory(history: updatedHistory)
            pending = ChatMessage(role: .user, content: [.text("")]) // empty turn — let the model continue
        }
    }

    func multimodal(jpegData: Data, wavData: Data, samples: [Float]) {
        // Vision-capable model
        let imageMessage = ChatMessage(
            role: .user,
            content: [.text("Describe what you see."), .image(jpegData)]
        )
        // Audio-capable model — WAV blob
        let audioMessage = ChatMessage(
            role: .user,
            content: [.text("Transcribe."), .audio(wavData)]
        )
        // Audio-capable model — raw float32 PCM samples (no WAV re-encode)
        let pcmMessage = ChatMessage(
            role: .user,
            content: [.text("How's my pronunciation?"),
                ChatMessageContent.fromFloatSamples(samples, sampleRate: 16000)]
        )
        _ = (imageMessage, audioMessage, pcmMessage)
    }

    // The view model of the guide, without what only Apple's frameworks have.
    private var responseText = ""
    private var isLoading = false
    private var isGenerating = false
    private var errorMessage: String?
    private var modelRunner: ModelRunner?
    private var generationTask: Task<Void, Never>?

    func loadModel() async {
        isLoading = true
        defer { isLoading = false }
        do {
            let runner = try await Leap.load(url: LeapDemoModel.url)
            modelRunner = runner
            conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
            conversation?.registerFunction(weatherFunction)
        } catch {
            errorMessage = "Failed to load model: \(error.localizedDescription)"
        }
    }

    func send(_ text: String) {
        guard let conversation else { return }
        generationTask?.cancel()
        isGenerating = true
        responseText = ""
        generationTask = Task { [weak self] in
            defer { Task { @MainActor in self?.isGenerating = false } }
            do {
                let userMessage = ChatMessage(role: .user, content: [.text(text)])
                for try await response in conversation.generateResponse(
                    message: userMessage,
                    generationOptions: GenerationOptions(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05)
                ) {
                    await MainActor.run { self?.handle(response) }
                }
            } catch {
                await MainActor.run { self?.errorMessage = "Generation failed: \(error.localizedDescription)" }
            }
        }
    }

    func stopGeneration() {
        generationTask?.cancel()
    }

    func run() async throws -> (text: String, error: String?) {
        await loadModel()
        try await agentLoop(initialQuestion: "What's the weather in Paris?")
        let text = currentText
        send("Hello!")
        await generationTask?.value
        stopGeneration()
        return (text, errorMessage)
    }
}

struct AgentGuideTests {
    @Test("The agent guide's code runs to the end of its loop")
    func run() async throws {
        let (text, error) = try await AgentGuideCallSites().run()
        #expect(!text.isEmpty)
        #expect(error == nil)
    }
}
