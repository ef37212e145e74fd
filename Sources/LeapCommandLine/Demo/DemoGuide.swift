import Foundation
import LeapBase
import LeapSDK

/// Speaks for the tour: headings, questions and streamed answers.
final class DemoGuide {
    let runner: any ModelRunner
    private let interactive = Terminal.inputIsTerminal && Terminal.outputIsTerminal

    init(runner: any ModelRunner) {
        self.runner = runner
    }

    func introduce(loadTime: Duration) {
        let milliseconds = Double(loadTime.components.attoseconds) / 1e15 + Double(loadTime.components.seconds) * 1e3
        Terminal.writeLine("Open Leap: language models on your own CPU", .bold)
        Terminal.writeLine(
            "\(runner.modelId), 7.7 million parameters, ready in \(String(format: "%.0f", milliseconds)) ms. "
                + "It knows only what it was trained on.")
    }

    func heading(_ text: String) {
        Terminal.writeLine()
        Terminal.writeLine("== \(text)", .bold)
    }

    func say(_ text: String) {
        Terminal.writeLine(text)
    }

    /// Waits for Return where a person watches; false where the tour is to end.
    func wait() async -> Bool {
        guard interactive else { return true }
        Terminal.write("\n[Press Return to continue, Ctrl-D to end the tour] ", .dim)
        if await ConsoleLine.next() != nil { return true }
        Terminal.writeLine()
        return false
    }

    /// Shows the question and the name of its picture or sound, streams the answer, and returns what came.
    @discardableResult
    func ask(
        _ question: String, picture: (name: String, data: Data)? = nil, sound: (name: String, data: Data)? = nil,
        in conversation: any Conversation,
        options: GenerationOptions = .greedy, showsStats: Bool = false
    ) async throws -> DemoAnswer {
        if !question.isEmpty {
            let file = picture.map { "[\($0.name).png] " } ?? sound.map { "[\($0.name).wav] " } ?? ""
            Terminal.writeLine("you:   \(file)\(question)")
        }
        Terminal.write("model: ")
        var answer = DemoAnswer()
        let parts: [ChatMessageContent?] = [
            picture.map { .image($0.data) }, sound.map { .audio($0.data) }, sound == nil ? .text(question) : nil,
        ]
        let content = parts.compactMap { $0 }
        let message = ChatMessage(role: .user, content: content)
        for try await response in conversation.generateResponse(message: message, generationOptions: options).throwing {
            switch response {
            case .chunk(let text):
                if answer.isThinking { Terminal.write(") ", .dim) }
                answer.isThinking = false
                answer.text += text
                Terminal.write(text)
            case .reasoningChunk(let text):
                if !answer.isThinking { Terminal.write("(thinking: ", .dim) }
                answer.isThinking = true
                Terminal.write(text, .dim)
            case .functionCall(let calls):
                answer.calls += calls
            case .audioSample: answer.speech.add(response)
            case .complete(let completion):
                answer.stats = completion.stats
            }
        }
        Terminal.writeLine()
        if showsStats, let stats = answer.stats {
            Terminal.writeLine(
                "       \(stats.completionTokens) tokens at \(String(format: "%.0f", stats.tokenPerSecond)) "
                    + "tokens/s; prompt: \(stats.computedPromptTokens) computed, \(stats.reusedPromptTokens) kept", .dim
            )
        }
        return answer
    }

    func farewell() {
        Terminal.writeLine()
        Terminal.writeLine(
            "That was the tour. Next: `leap chat` to talk to it, `leap run MODEL --prompt TEXT` for your own model.")
    }
}

/// The model's answer at one stop of the tour.
struct DemoAnswer {
    /// The speech of the answer.
    var speech = SpokenFile()
    var text = ""
    var calls: [LeapFunctionCall] = []
    var stats: GenerationStats?
    var isThinking = false
}

extension GenerationOptions {
    /// The demo model is at its best when it takes the likeliest token; the limit is for its stories.
    static var greedy: GenerationOptions {
        GenerationOptions().with(temperature: 0).with(maxTokens: 160)
    }
}
