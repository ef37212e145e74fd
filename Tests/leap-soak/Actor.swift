import LeapCore

/// A user of one conversation who changes their mind often.
final class Actor {
    /// The result of an actor's work.
    struct Outcome: Sendable {
        var actions = 0
        var failures: [String] = []
        var answers: [String: String] = [:]

        mutating func add(_ other: Outcome) {
            actions += other.actions
            failures += other.failures
            for (question, answer) in other.answers {
                if let known = answers[question], known != answer {
                    failures.append("“\(question)” has two answers: “\(known)” and “\(answer)”")
                }
                answers[question] = answer
            }
        }
    }

    private static let questions = [
        "What is the capital of Portugal?", "My name is Mira.", "What is my name?", "Tell me a story.", "Hello!",
        "What is 12 plus 30?",
    ]
    private static let schema = #"""
        {"type": "object", "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer"}},
         "required": ["name", "age"], "additionalProperties": false}
        """#

    private let runner: any ModelRunner
    private var conversation: any Conversation
    private var outcome = Outcome()

    init(runner: any ModelRunner) {
        self.runner = runner
        conversation = runner.createConversation()
    }

    func act(until end: ContinuousClock.Instant) async -> Outcome {
        while ContinuousClock.now < end {
            do {
                try await act()
            } catch let error as LeapGenerationPromptExceedContextLengthException {
                // A small context fills; the message is not in the history then, and the conversation starts over.
                if error.neededTokens <= error.availableTokens { outcome.failures.append(error.message) }
                conversation = runner.createConversation()
            } catch is LeapGenerationTokenBudgetException {
                conversation = runner.createConversation()
            } catch {
                outcome.failures.append("\(error)")
                conversation = runner.createConversation()
            }
            outcome.actions += 1
        }
        return outcome
    }

    private func act() async throws {
        let question = Self.questions.randomElement() ?? ""
        let options = GenerationOptions(
            temperature: Float.random(in: 0...1), maxTokens: Int32.random(in: 1...96),
            extras: Bool.random() ? #"{"speculation": "lookup"}"# : nil)
        switch Int.random(in: 0..<11) {
        case 0...2: try await read(conversation.generateResponse(userTextMessage: question, generationOptions: options))
        case 3...4:
            try await read(
                conversation.generateResponse(userTextMessage: question, generationOptions: options),
                stoppingAfter: Int.random(in: 0...8))
        case 5:
            guard !conversation.history.isEmpty else { return }
            for _ in 0..<Int.random(in: 1...3) { conversation.removeLastMessage() }
        case 6:
            guard conversation.history.last?.role == .assistant else { return }
            try await read(conversation.regenerateResponse(generationOptions: options))
        case 7:
            conversation = runner.createConversation(systemPrompt: Bool.random() ? "Answer briefly." : nil)
        case 8:
            let options = GenerationOptions(temperature: 0.5, jsonSchemaConstraint: Self.schema, maxTokens: 96)
            try await read(
                runner.createConversation().generateResponse(
                    userTextMessage: "Ana is 31 years old.", generationOptions: options))
        case 9: await runner.giveBackMemory(Set(MemoryPart.allCases.filter { _ in Bool.random() }))
        default: try await ask(Self.questions.randomElement() ?? "")
        }
    }

    /// Asks a question whose answer must be the same each time.
    private func ask(_ question: String) async throws {
        var text = ""
        let options = GenerationOptions(temperature: 0, maxTokens: 24)
        for try await response in runner.createConversation().generateResponse(
            userTextMessage: question, generationOptions: options)
        {
            if case .chunk(let piece) = response { text += piece }
        }
        outcome.add(Outcome(answers: [question: text]))
    }

    private func read(
        _ responses: AsyncThrowingStream<MessageResponse, any Error>, stoppingAfter count: Int? = nil
    ) async throws {
        var pieces = 0
        for try await response in responses {
            if case .complete(let completion) = response, completion.finishReason == .error {
                outcome.failures.append("a completion with an error")
            }
            pieces += 1
            if let count, pieces > count { return }
        }
    }
}
