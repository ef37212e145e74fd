import LeapBase
import LeapEngine
import LeapGGUF
import LeapModel
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

@Suite(.inTurns)
struct ConversationTests {
    @Test("A reply streams, and is in the history before its completion is delivered")
    func reply() async throws {
        let (runner, _) = DemoVocabulary.runner(["Hello there!"])
        let conversation = runner.createConversation(systemPrompt: "Be nice.")
        var text = ""
        var completion: MessageCompletion?
        for try await response in conversation.generateResponse(userTextMessage: "Hi") {
            switch response {
            case .chunk(let chunk): text += chunk
            case .complete(let end):
                completion = end
                #expect(conversation.history.last == end.message)
                #expect(!conversation.isGenerating)
            default: Issue.record("unexpected \(response)")
            }
        }
        #expect(text == "Hello there!")
        #expect(completion?.finishReason == .stop && completion?.message.text == "Hello there!")
        #expect(conversation.history.map(\.role) == [.system, .user, .assistant])
        #expect(completion?.stats?.completionTokens == 3)
        #expect(completion?.stats?.totalTokens == (completion?.stats?.promptTokens ?? 0) + 3)
    }

    @Test("The message is in the history at once, before anyone iterates")
    func messageAtOnce() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "x", waitsForStart: true)])
        let conversation = runner.createConversation(systemPrompt: nil)
        let stream = conversation.generateResponse(userTextMessage: "Hi")
        #expect(conversation.history.map(\.text) == ["Hi"])
        #expect(conversation.isGenerating)
        while backend.requests.withLock({ $0.isEmpty }) { await Task.yield() }
        backend.step()
        #expect(try await stream.collect().text == "x")
    }

    @Test("While a reply is generated, another stream is empty and another callback gets an empty completion")
    func busy() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "one two", waitsForStart: true)])
        let conversation = runner.createConversation(systemPrompt: nil)
        let stream = conversation.generateResponse(userTextMessage: "a")
        #expect(try await conversation.generateResponse(userTextMessage: "b").collect().isEmpty)
        let (responses, sink) = AsyncStream<MessageResponse>.makeStream()
        let handler = conversation.generateResponse(message: ChatMessage(role: .user, textContent: "c")) {
            sink.yield($0)
        }
        #expect(handler == nil)
        var iterator = responses.makeAsyncIterator()
        guard case .complete(let completion)? = await iterator.next() else {
            Issue.record("no completion")
            return
        }
        #expect(completion.finishReason == .stop && completion.message.text.isEmpty)
        #expect(conversation.history.map(\.text) == ["a"])
        while backend.requests.withLock({ $0.isEmpty }) { await Task.yield() }
        backend.step()
        #expect(try await stream.collect().text == "one two")
        #expect(conversation.history.map(\.text) == ["a", "one two"])
    }

    @Test(
        "Leaving the loop stops the generation; the history has what there is of the reply if asked to",
        arguments: [false, true])
    func leaving(isKept: Bool) async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "word", ending: .endless), "next"])
        let conversation = runner.createConversation(systemPrompt: nil)
        let options = GenerationOptions().with(keepsInterruptedReply: isKept)
        for try await response in conversation.generateResponse(userTextMessage: "a", generationOptions: options) {
            if case .chunk = response { break }
        }
        #expect(!conversation.isGenerating)
        #expect(conversation.history.map(\.role) == (isKept ? [.user, .assistant] : [.user]))
        #expect(try await conversation.generateResponse(userTextMessage: "b").collect().text == "next")
        #expect(backend.requests.withLock { $0.count } == 2)
    }

    @Test("Cancelling the task that iterates ends the stream with an interrupted completion")
    func cancelling() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "word", ending: .endless, isStepped: true), "next"])
        let conversation = runner.createConversation(systemPrompt: nil)
        let (started, signal) = AsyncStream<Void>.makeStream()
        let task = Task {
            var completion: MessageCompletion?
            for try await response in conversation.generateResponse(userTextMessage: "a") {
                signal.yield()
                if case .complete(let end) = response { completion = end }
            }
            return completion
        }
        while backend.requests.withLock({ $0.isEmpty }) { await Task.yield() }
        backend.step()
        var iterator = started.makeAsyncIterator()
        await iterator.next()
        task.cancel()
        let completion = try await task.value
        #expect(completion?.finishReason == .interrupted)
        #expect(completion?.message.text.isEmpty == false)
        #expect(completion?.stats?.completionTokens ?? 0 > 0)
        #expect(conversation.history.map(\.text) == ["a"])
        #expect(try await conversation.generateResponse(userTextMessage: "b").collect().text == "next")
    }

    @Test("An interrupted reply of nothing leaves the user's message last")
    func interruptedBeforeText() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "x", waitsForStart: true), "next"])
        let conversation = runner.createConversation(systemPrompt: nil)
        let (responses, sink) = AsyncStream<MessageResponse>.makeStream()
        let handler = conversation.generateResponse(message: ChatMessage(role: .user, textContent: "a")) {
            sink.yield($0)
        }
        while backend.requests.withLock({ $0.isEmpty }) { await Task.yield() }
        handler?.stop()
        var iterator = responses.makeAsyncIterator()
        guard case .complete(let completion)? = await iterator.next() else {
            Issue.record("no completion")
            return
        }
        #expect(completion.finishReason == .interrupted)
        #expect(conversation.history.map(\.text) == ["a"])
        conversation.removeLastMessage()
        conversation.removeLastMessage()
        #expect(conversation.history.isEmpty)
        handler?.stop()
        #expect(try await conversation.generateResponse(userTextMessage: "b").collect().text == "next")
    }

    @Test("An error is thrown, nothing is added, and the conversation goes on")
    func failure() async throws {
        let (runner, _) = DemoVocabulary.runner([.init(text: "part", ending: .failure), "fine"])
        let conversation = runner.createConversation(systemPrompt: nil)
        var text = ""
        do {
            for try await response in conversation.generateResponse(userTextMessage: "a") {
                if case .chunk(let chunk) = response { text += chunk }
                if case .complete = response { Issue.record("completed") }
            }
            Issue.record("did not throw")
        } catch let error as LeapGenerationException {
            #expect(error.message == "the system refused memory")
        }
        #expect(text == "part")
        #expect(conversation.history.map(\.text) == ["a"] && !conversation.isGenerating)
        #expect(try await conversation.generateResponse(userTextMessage: "b").collect().text == "fine")
    }

    @Test(
        "Every ending has its finish reason",
        arguments: [
            (ScriptedBackend.Ending.stop, GenerationFinishReason.stop, GenerationLimit?.none),
            (.maxTokens, .exceedContext, .maxTokens(7)),
            (.contextFull, .exceedContext, .contextSize(4096)), (.constraintComplete, .stop, nil),
            (.constraintFailed, .constraint, nil),
        ])
    func endings(ending: ScriptedBackend.Ending, reason: GenerationFinishReason, limit: GenerationLimit?) async throws {
        let (runner, _) = DemoVocabulary.runner([.init(text: "text", ending: ending)])
        let conversation = runner.createConversation(systemPrompt: nil)
        let options = GenerationOptions(maxTokens: 7)
        let responses = try await conversation.generateResponse(userTextMessage: "a", generationOptions: options)
            .collect()
        #expect(responses.completion?.finishReason == reason)
        #expect(responses.completion?.limit == limit)
        #expect(conversation.history.last?.text == "text")
    }

    @Test("Options are read when the generation starts")
    func optionsOnce() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "x", waitsForStart: true)])
        let conversation = runner.createConversation(systemPrompt: nil)
        let options = GenerationOptions(
            temperature: 0.5, topP: 0.9, minP: 0.1, repetitionPenalty: 1.1, topK: 3, rngSeed: -1, maxTokens: 5)
        let stream = conversation.generateResponse(userTextMessage: "a", generationOptions: options)
        options.temperature = 2
        options.maxTokens = 1
        while backend.requests.withLock({ $0.isEmpty }) { await Task.yield() }
        backend.step()
        _ = try await stream.collect()
        let request = try #require(backend.requests.withLock { $0.first })
        #expect(request.sampling.temperature == 0.5 && request.sampling.topP == 0.9 && request.sampling.minP == 0.1)
        #expect(
            request.sampling.repetitionPenalty == 1.1 && request.sampling.topK == 3 && request.sampling.seed == .max)
        #expect(request.maxTokens == 5)
        #expect(request.stopTokens.contains(7))
    }

    @Test("Sampling parameters of the extras reach the engine, below the options' own")
    func samplingExtras() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "x"), .init(text: "y")])
        let extras = #"{"frequencyPenalty": 0.5, "repetition_window": 10, "temperature": 2}"#
        for options in [GenerationOptions(extras: extras), GenerationOptions(temperature: 0.25, extras: extras)] {
            _ = try await runner.createConversation().generateResponse(userTextMessage: "a", generationOptions: options)
                .collect()
        }
        let sampling = backend.requests.withLock { $0.map(\.sampling) }
        #expect(
            sampling.map { $0[.frequencyPenalty] } == [0.5, 0.5] && sampling.map { $0[.repetitionWindow] } == [10, 10])
        #expect(sampling.map { $0[.temperature] } == [2, 0.25])
    }

    @Test("Options out of range are an error that names them")
    func badOptions() async throws {
        let (runner, _) = DemoVocabulary.runner([])
        for (options, name) in [
            (GenerationOptions(temperature: -1), "temperature"), (GenerationOptions(topP: 2), "topP"),
            (GenerationOptions(topK: -1), "topK"),
            (GenerationOptions(minP: .nan), "minP"), (GenerationOptions(repetitionPenalty: 0), "repetitionPenalty"),
            (GenerationOptions(extras: "nope"), "extras"),
            (GenerationOptions(extras: #"{"frequencyPenalty": 1000}"#), "frequencyPenalty"),
            (GenerationOptions(extras: #"{"topK": 2.5}"#), "topK"),
        ] {
            let stream = runner.createConversation().generateResponse(userTextMessage: "a", generationOptions: options)
            let error = await #expect(throws: LeapGenerationException.self) { try await stream.collect() }
            #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        }
    }

    @Test("Callbacks arrive on the main queue, in order, and the runner's report errors")
    func callbacks() async throws {
        let (runner, _) = DemoVocabulary.runner([
            "a b", .init(text: "c", ending: .failure), .init(text: "d", ending: .failure),
        ])
        let conversation = runner.createConversation(systemPrompt: nil)
        let (events, sink) = AsyncStream<String>.makeStream()
        conversation.generateResponse(message: ChatMessage(role: .user, textContent: "x")) { response in
            MainActor.assertIsolated()
            switch response {
            case .chunk(let text): sink.yield(text)
            case .complete(let completion): sink.yield("\(completion.finishReason)")
            default: sink.yield("?")
            }
        }
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == "a")
        #expect(await iterator.next() == " b")
        #expect(await iterator.next() == "stop")
        conversation.appendToHistory(message: ChatMessage(role: .user, textContent: "y"))
        let handler = runner.generateResponse(
            conversation: conversation, generationOptions: nil, onResponseCallback: { _ in sink.yield("response") },
            onErrorCallback: { error in
                MainActor.assertIsolated()
                sink.yield(error.message)
            })
        #expect(await iterator.next() == "response")
        #expect(await iterator.next() == "the system refused memory")
        _ = handler
        conversation.generateResponse(message: ChatMessage(role: .user, textContent: "z")) { response in
            if case .complete(let completion) = response { sink.yield("\(completion.finishReason)") }
        }
        #expect(await iterator.next() == "error")
        #expect(conversation.history.map(\.text) == ["x", "a b", "y", "z"])
    }

    @Test("A conversation of another runner is refused")
    func foreignConversation() async throws {
        let (runner, _) = DemoVocabulary.runner([])
        let (other, _) = DemoVocabulary.runner([])
        let message = await withCheckedContinuation { continuation in
            _ = runner.generateResponse(
                conversation: other.createConversation(), generationOptions: nil, onResponseCallback: { _ in },
                onErrorCallback: { continuation.resume(returning: $0.message) })
        }
        #expect(message.contains("belongs to another runner"))
    }

    @Test("After unloading the history stays and cannot be changed, and generating throws")
    func unloading() async throws {
        let (runner, _) = DemoVocabulary.runner(["a"])
        let conversation = runner.createConversation(systemPrompt: "s")
        _ = try await conversation.generateResponse(userTextMessage: "x").collect()
        await runner.unload()
        let history = conversation.history
        #expect(history.count == 3)
        let error = await #expect(throws: LeapGenerationException.self) {
            try await conversation.generateResponse(userTextMessage: "y").collect()
        }
        #expect(error?.message.contains("was unloaded") == true)
        conversation.appendToHistory(message: ChatMessage(role: .user, textContent: "z"))
        conversation.removeLastMessage()
        #expect(conversation.history == history)
        #expect(await runner.getPromptTokensSize(messages: history) == 0)
        await runner.unload()
    }

    @Test("Unloading interrupts what is generated")
    func unloadingWhileGenerating() async throws {
        let (runner, _) = DemoVocabulary.runner([.init(text: "word", ending: .endless)])
        let conversation = runner.createConversation(systemPrompt: nil)
        var completion: MessageCompletion?
        for try await response in conversation.generateResponse(userTextMessage: "a") {
            if case .chunk = response { await runner.unload() }
            if case .complete(let end) = response { completion = end }
        }
        #expect(completion?.finishReason == .interrupted)
    }

    @Test("A conversation that is released frees its session; a generation keeps it until its end")
    func release() async throws {
        let (runner, backend) = DemoVocabulary.runner(["a", "b"])
        do {
            let conversation = runner.createConversation(systemPrompt: nil)
            _ = try await conversation.generateResponse(userTextMessage: "x").collect()
            _ = try await conversation.generateResponse(userTextMessage: "y").collect()
        }
        while backend.releasedSessions.withLock({ $0 }) == 0 { await Task.yield() }
        #expect(backend.releasedSessions.withLock { $0 } == 1)
    }

    @Test("Without a message to answer there is an error")
    func nothingToAnswer() async throws {
        let (runner, _) = DemoVocabulary.runner([])
        let conversation = runner.createConversation(systemPrompt: "s")
        let message = await withCheckedContinuation { continuation in
            _ = runner.generateResponse(
                conversation: conversation, generationOptions: nil, onResponseCallback: { _ in },
                onErrorCallback: { continuation.resume(returning: $0.message) })
        }
        #expect(message.contains("no message to answer"))
    }

    @Test("Stop sequences end a reply")
    func stopSequences() async throws {
        let (runner, _) = DemoVocabulary.runner(["one two three", "one two"])
        let conversation = runner.createConversation(systemPrompt: nil)
        let options = GenerationOptions().with(stopSequences: [" three"])
        let responses = try await conversation.generateResponse(userTextMessage: "x", generationOptions: options)
            .collect()
        #expect(responses.text == "one two" && responses.completion?.finishReason == .stop)
        #expect(conversation.history.last?.text == "one two")
        #expect(try await conversation.generateResponse(userTextMessage: "x").collect().text == "one two")
    }

    @Test("A thousand conversations on one runner do not mix")
    func many() async throws {
        let (runner, _) = DemoVocabulary.runner([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let conversation = runner.createConversation(systemPrompt: "\(index)")
                    for turn in 0..<3 {
                        _ = try await conversation.generateResponse(userTextMessage: "\(index) \(turn)").collect()
                    }
                    #expect(
                        conversation.history.filter { $0.role == .user }.map(\.text) == (0..<3).map { "\(index) \($0)" }
                    )
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Racing starts, stops and history changes never lose the order of messages")
    func racing() async throws {
        let (runner, _) = DemoVocabulary.runner((0..<400).map { _ in .init(text: "word", ending: .endless) })
        let conversation = runner.createConversation(systemPrompt: nil)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<60 {
                group.addTask {
                    let stream = conversation.generateResponse(userTextMessage: "\(index)")
                    do {
                        for try await response in stream { if case .chunk = response { break } }
                    } catch { Issue.record(error) }
                }
            }
        }
        #expect(!conversation.isGenerating)
        for (a, b) in zip(conversation.history, conversation.history.dropFirst()) {
            #expect(a.role == .user || b.role == .user, "two replies in a row")
        }
    }
}
