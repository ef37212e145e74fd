import LeapBase
import LeapEngine
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

@Suite(.inTurns)
struct KeptStateTests {
    @Test("The next turn computes only what is new")
    func nextTurn() async throws {
        let (runner, backend) = DemoVocabulary.runner(["Hello there!", "Fine.", "Bye."])
        let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        for (index, text) in ["Hi", "How are you?", "Bye"].enumerated() {
            let before = conversation.history
            let responses = try await conversation.generateResponse(userTextMessage: text).collect()
            let stats = try #require(responses.completion?.stats)
            let request = try #require(backend.requests.withLock { $0.last })
            #expect(Int(stats.computedPromptTokens + stats.reusedPromptTokens) == request.prompt.count)
            #expect(Int(stats.promptTokens) == request.prompt.count && stats.cachedPromptTokens == 0)
            let whole = await runner.getPromptTokensSize(
                messages: before + [ChatMessage(role: .user, textContent: text)])
            #expect(whole == request.prompt.count)
            if index > 0 {
                // What the turn adds: the end of the last reply, the message, the beginning of this reply.
                #expect(stats.computedPromptTokens < 20)
                #expect(stats.reusedPromptTokens > 20)
            }
        }
    }

    @Test("What the template drops, or the user changes, is computed again from there on")
    func changedHistory() async throws {
        let (runner, backend) = DemoVocabulary.runner(["one", "two", "three"])
        let conversation = runner.createConversation(systemPrompt: nil)
        _ = try await conversation.generateResponse(userTextMessage: "a").collect()
        conversation.removeLastMessage()
        conversation.removeLastMessage()
        let responses = try await conversation.generateResponse(userTextMessage: "something else entirely").collect()
        #expect(responses.completion?.stats?.reusedPromptTokens ?? 99 < 6)
        #expect(backend.requests.withLock { $0.count } == 2)
    }

    @Test("Reasoning and calls come back as the model wrote them")
    func rawReplies() async throws {
        let call = #"<|tool_call_start|>[get_weather( city = "Paris" )]<|tool_call_end|>"#
        let (runner, backend) = DemoVocabulary.runner([
            .init(text: "<think>\nhm\n</think>\n\nLet me look." + call), "It is sunny.",
        ])
        let conversation = runner.createConversation(systemPrompt: nil)
        conversation.registerFunction(LeapFunctionTests.weather)
        let first = try await conversation.generateResponse(userTextMessage: "Weather?").collect()
        #expect(first.text == "Let me look." && first.reasoning == "hm" && first.calls.map(\.name) == ["get_weather"])
        conversation.appendToHistory(message: ChatMessage(role: .tool, textContent: "{}"))
        let second = try await conversation.generateResponse(userTextMessage: "").collect()
        let prompts = backend.requests.withLock { $0.map { DemoVocabulary.tokenizer.decode($0.prompt) } }
        #expect(prompts[1].hasPrefix(prompts[0] + "<think>\nhm\n</think>\n\nLet me look." + call))
        #expect(second.completion?.stats?.computedPromptTokens ?? 99 < 20)
        #expect(conversation.history.map(\.role) == [.user, .assistant, .tool, .assistant])
    }

    @Test("Tokens that the model chose stay, where the tokenizer would have chosen others")
    func reconciliation() {
        let tokenizer = DemoVocabulary.tokenizer
        let end = tokenizer.token(for: "<|im_end|>") ?? 0
        func single(_ text: String) -> [TokenID] {
            text.utf8.flatMap { tokenizer.encode(String(Unicode.Scalar($0)), addSpecial: false) }
        }
        let canonical = tokenizer.encode("The capital", addSpecial: false)
        let spelled = single("The capital")
        #expect(canonical != spelled)
        let tail = tokenizer.encode("\n next", addSpecial: false)
        let prompt = [1] + canonical + [end] + tail
        #expect(
            TokenReconciliation.reconcile(prompt, kept: [1] + spelled, tokenizer: tokenizer) == [1] + spelled + [end]
                + tail)
        #expect(
            TokenReconciliation.reconcile(prompt, kept: [1] + spelled + [end], tokenizer: tokenizer) == [1] + spelled
                + [end] + tail)
        #expect(TokenReconciliation.reconcile(prompt, kept: [1] + single("Another"), tokenizer: tokenizer) == prompt)
        #expect(TokenReconciliation.reconcile(prompt, kept: [], tokenizer: tokenizer) == prompt)
        #expect(TokenReconciliation.reconcile(prompt, kept: prompt, tokenizer: tokenizer) == prompt)
        #expect(TokenReconciliation.reconcile([], kept: prompt, tokenizer: tokenizer) == [])
        #expect(TokenReconciliation.reconcile(canonical, kept: spelled, tokenizer: tokenizer) == canonical)
    }

    @Test("Reconciled prompts say the same as before, whatever was kept")
    func reconciliationFuzz() {
        let tokenizer = DemoVocabulary.tokenizer
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            func tokens() -> [TokenID] {
                (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                    Int.random(in: 0..<4, using: &generator) == 0
                        ? TokenID.random(in: 6...7, using: &generator)
                        : TokenID.random(in: 16..<60, using: &generator)
                }
            }
            let prompt = tokens()
            let kept = Bool.random(using: &generator) ? tokens() : Array(prompt.prefix(6)) + tokens()
            let result = TokenReconciliation.reconcile(prompt, kept: kept, tokenizer: tokenizer)
            #expect(tokenizer.decode(result) == tokenizer.decode(prompt), "seed \(seed)")
        }
    }
}
