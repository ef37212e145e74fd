import LeapBase
import LeapCore
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import MisbehavingServer
import Testing
import Tracing

@testable import LeapServing

/// The spans of requests, as a collector gets them.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct RequestSpanTests {
    static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    static let parent = "00f067aa0ba902b7"

    /// A server whose spans go to a collector.
    struct Bench {
        let collector: Collector
        let exporter: OTLPExporter
        let pool: ModelPool
        let server: LeapServing.Server

        init(
            _ models: [ServedModel]? = nil, maxActive: Int? = nil, isAway: Bool = false,
            script: @escaping MisbehavingServer.Server.Script = { _ in .json("{}") }
        ) throws {
            collector = try Collector(script)
            exporter = try isAway ? Collector.exporterToNobody() : collector.exporter()
            var configuration = ModelPool.Configuration()
            configuration.extras.maxActiveGenerations = maxActive
            configuration.cache = LiquidCacheOptions(path: "", enabled: true, diskDisabled: true)
            pool = ServingSupport.pool(try models ?? [ServingSupport.demo()], configuration)
            server = LeapServing.Server(
                pool: pool, access: AccessRules(), tracing: RequestTracing(tracer: OTLPTracer(exporter)))
        }

        func ask(_ path: String, _ body: String, _ headers: [String: String] = [:]) async -> ServerReply {
            await server.reply(
                to: ServerRequest(
                    method: "POST", path: path, headers: headers.merging(["host": "leap.example:8080"]) { $1 },
                    body: Array(body.utf8)))
        }

        /// All spans so far.
        func spans() async throws -> [CollectedSpan] {
            await exporter.shutdown(within: .seconds(300))
            #expect(exporter.counts.dropped == 0)
            return try collector.spans
        }

        /// Waits until the model computes something.
        func computing() async {
            while await pool.state.runners.first?.statistics.generatedTokens ?? 0 == 0 { await Task.yield() }
        }
    }

    /// The phases below a span, which lie one behind the other within it.
    static func check(_ phases: [String], below span: CollectedSpan, of spans: [CollectedSpan]) {
        let children = spans.filter { $0.parent == span.spanID }
        #expect(children.map(\.name) == phases)
        #expect(children.allSatisfy { $0.traceID == span.traceID && $0.json["kind"] == .integer(1) })
        var last = span.start
        for child in children {
            #expect(last <= child.start && child.start <= child.end && child.end <= span.end)
            last = child.end
        }
    }

    private static let chat = """
        {"model": "demo", "temperature": 0.7, "top_p": 0.9, "top_k": 20, "seed": 7, "max_tokens": 5,
        "messages": [{"role": "user", "content": "What is the capital of Portugal?"}]
        """

    @Test(
        "A chat has one span with what was asked and what it took, and one for each phase, in the trace of its client")
    func chat() async throws {
        let bench = try Bench()
        let headers = ["traceparent": "00-\(Self.trace)-\(Self.parent)-01", "x-request-id": "mine"]
        let reply = try WholeReply(await bench.ask("/v1/chat/completions", Self.chat + "}", headers))
        #expect(reply.status == 200)
        let spans = try await bench.spans()
        let span = try #require(spans.first { $0.name == "chat demo" })
        #expect(spans.count == 4 && span.traceID == Self.trace && span.parent == Self.parent)
        #expect(span.json["kind"] == .integer(2) && !span.isFailed)
        Self.check(["queue", "prompt", "decode"], below: span, of: spans)
        #expect(span.text("gen_ai.operation.name") == "chat" && span.text("gen_ai.provider.name") == "open-leap")
        #expect(span.text("gen_ai.request.model") == "demo" && span.text("gen_ai.response.model") == "demo")
        #expect(span.text("gen_ai.response.id") == reply.body["id"]?.string)
        #expect(span.number("gen_ai.request.temperature") == 0.7 && span.number("gen_ai.request.top_p") == 0.9)
        #expect(span.whole("gen_ai.request.top_k") == 20 && span.whole("gen_ai.request.seed") == 7)
        #expect(span.whole("gen_ai.request.max_tokens") == 5)
        let choice = reply.body["choices"]?.array?.first
        let reason = try #require(choice?["finish_reason"]?.string)
        #expect(span.texts("gen_ai.response.finish_reasons") == [reason])
        let usage = try #require(reply.body["usage"])
        #expect(span.whole("gen_ai.usage.input_tokens") == usage["prompt_tokens"]?.integer)
        #expect(span.whole("gen_ai.usage.output_tokens") == usage["completion_tokens"]?.integer)
        #expect(
            span.whole("gen_ai.usage.cache_read.input_tokens")
                == usage["prompt_tokens_details"]?["cached_tokens"]?.integer)
        #expect(span.text("server.address") == "leap.example" && span.whole("server.port") == 8080)
        #expect(span.text("http.route") == "/v1/chat/completions" && span.whole("http.response.status_code") == 200)
        #expect(span.texts("http.request.header.x-request-id") == ["mine"])
        #expect(span["error.type"] == nil)
        // Neither the prompt nor the reply is anywhere in what was sent.
        let sent = bench.collector.server.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        let text = try #require(choice?["message"]?["content"]?.string)
        #expect(!sent.contains("capital") && text.count > 3 && !sent.contains(text))
    }

    @Test("A second turn tells of the tokens that were kept")
    func cached() async throws {
        let bench = try Bench()
        // Whole pages of 64 tokens are kept.
        let text = String(repeating: "The cat sat on the mat. ", count: 30)
        for _ in 0..<2 {
            let body = #"{"messages": [{"role": "user", "content": "\#(text)"}], "max_tokens": 2}"#
            #expect(await bench.ask("/v1/chat/completions", body).status == 200)
        }
        let spans = try await bench.spans().filter { $0.name == "chat demo" }
        #expect(spans.count == 2 && spans[0].traceID != spans[1].traceID)
        let (input, cached) = ("gen_ai.usage.input_tokens", "gen_ai.usage.cache_read.input_tokens")
        #expect(spans[0].whole(input) == spans[1].whole(input))
        #expect(spans[0].whole(cached) == 0 && (spans[1].whole(cached) ?? 0) >= 64)
    }

    @Test("A stream's span ends with its last byte, and has the same")
    func stream() async throws {
        let bench = try Bench()
        let reply = await bench.ask("/v1/chat/completions", Self.chat + #", "stream": true}"#)
        #expect(try await reply.collectText().hasSuffix("data: [DONE]\n\n"))
        let spans = try await bench.spans()
        let span = try #require(spans.first { $0.name == "chat demo" })
        Self.check(["queue", "prompt", "decode"], below: span, of: spans)
        #expect(
            (span.whole("gen_ai.usage.output_tokens") ?? 0) > 0 && (span.whole("gen_ai.usage.input_tokens") ?? 0) > 5)
        #expect(span.texts("gen_ai.response.finish_reasons")?.count == 1 && span["error.type"] == nil)
    }

    @Test(
        "Every protocol has its span",
        arguments: [
            ("/v1/completions", #""prompt": "Once", "max_tokens": 2"#, "text_completion demo"),
            ("/v1/responses", #""input": "Hi", "max_output_tokens": 2"#, "chat demo"),
            ("/v1/messages", #""messages": [{"role": "user", "content": "Hi"}], "max_tokens": 2"#, "chat demo"),
            (
                "/api/chat", #""messages": [{"role": "user", "content": "Hi"}], "options": {"num_predict": 2}"#,
                "chat demo"
            ),
            ("/api/generate", #""prompt": "Hi", "options": {"num_predict": 2}"#, "text_completion demo"),
        ])
    func protocols(path: String, body: String, name: String) async throws {
        for isStream in [false, true] {
            let bench = try Bench()
            let reply = await bench.ask(path, "{\"model\": \"demo\", \"stream\": \(isStream), \(body)}")
            #expect(reply.status == 200)
            _ = try await reply.collectText()
            let spans = try await bench.spans()
            let span = try #require(spans.first { $0.name == name }, "\(spans.map(\.name))")
            Self.check(["queue", "prompt", "decode"], below: span, of: spans)
            #expect(span.whole("gen_ai.usage.output_tokens") == 2 && span.whole("gen_ai.request.max_tokens") == 2)
        }
    }

    @Test("Several replies to several prompts have phases of their own, and each prompt is counted once")
    func choices() async throws {
        let bench = try Bench()
        let body = #"{"prompt": ["Once", "Hello there"], "n": 2, "max_tokens": 2}"#
        let reply = try WholeReply(await bench.ask("/v1/completions", body))
        let spans = try await bench.spans()
        let span = try #require(spans.first { $0.name == "text_completion demo" })
        #expect(spans.filter { $0.name == "decode" }.compactMap { $0.whole("leap.choice") } == [0, 1, 2, 3])
        #expect(span.whole("gen_ai.request.choice.count") == 2)
        #expect(span.whole("gen_ai.usage.input_tokens") == reply.body["usage"]?["prompt_tokens"]?.integer)
        #expect(span.texts("gen_ai.response.finish_reasons")?.count == 4)
    }

    @Test("An embedding has its span")
    func embedding() async throws {
        let bench = try Bench([ServingSupport.fixture("embeddings/bert-mean")])
        let reply = try WholeReply(await bench.ask("/v1/embeddings", #"{"input": ["time", "a device"]}"#))
        let spans = try await bench.spans()
        let span = try #require(spans.first)
        #expect(spans.count == 1 && span.name == "embeddings bert-mean")
        #expect(span.text("gen_ai.operation.name") == "embeddings")
        #expect(span.whole("gen_ai.embeddings.dimension.count") == 36)
        #expect(span.whole("gen_ai.usage.input_tokens") == reply.body["usage"]?["prompt_tokens"]?.integer)
        #expect(span["gen_ai.usage.output_tokens"] == nil)
    }

    /// Requests that fail, one longer than a line of a log.
    private static let failing: [(body: String, status: Int, type: String, name: String)] = [
        (
            #"{"model": "no-such", "messages": [{"role": "user", "content": "secret"}]}"#, 404, "model_not_found",
            "chat"
        ),
        (
            #"{"model": "demo", "messages": [{"role": "user", "content": "secret"}], "temperature": "secret"}"#,
            400,
            "invalid_request_error", "chat"
        ),
        (
            #"{"model": "demo", "messages": [{"role": "user", "content": "\#(String(repeating: "secret ", count: 20_000))"}]}"#,
            400, "context_length_exceeded", "chat demo"
        ),
    ]

    @Test(
        "A request that fails says why by the error's code, in few words that are not the client's",
        arguments: failing.indices)
    func failures(index: Int) async throws {
        let (body, status, type, name) = Self.failing[index]
        let bench = try Bench()
        #expect(await bench.ask("/v1/chat/completions", body).status == status)
        let spans = try await bench.spans()
        let span = try #require(spans.first { $0.name == name })
        #expect(spans.count == 1 && span.isFailed && span.text("error.type") == type)
        #expect(span.whole("http.response.status_code") == status)
        let sent = bench.collector.server.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(!sent.contains("secret"))
    }

    /// Hours of work.
    private static let long =
        #"{"model": "demo", "regex": "[a-z ]{3000}", "temperature": 1, "messages": [{"role": "user", "content": "Hi"}]"#

    @Test("A request whose client goes away says so, and what was computed until then", arguments: [false, true])
    func cancellation(isStream: Bool) async throws {
        let bench = try Bench()
        let body = Self.long + ", \"stream\": \(isStream)}"
        let answers = OneWaySwitch()
        let task = Task {
            let reply = await bench.ask("/v1/chat/completions", body)
            answers.set()
            _ = try? await reply.collectText()
        }
        await bench.computing()
        // The status of a stream is told when its answer begins.
        while isStream, !answers.isSet { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        await task.value
        let spans = try await bench.spans()
        let span = try #require(spans.first { $0.name == "chat demo" })
        #expect(span.isFailed && span.text("error.type") == "client_closed_request")
        #expect(span.whole("http.response.status_code") == (isStream ? 200 : 499))
        Self.check(["queue", "prompt", "decode"], below: span, of: spans)
        #expect((span.whole("gen_ai.usage.output_tokens") ?? 0) > 0)
    }

    /// A bench where a request has waited for another; nil where the other was written before.
    private static func benchOfTwo() async throws -> Bench? {
        let bench = try Bench(maxActive: 1)
        let hasEnded = Locked(false)
        let first = Task {
            _ = await bench.ask("/v1/chat/completions", long + "}", ["x-request-id": "first"])
            hasEnded.withLock { $0 = true }
        }
        await bench.computing()
        let second = Task { await bench.ask("/v1/chat/completions", chat + "}", ["x-request-id": "second"]) }
        let runner = try #require(await bench.pool.state.runners.first)
        func isWriting() -> Bool { hasEnded.withLock { !$0 } }
        while runner.statistics.queuedGenerations == 0, isWriting() { await Task.yield() }
        let count = runner.statistics.generatedTokens
        while runner.statistics.generatedTokens < count + 3, isWriting() { await Task.yield() }
        let hasWaited = isWriting()
        first.cancel()
        await first.value
        #expect(await second.value.status == 200)
        return hasWaited ? bench : nil
    }

    @Test("While others are written a request waits in the queue, which its span tells apart from its prompt")
    func queued() async throws {
        // On a machine that is busy the first may be written before the second is there: then they are asked again.
        var attempts = 0
        var found: Bench?
        while found == nil, attempts < 20 {
            attempts += 1
            found = try await Self.benchOfTwo()
        }
        let bench = try #require(found)
        let spans = try await bench.spans()
        func phase(_ name: String, _ id: String) throws -> CollectedSpan {
            let root = spans.first { $0.texts("http.request.header.x-request-id") == [id] }
            return try #require(spans.first { $0.name == name && $0.parent == root?.spanID })
        }
        let (busy, waiting) = (try phase("decode", "first"), try phase("queue", "second"))
        #expect(waiting.start < busy.end && busy.end <= waiting.end)
        #expect(try phase("queue", "first").end <= phase("prompt", "first").start)
        #expect(try phase("prompt", "second").start == waiting.end)
    }

    @Test("A stream that nobody reads has a span all the same")
    func unread() async throws {
        let bench = try Bench()
        var reply: ServerReply? = await bench.ask("/v1/chat/completions", Self.chat + #", "stream": true}"#)
        #expect(reply?.status == 200)
        reply = nil
        let spans = try await bench.spans()
        #expect(spans.first { $0.name == "chat demo" }?.text("error.type") == "client_closed_request")
    }

    @Test("A response in the background has a span until it is written")
    func background() async throws {
        let bench = try Bench()
        let begun = try WholeReply(
            await bench.ask("/v1/responses", #"{"input": "Hi", "background": true, "max_output_tokens": 3}"#))
        let id = try #require(begun.body["id"]?.string)
        while true {
            let path = "/v1/responses/\(id)"
            let response = try WholeReply(await bench.server.reply(to: ServerRequest(method: "GET", path: path)))
            if response.body["status"] != "in_progress" { break }
            await Task.yield()
        }
        var spans: [CollectedSpan] = []
        while spans.isEmpty {
            await Task.yield()
            spans = try bench.collector.spans.filter { $0.name == "chat demo" }
        }
        #expect(spans.first?.text("gen_ai.response.id") == id)
        #expect((spans.first?.whole("gen_ai.usage.output_tokens") ?? 0) > 0)
    }

    @Test("What asks no model has no span, nor what its client does not want recorded")
    func without() async throws {
        let bench = try Bench()
        for path in ["/health", "/v1/models", "/metrics", "/nothing"] {
            _ = await bench.server.reply(to: ServerRequest(method: "GET", path: path))
        }
        _ = await bench.ask("/tokenize", #"{"content": "x"}"#)
        let headers = ["traceparent": "00-\(Self.trace)-\(Self.parent)-00"]
        #expect(await bench.ask("/v1/chat/completions", Self.chat + "}", headers).status == 200)
        #expect(try await bench.spans().isEmpty)
    }

    @Test(
        "A collector that is away, holds its answers or refuses all costs no reply",
        arguments: ["away", "held", "429", "500"])
    func collectors(kind: String) async throws {
        let isHeld = Locked(kind == "held")
        let bench = try Bench(isAway: kind == "away") { _ in
            .json("{}", status: Int(kind) ?? 200, fields: [("Retry-After", "3600")]).with {
                $0.isHeld = { isHeld.withLock { $0 } }
            }
        }
        let count = TestLevel.rounds(5, all: 20)
        for index in 0..<count {
            let reply = try WholeReply(await bench.ask("/v1/chat/completions", Self.chat + "}"))
            #expect(reply.status == 200, "\(index)")
        }
        await bench.exporter.shutdown(within: .milliseconds(10))
        #expect(bench.exporter.pair == [0, 4 * count])
    }

    @Test("A tracer of another make gets the spans, with times and attributes")
    func otherTracer() async throws {
        InstrumentationSystem.bootstrap(RememberingTracer.shared)
        let server = try ServingSupport.server()
        let request = ServerRequest(
            method: "POST", path: "/v1/chat/completions", headers: [RememberingTracer.header: "yes"],
            body: Array((Self.chat + "}").utf8))
        #expect(await server.reply(to: request).status == 200)
        let spans = RememberingTracer.shared.spans.withLock { $0 }
        #expect(spans.map(\.operationName) == ["queue", "prompt", "decode", "chat demo"])
        #expect(spans.last?.attributes.get("gen_ai.request.seed") == .int64(7))
    }
}

/// A tracer that keeps the spans of requests which have its header.
private final class RememberingTracer: Tracer {
    static let header = "x-remember"
    static let shared = RememberingTracer()

    private enum Key: ServiceContextKey {
        typealias Value = Bool
    }

    final class Remembered: Tracing.Span {
        let context: ServiceContext
        private let name: Locked<String>
        private let all = Locked<SpanAttributes>([:])

        init(_ name: String, _ context: ServiceContext) {
            self.name = Locked(name)
            self.context = context
        }

        var isRecording: Bool { context[Key.self] == true }
        var operationName: String {
            get { name.withLock { $0 } }
            set { name.withLock { $0 = newValue } }
        }
        var attributes: SpanAttributes {
            get { all.withLock { $0 } }
            set { all.withLock { $0 = newValue } }
        }
        func setStatus(_ status: SpanStatus) {}
        func addEvent(_ event: SpanEvent) {}
        func recordError<Instant: TracerInstant>(
            _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
        ) {}
        func addLink(_ link: SpanLink) {}
        func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
            guard isRecording else { return }
            RememberingTracer.shared.spans.withLock { $0.append(self) }
        }
    }

    let spans = Locked<[Remembered]>([])

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> Remembered { Remembered(operationName, context()) }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context[Key.self] = extractor.extract(key: Self.header, from: carrier) != nil
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {}
}
