import Dispatch
import Foundation
import LeapBase
import LeapEngine
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// The delivery of pieces from the engine's thread to their consumer.
@Suite(.inTurns)
struct DeliveryTests {
    /// A consumer that the first piece waits at, as on a machine where the thread loses its core there.
    private final class SlowSink: ResponseSink {
        let taken = Locked<[String]>([])
        private let hasBegun = OneWaySwitch()
        private let arrived = DispatchSemaphore(value: 0)
        private let gate = DispatchSemaphore(value: 0)

        func take(_ item: ReplyItem) {
            let name =
                switch item {
                case .response(.chunk(let text)): text
                case .response(.complete(let completion)): "complete: \(completion.message.text)"
                case .end: "end"
                default: "unexpected"
                }
            if case .response(.chunk) = item, hasBegun.set() {
                arrived.signal()
                gate.wait()
            }
            taken.withLock { $0.append(name) }
        }

        func takeBusy() {}

        /// Returns when the first piece has arrived.
        func firstPiece() async {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    self.arrived.wait()
                    continuation.resume()
                }
            }
        }

        func release() { gate.signal() }
    }

    @Test("A piece that takes long to hand over comes before the completion that contains it")
    func slowConsumer() async throws {
        let (runner, _) = DemoVocabulary.runner([.init(text: "word", ending: .endless)])
        let conversation = runner.conversation(history: [])
        let sink = SlowSink()
        let message = ChatMessage(role: .user, textContent: "a")
        let options = GenerationOptions().with(keepsInterruptedReply: true)
        let turn = try #require(conversation.start(.message(message), options: options, sink: sink))
        await sink.firstPiece()
        turn.stop()
        #expect(!conversation.isGenerating)
        #expect(sink.taken.withLock { $0.isEmpty }, "nothing overtakes the first piece")
        sink.release()
        while sink.taken.withLock({ $0.last != "end" }) { await Task.yield() }
        let taken = sink.taken.withLock { $0 }
        let text = taken.dropLast(2).joined()
        #expect(taken.dropLast().last == "complete: \(text)" && !text.isEmpty, "\(taken)")
        #expect(conversation.history.last?.text == text)
    }

    /// A delivery whose first piece a thread hands over, and waits with it in the consumer.
    private func slowDelivery() async -> (delivery: ReplyDelivery, sink: SlowSink) {
        let sink = SlowSink()
        let delivery = ReplyDelivery(to: sink)
        delivery.append([.response(.chunk("a"))])
        Thread.detachNewThread { delivery.handOver() }
        await sink.firstPiece()
        let completion = MessageCompletion(
            message: ChatMessage(role: .assistant, textContent: "ab"), finishReason: .interrupted)
        delivery.append([.response(.chunk("b")), .response(.complete(completion)), .end])
        return (delivery, sink)
    }

    @Test("The end of a stream waits for a piece that another thread is handing over")
    func endWaits() async throws {
        let (delivery, sink) = await slowDelivery()
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                Thread.detachNewThread { sink.release() }
                delivery.handOverLastItems()
                continuation.resume()
            }
        }
        #expect(sink.taken.withLock { $0 } == ["a", "b", "complete: ab", "end"])
    }

    @Test("Where that thread does not come back, the end of the stream hands over what follows, once")
    func endTakesOver() async throws {
        let (delivery, sink) = await slowDelivery()
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                delivery.handOverLastItems()
                continuation.resume()
            }
        }
        // The sink notes a piece when it lets the thread go.
        #expect(sink.taken.withLock { $0 } == ["b", "complete: ab", "end"])
        sink.release()
        while sink.taken.withLock({ $0.count < 4 }) { await Task.yield() }
        delivery.handOver()
        #expect(sink.taken.withLock { $0 } == ["b", "complete: ab", "end", "a"])
    }

    @Test("Whenever a task is cancelled, it gets a completion with exactly the pieces it got")
    func randomCancellation() async throws {
        let (runner, _) = DemoVocabulary.runner((0..<200).map { _ in .init(text: "word", ending: .endless) })
        await withTaskGroup(of: Void.self) { group in
            for index in stride(from: 0, to: 200, by: TestLevel.rounds(4, all: 1)) {
                group.addTask {
                    let conversation = runner.createConversation(systemPrompt: nil)
                    let consumer = Task { () -> (text: String, completion: MessageCompletion?) in
                        var text = ""
                        var completion: MessageCompletion?
                        let options = GenerationOptions().with(keepsInterruptedReply: true)
                        for try await response in conversation.generateResponse(
                            userTextMessage: "a", generationOptions: options)
                        {
                            #expect(completion == nil, "nothing comes behind a completion")
                            if case .chunk(let chunk) = response { text += chunk }
                            if case .complete(let end) = response { completion = end }
                        }
                        return (text, completion)
                    }
                    while conversation.history.isEmpty { await Task.yield() }
                    for _ in 0..<index { await Task.yield() }
                    consumer.cancel()
                    guard let (text, completion) = try? await consumer.value else {
                        Issue.record("cancelling threw")
                        return
                    }
                    #expect(completion?.finishReason == .interrupted && completion?.message.text == text)
                    #expect(!conversation.isGenerating)
                    #expect(conversation.history.dropFirst().first?.text ?? "" == text)
                }
            }
        }
    }

    @Test("A stream that is released without being read stops its generation")
    func unread() async throws {
        let (runner, backend) = DemoVocabulary.runner(["word", "word"])
        let conversation = runner.createConversation(systemPrompt: nil)
        _ = conversation.generateResponse(userTextMessage: "a")
        #expect(!conversation.isGenerating)
        #expect(try await conversation.generateResponse(userTextMessage: "b").collect().text == "word")
        #expect(backend.requests.withLock { $0.count } <= 2)
    }

    /// Renders only when it is allowed to.
    private struct GatedFormatter: PromptFormatter {
        let gate: DispatchSemaphore
        let plain = ChatMLFormatter(hasToolMarks: true)
        var origin: String { plain.origin }
        var traits: PromptTraits { plain.traits }
        var turnEnds: [String] { plain.turnEnds }

        func render(_ context: PromptContext) throws -> String {
            gate.wait()
            gate.signal()
            return try plain.render(context)
        }
    }

    @Test("Prompts that take long to make block no thread of the cooperative pool, and can be stopped meanwhile")
    func slowPrompts() async throws {
        let gate = DispatchSemaphore(value: 0)
        let builder = PromptBuilder(tokenizer: DemoVocabulary.tokenizer, formatter: GatedFormatter(gate: gate))
        let (runner, backend) = DemoVocabulary.runner(["x", "x", "x", "x", "x", "x"], builder: builder)
        // More of them than the pool has threads.
        let conversations = (0..<(2 * ProcessInfo.processInfo.activeProcessorCount + 2)).map { _ in
            runner.createConversation(systemPrompt: nil)
        }
        let streams = conversations.map { $0.generateResponse(userTextMessage: "a") }
        #expect(await Task.detached { true }.value, "the pool still runs tasks")
        let stopped = Task { try await streams[0].collect() }
        while !conversations[0].isGenerating { await Task.yield() }
        stopped.cancel()
        let responses = try await stopped.value
        #expect(responses.completion?.finishReason == .interrupted && responses.completion?.stats == nil)
        #expect(!conversations[0].isGenerating && backend.requests.withLock { $0.isEmpty })
        gate.signal()
        for stream in streams.dropFirst() { #expect(try await stream.collect().completion != nil) }
    }

    @Test("Stopped by the app, by a task or by a stop sequence, a reply has the engine's exact figures")
    func figures() async throws {
        let long = String(repeating: "word ", count: 30)
        for way in ["handler", "task", "sequence"] {
            let (runner, backend) = DemoVocabulary.runner([
                "Hello there!",
                .init(text: way == "sequence" ? "one two three" : long, ending: .endless, isStepped: true),
            ])
            let conversation = runner.createConversation(systemPrompt: "Be nice.")
            _ = try await conversation.generateResponse(userTextMessage: "Hi").collect()
            let (completions, sink) = AsyncStream<MessageCompletion>.makeStream()
            let message = ChatMessage(role: .user, textContent: "And now?")
            // The end of what is written before the script goes on for ever.
            let options = GenerationOptions().with(stopSequences: [" three"])
            let handler = conversation.generateResponse(message: message, generationOptions: options) {
                if case .complete(let completion) = $0 { sink.yield(completion) }
            }
            while backend.requests.withLock({ $0.count }) < 2 { await Task.yield() }
            let steps =
                way == "sequence" ? DemoVocabulary.tokenizer.encode("one two three", addSpecial: false).count : 2
            for step in 1...steps {
                backend.step()
                while backend.handledTokens.withLock({ $0 }) < 3 + step { await Task.yield() }
            }
            if way != "sequence" { handler?.stop() }
            var iterator = completions.makeAsyncIterator()
            let stats = try #require(await iterator.next()?.stats)
            let prompt = try #require(backend.requests.withLock { $0.last }?.prompt)
            #expect(Int(stats.computedPromptTokens + stats.reusedPromptTokens) == prompt.count, "\(way)")
            #expect(stats.reusedPromptTokens > 10 && stats.computedPromptTokens > 0, "\(way)")
            #expect(stats.completionTokens == Int64(steps), "\(way)")
            #expect(stats.totalTokens == stats.promptTokens + stats.completionTokens)
        }
    }
}
