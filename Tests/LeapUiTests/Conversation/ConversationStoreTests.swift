import Foundation
import LeapBase
import LeapCore
import LeapDemoModel
import LeapUi
import Observation
import Testing

/// A screen's conversation, with replies that are written here.
@Suite(.timeLimit(.minutes(30)))
@MainActor
struct ConversationStoreTests {
    /// The rows as short texts.
    private func shown(_ store: ConversationStore) -> [String] {
        store.rows.map { row in
            switch row.content {
            case .question(let text, let pictures): "> \(text)" + String(repeating: "#", count: pictures.count)
            case .reasoning(let text): "(\(text.source))"
            case .answer(let text): text.source
            case .call(let call): "\(call.call.name): \(call.result ?? "-")"
            case .problem(let problem): "! \(problem.message)"
            }
        }
    }

    private func texts(_ history: [ChatMessage]) -> [String] { history.map { "\($0.role.rawValue): \($0.text)" } }

    private func store(
        _ script: @escaping ScriptedRunner.Script, runCall: ConversationStore.CallRunner? = nil
    ) -> (store: ConversationStore, runner: ScriptedRunner) {
        let runner = ScriptedRunner(script: script)
        let conversation = runner.createConversation(systemPrompt: "Be brief.")
        return (ConversationStore(conversation: conversation, maxCallRounds: 3, runCall: runCall), runner)
    }

    @Test("Reasoning and answer are rows of their own, which grow, and the draft is sent once")
    func reply() async {
        let (store, _) = store { _, _, reply in
            reply.think("Hm")
            reply.think("m.")
            reply.say("\n\n", "Berth ", "**two**.")
            reply.end()
        }
        #expect(!store.canSend)
        store.draft = "Where?"
        store.pictures = [Data([1])]
        #expect(store.canSend)
        store.send()
        #expect(store.isReplying && store.draft.isEmpty && store.pictures.isEmpty)
        store.send("Twice?")
        await store.reply?.value
        #expect(!store.isReplying && store.canRetry)
        #expect(shown(store) == ["> Where?#", "(Hmm.)", "Berth **two**."])
        #expect(store.rows.map(\.isExpanded) == [true, false, true])
        #expect(store.rows.allSatisfy { !$0.isUnderWay })
        #expect(Set(store.rows.map(\.id)).count == 3)
        #expect(store.rows[2].copyText == "Berth **two**.")
    }

    @Test("A piece of the answer changes its row, and not the list of rows")
    func updates() async {
        let gate = AsyncStream<Void>.makeStream()
        let (store, _) = store { _, _, reply in
            reply.say("one")
            for await _ in gate.stream { break }
            for _ in 0..<20 { reply.say(" more") }
            reply.end()
        }
        store.send("Go on.")
        await changes { store.rows.count == 2 }
        let count = Locked(0)
        withObservationTracking {
            _ = store.rows
        } onChange: {
            count.withLock { $0 += 1 }
        }
        gate.continuation.yield()
        await store.reply?.value
        let changed = count.withLock { $0 }
        #expect(changed == 0)
        #expect(store.rows.last?.copyText == "one" + String(repeating: " more", count: 20))
    }

    @Test("Functions run, the model reads their results, and a failure is told to it")
    func calls() async {
        let (store, runner) = store(
            { number, _, reply in
                switch number {
                case 0:
                    reply.say("Let me look.")
                    reply.call("tide", id: "a")
                    reply.call("fog", id: "b")
                default: reply.say("High at nine.")
                }
                reply.end()
            },
            runCall: { call in
                guard call.name == "tide" else { throw LeapGenerationException("no fog here") }
                return "09:00"
            })
        store.send("When?")
        await store.reply?.value
        #expect(
            shown(store) == [
                "> When?", "Let me look.", "tide: 09:00", "fog: Error: no fog here", "High at nine.",
            ])
        #expect(
            texts(runner.requests[1].history) == [
                "system: Be brief.", "user: When?", "assistant: Let me look.", "tool: 09:00",
                "tool: Error: no fog here",
            ])
        #expect(runner.requests[1].history.suffix(2).map(\.toolCallId) == ["a", "b"])
        store.retry()
        await store.reply?.value
        #expect(texts(runner.requests[2].history) == ["system: Be brief.", "user: When?"])
        #expect(shown(store) == ["> When?", "High at nine."])
    }

    @Test("Calls without end are ended, and calls that nobody runs wait")
    func rounds() async {
        let script: ScriptedRunner.Script = { _, _, reply in
            reply.call("tide")
            reply.end()
        }
        let (store, runner) = store(script, runCall: { _ in "09:00" })
        store.send("When?")
        await store.reply?.value
        #expect(runner.requests.count == 3)
        #expect(shown(store).last == "! the model called functions 3 times in a row and gave no answer")
        let (shownOnly, _) = self.store(script)
        shownOnly.send("When?")
        await shownOnly.reply?.value
        #expect(shown(shownOnly) == ["> When?", "tide: -"])
    }

    @Test("A reply that is stopped stays as far as it is there, and the next one knows it")
    func stop() async {
        let (store, runner) = store { number, _, reply in
            reply.say(number == 0 ? "On and on" : "Done.")
            if number == 0 { try await untilCancelled() }
            reply.end()
        }
        store.send("Talk.")
        await changes { store.rows.count == 2 }
        store.stop()
        await store.reply?.value
        #expect(!store.isReplying && shown(store) == ["> Talk.", "On and on"])
        store.send("Enough?")
        await store.reply?.value
        #expect(
            texts(runner.requests[1].history) == [
                "system: Be brief.", "user: Talk.", "assistant: On and on", "user: Enough?",
            ])
    }

    @Test("A problem is a row with remedies, and each does what it says")
    func remedies() async throws {
        let (store, runner) = store { number, _, reply in
            if number == 0 {
                throw LeapGenerationPromptExceedContextLengthException(neededTokens: 9, availableTokens: 8)
            }
            if number == 1 { throw LeapGenerationQueueFullException("the queue is full") }
            reply.say("Here.")
            reply.end()
        }
        store.send("Where?")
        await store.reply?.value
        guard case .problem(let first)? = store.rows.last?.content else { throw CancellationError() }
        #expect(first.message.contains("needs 9 tokens"))
        #expect(store.remedies(of: first) == [.leaveOutOldTurns, .startOver, .edit])
        store.perform(.leaveOutOldTurns)
        await store.reply?.value
        #expect(runner.requests[1].options.contextOverflowPolicy == .trimOldestTurns)
        #expect(shown(store) == ["> Where?", "! the queue is full"])
        store.perform(.retry)
        await store.reply?.value
        #expect(shown(store) == ["> Where?", "Here."])
        #expect(texts(store.conversation.history).count == 3)
        store.perform(.edit)
        #expect(store.draft == "Where?" && store.rows.isEmpty && !store.canRetry)
        #expect(texts(store.conversation.history) == ["system: Be brief."])
        store.send()
        await store.reply?.value
        let ids = Set(store.rows.map(\.id))
        store.perform(.startOver)
        #expect(store.rows.isEmpty && texts(store.conversation.history) == ["system: Be brief."])
        store.send("Again?")
        #expect(ids.isDisjoint(with: store.rows.map(\.id)))
        store.perform(.startOver)
        await store.reply?.value
        let chosen = Locked(0)
        let problem = ConversationProblem(LeapServiceException(.connectionLost, message: "gone"))
        #expect(store.remedies(of: problem) == [.retry])
        store.onChooseModel = { chosen.withLock { $0 += 1 } }
        #expect(store.remedies(of: problem) == [.retry, .chooseModel])
        store.perform(.chooseModel)
        let count = chosen.withLock { $0 }
        #expect(count == 1)
    }

    @Test("A reply that a limit cut off says which, and one that never ends is a problem")
    func cut() async {
        let (store, _) = store { number, _, reply in
            reply.say("One")
            if number == 0 { reply.end(.exceedContext, limit: .maxTokens(1)) }
            if number == 1 { reply.end(.exceedContext, limit: .contextSize(64)) }
        }
        store.send("a")
        await store.reply?.value
        #expect(shown(store).last == "! the reply was cut off after 1 token, the most that a reply may have")
        store.send("b")
        await store.reply?.value
        #expect(shown(store).last == "! the reply was cut off as the context of 64 tokens is full")
        store.send("c")
        await store.reply?.value
        #expect(shown(store).last == "! the reply ended without a completion")
    }

    @Test("Another model goes on with the same messages, and what the former one still writes is not shown")
    func otherModel() async {
        let (store, _) = store { _, _, reply in
            reply.say("Old")
            try await untilCancelled()
        }
        let other = ScriptedRunner("other") { _, _, reply in
            reply.say("New")
            reply.end()
        }
        store.send("a")
        await changes { store.rows.count == 2 }
        let old = store.reply
        store.use(other)
        #expect(!store.isReplying && store.conversation.modelRunner.modelId == "other")
        store.send("b")
        await store.reply?.value
        await old?.value
        #expect(shown(store) == ["> a", "Old", "> b", "New"])
    }

    @Test("Rows of a stored conversation, which can be answered again")
    func stored() async {
        let runner = ScriptedRunner { _, _, reply in
            reply.say("Nine.")
            reply.end()
        }
        let call = LeapFunctionCall(name: "tide", arguments: [:], id: "a")
        let history = [
            ChatMessage(role: .system, textContent: "Be brief."), ChatMessage(role: .user, textContent: "When?"),
            ChatMessage(role: .assistant, content: [], reasoningContent: "Look.", functionCalls: [call]),
            ChatMessage(role: .tool, content: [.text("09:00")], toolCallId: "a"),
            ChatMessage(role: .assistant, textContent: "At nine."),
        ]
        let store = ConversationStore(conversation: runner.createConversationFromHistory(history: history))
        #expect(shown(store) == ["> When?", "(Look.)", "tide: 09:00", "At nine."])
        store.retry()
        await store.reply?.value
        #expect(shown(store) == ["> When?", "Nine."])
        #expect(texts(store.conversation.history) == ["system: Be brief.", "user: When?", "assistant: Nine."])
    }

    @Test("The demo model answers, and calls a function")
    func demo() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        let city = LeapFunctionParameter(name: "city", type: .string(StringType()), description: "City")
        conversation.registerFunction(
            LeapFunction(
                name: "get_weather", description: "Get the weather forecast of a city", parameters: [city]))
        let store = ConversationStore(
            conversation: conversation, generationOptions: GenerationOptions(temperature: 0),
            runCall: { _ in #"{"temperature": 24, "conditions": "sunny"}"# })
        store.send("What is the weather in Lisbon?")
        await store.reply?.value
        #expect(shown(store).contains(#"get_weather: {"temperature": 24, "conditions": "sunny"}"#))
        #expect(store.rows.last?.copyText.contains("24") == true)
        await runner.unload()
    }
}

/// Waits until something is so, of what an `@Observable` object has.
@MainActor
func changes(until condition: @MainActor () -> Bool) async {
    while true {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let isSo = withObservationTracking {
            condition()
        } onChange: {
            continuation.finish()
        }
        if isSo { return }
        for await _ in stream {}
    }
}

/// Waits for the end of the task that runs it.
func untilCancelled() async throws {
    while true { try await Task.sleep(for: .seconds(3600)) }
}
