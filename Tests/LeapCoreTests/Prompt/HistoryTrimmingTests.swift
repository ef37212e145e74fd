import LeapBase
import LeapEngine
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

@Suite(.inTurns)
struct HistoryTrimmingTests {
    private static func turn(_ index: Int, words: Int = 20) -> [ChatMessage] {
        [
            ChatMessage(role: .user, textContent: "question \(index) " + String(repeating: "word ", count: words)),
            ChatMessage(role: .assistant, textContent: "answer \(index)"),
        ]
    }

    private static let exchange: [ChatMessage] = [
        ChatMessage(role: .user, textContent: "weather?"),
        ChatMessage(
            role: .assistant, content: [],
            functionCalls: [LeapFunctionCall(name: "f", arguments: [:] as [String: Any?])]),
        ChatMessage(role: .tool, textContent: "{}"), ChatMessage(role: .user, textContent: ""),
        ChatMessage(role: .assistant, textContent: "sunny"),
    ]

    @Test("Turns hold together what belongs together")
    func turns() {
        let system = ChatMessage(role: .system, textContent: "s")
        let turns = HistoryTrimmer.Turns([system] + Self.turn(1) + Self.exchange + Self.turn(2))
        #expect(turns.system == [system])
        #expect(turns.turns.map(\.count) == [2, 5, 2])
        #expect(turns.dropping(1) == [system] + Self.exchange + Self.turn(2))
        #expect(HistoryTrimmer.Turns([system]).turns.isEmpty)
        #expect(
            HistoryTrimmer.Turns([ChatMessage(role: .assistant, textContent: "x")] + Self.turn(1)).turns.map(\.count)
                == [1, 2])
    }

    @Test("As few turns are left out as will do", arguments: 0...5)
    func fewest(dropped: Int) throws {
        let messages = (0..<6).flatMap { Self.turn($0) }
        let turns = HistoryTrimmer.Turns(messages)
        let limit = turns.dropping(dropped).count
        #expect(HistoryTrimmer.turnsToDrop(from: turns, limit: limit) { $0.count } == dropped)
        #expect(HistoryTrimmer.turnsToDrop(from: turns, limit: 1) { $0.count } == nil)
    }

    @Test("A prompt that is too long is an error with both numbers, unless trimming is asked for")
    func overflow() async throws {
        let (runner, _) = DemoVocabulary.runner([], contextSize: 64)
        let history = [ChatMessage(role: .system, textContent: "s")] + Self.turn(1) + Self.turn(2)
        let conversation = runner.createConversationFromHistory(history: history)
        let error = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await conversation.generateResponse(userTextMessage: "and now?").collect()
        }
        let needed = await runner.getPromptTokensSize(
            messages: history + [ChatMessage(role: .user, textContent: "and now?")])
        #expect(error?.neededTokens == needed + 1 && error?.availableTokens == 64)
        #expect(conversation.history == history)
    }

    @Test("Trimming leaves out whole old turns, keeps the system message, and says what it did")
    func trimming() async throws {
        let (runner, backend) = DemoVocabulary.runner(["fine", "fine"], contextSize: 100)
        let history =
            [ChatMessage(role: .system, textContent: "Keep me.")] + Self.turn(1) + Self.exchange + Self.turn(2)
        for options in [
            GenerationOptions().with(contextOverflowPolicy: .trimOldestTurns),
            GenerationOptions(extras: #"{"contextOverflow":"trimOldestTurns"}"#),
        ] {
            let conversation = runner.createConversationFromHistory(history: history)
            let responses = try await conversation.generateResponse(
                userTextMessage: "and now?", generationOptions: options
            ).collect()
            let trimming = try #require(responses.completion?.trimming)
            #expect(
                trimming.removedMessages == Self.turn(1)
                    + Self.exchange.filter { !$0.content.allSatisfy { $0.text == "" } || $0.role != .user })
            let request = try #require(backend.requests.withLock { $0.last })
            #expect(trimming.keptTokens == request.prompt.count && request.prompt.count <= 75)
            let text = DemoVocabulary.tokenizer.decode(request.prompt)
            #expect(
                text.contains("Keep me.") && text.contains("question 2") && !text.contains("question 1")
                    && !text.contains("weather?"))
            #expect(responses.completion?.issues.map(\.kind) == [.historyTrimmed])
            #expect(conversation.history.count == history.count + 2)
            #expect(trimming.removedTokens > 30)
        }
    }

    @Test("Trimming never takes the last turn: if that is too long, it is an error")
    func lastTurn() async throws {
        let (runner, _) = DemoVocabulary.runner([], contextSize: 32)
        let conversation = runner.createConversationFromHistory(history: Self.turn(1))
        let error = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await conversation.generateResponse(
                userTextMessage: String(repeating: "long ", count: 50),
                generationOptions: GenerationOptions().with(contextOverflowPolicy: .trimOldestTurns)
            ).collect()
        }
        #expect(error?.availableTokens == 32)
    }

    /// Counts the prompts that are rendered.
    private struct CountingFormatter: PromptFormatter {
        let count: Locked<Int>
        private let plain = ChatMLFormatter(hasToolMarks: true)
        var origin: String { plain.origin }
        var traits: PromptTraits { plain.traits }
        var turnEnds: [String] { plain.turnEnds }

        init(_ count: Locked<Int>) { self.count = count }

        func render(_ context: PromptContext) throws -> String {
            count.withLock { $0 += 1 }
            return try plain.render(context)
        }
    }

    @Test("A generation that is stopped renders no further prompt while one is sought that fits", arguments: 0...3)
    func stopped(after allowed: Int) throws {
        let rendered = Locked(0)
        let builder = PromptBuilder(tokenizer: DemoVocabulary.tokenizer, formatter: CountingFormatter(rendered))
        func fitting(_ check: @escaping () throws -> Void) -> PromptFitting {
            PromptFitting(
                builder: builder, contextSize: 200, policy: .trimOldestTurns, maxTokens: nil, checkNotStopped: check)
        }
        let request = PromptRequest(messages: (0..<40).flatMap { Self.turn($0) })
        #expect(try fitting({}).fit(request).trimming != nil)
        #expect(rendered.withLock { $0 } > 4)
        rendered.withLock { $0 = 0 }
        let stopped = fitting { if rendered.withLock({ $0 }) >= allowed { throw CancellationError() } }
        #expect(throws: CancellationError.self) { try stopped.fit(request) }
        #expect(rendered.withLock { $0 } == allowed)
    }

    @Test("What fits is not trimmed")
    func fitting() async throws {
        let (runner, _) = DemoVocabulary.runner(["x"])
        let conversation = runner.createConversationFromHistory(history: Self.turn(1))
        let options = GenerationOptions().with(contextOverflowPolicy: .trimOldestTurns)
        #expect(
            try await conversation.generateResponse(userTextMessage: "?", generationOptions: options).collect()
                .completion?.trimming == nil)
    }

    @Test(
        "A chat of 100 turns in a full context computes at most half as much again as in an endless one",
        arguments: TestLevel.cases([nil, 40] as [Int32?], standard: 1))
    func cost(maxTokens: Int32?) async throws {
        func computed(contextSize: Int) async throws -> (tokens: Int, cuts: Int) {
            let replies = (0..<100).map { ScriptedBackend.Script(text: "reply \($0) is this and nothing else") }
            let (runner, backend) = DemoVocabulary.runner(replies, contextSize: contextSize)
            let conversation = runner.createConversationFromHistory(
                history: [ChatMessage(role: .system, textContent: String(repeating: "Be brief. ", count: 20))])
            let options = GenerationOptions().with(contextOverflowPolicy: .trimOldestTurns)
            options.maxTokens = maxTokens
            var total = 0
            var removed: [Int] = []
            for turn in 0..<100 {
                let responses = try await conversation.generateResponse(
                    userTextMessage: "question \(turn): " + String(repeating: "word ", count: turn % 30),
                    generationOptions: options
                ).collect()
                let completion = try #require(responses.completion)
                total += Int(try #require(completion.stats).computedPromptTokens)
                removed.append(completion.trimming?.removedMessages.count ?? 0)
                let prompt = try #require(backend.requests.withLock { $0.last }).prompt
                #expect(prompt.count < contextSize)
                #expect(DemoVocabulary.tokenizer.decode(Array(prompt.prefix(100))).contains("Be brief."))
            }
            #expect(conversation.history.count == 201 && removed == removed.sorted())
            return (total, Set(removed).count - 1)
        }
        let endless = try await computed(contextSize: 100_000)
        #expect(endless.cuts == 0)
        let full = try await computed(contextSize: 1024)
        #expect(full.cuts > 3 && Double(full.tokens) <= 1.5 * Double(endless.tokens), "\(full) of \(endless)")
    }
}
