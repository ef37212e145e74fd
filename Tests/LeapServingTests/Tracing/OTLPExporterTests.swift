import LeapBase
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import MisbehavingServer
import Testing
import Tracing

@testable import LeapServing

/// The exporter with collectors that are as they should be, and with others.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct OTLPExporterTests {
    private static func end(_ count: Int, _ exporter: OTLPExporter) {
        let tracer = OTLPTracer(exporter)
        for index in 0..<count { tracer.startSpan("span \(index)", context: .topLevel).end() }
    }

    private static let enough = Duration.seconds(300)

    @Test("Spans come in batches, with everything that was said of them")
    func batches() async throws {
        let collector = try Collector()
        let exporter = try collector.exporter {
            $0.maxBatch = 4
            // Whole batches do not wait.
            $0.delay = Self.enough
        }
        Self.end(8, exporter)
        while exporter.counts.exported < 8 { await Task.yield() }
        #expect(collector.server.requests.count >= 2)
        let tracer = OTLPTracer(exporter)
        let parent = tracer.startSpan("parent", context: .topLevel, ofKind: .client)
        parent.attributes["text"] = "a \"b\""
        parent.attributes["whole"] = Int64.max
        parent.attributes["fraction"] = 0.5
        parent.attributes["list"] = ["a", "b"]
        parent.attributes["isTrue"] = true
        parent.addEvent(SpanEvent(name: "event", attributes: ["k": 1]))
        parent.recordError(APIError.invalid("the words of an error"))
        parent.setStatus(SpanStatus(code: .error, message: "m"))
        let child = tracer.startSpan("child", context: parent.context)
        child.addLink(parent)
        child.end()
        parent.end()
        // It was sent as it was when it ended.
        parent.attributes["text"] = "later"
        parent.end()
        #expect(!parent.isRecording)
        await exporter.shutdown(within: Self.enough)
        let spans = try collector.spans
        #expect(spans.map(\.name) == (0..<8).map { "span \($0)" } + ["child", "parent"])
        let (first, last) = (spans[8], spans[9])
        #expect(first.parent == last.spanID && first.traceID == last.traceID && last.parent == nil)
        #expect(first.json["links"]?.array?.first?["spanId"]?.string == last.spanID)
        #expect(first.json["kind"] == .integer(1) && last.json["kind"] == .integer(3))
        #expect(last.text("text") == "a \"b\"" && last["whole"] == .object(["intValue": "9223372036854775807"]))
        #expect(last.number("fraction") == 0.5 && last.texts("list") == ["a", "b"])
        #expect(last["isTrue"]?["boolValue"] == .bool(true))
        #expect(last.json["status"] == .object(["code": .integer(2), "message": "m"]))
        let events = last.json["events"]?.array
        #expect(events?.map { $0["name"] } == ["event", "exception"])
        #expect(!JSONWriter.string(last.json).contains("words of an error"))
        #expect(last.start > 1_600_000_000_000_000_000 && last.end >= last.start)
        #expect(exporter.pair == [10, 0])
        let request = try #require(collector.server.requests.first)
        #expect(request.method == "POST" && request.path == "/v1/traces")
        #expect(request.fields["content-type"] == "application/json")
        let resource = try JSONParser.parse(request.body)["resourceSpans"]?.array?.first?["resource"]?["attributes"]?
            .array
        let name = resource?.first { $0["key"] == "service.name" }
        #expect(name?["value"]?["stringValue"] == "tested")
    }

    @Test("Less than a batch is sent after a while")
    func delay() async throws {
        let collector = try Collector()
        let exporter = try collector.exporter()
        Self.end(1, exporter)
        while exporter.counts.exported < 1 { await Task.yield() }
        #expect(try collector.spans.count == 1)
    }

    @Test("A batch that the collector cannot take now is sent again", arguments: [429, 502, 503, 504])
    func later(status: Int) async throws {
        let collector = try Collector { request in
            request.index < 2
                ? .json("{}", status: status, fields: status == 429 ? [("Retry-After", "0")] : []) : .json("{}")
        }
        let exporter = try collector.exporter { $0.maxAttempts = 3 }
        Self.end(3, exporter)
        await exporter.shutdown(within: Self.enough)
        #expect(exporter.pair == [3, 0])
        #expect(collector.server.requests.count == 3)
        #expect(Set(collector.server.requests.map(\.body)).count == 1)
    }

    @Test("A collector that asks for no time at all is not asked again at once")
    func noTime() async throws {
        let times = Locked<[ContinuousClock.Instant]>([])
        let collector = try Collector { _ in
            times.withLock { $0.append(.now) }
            return .json("{}", status: 429, fields: [("Retry-After", "0")])
        }
        let exporter = try collector.exporter { $0.pause = .milliseconds(400) }
        Self.end(1, exporter)
        await exporter.shutdown(within: Self.enough)
        let found = times.withLock { $0 }
        #expect(found.count == 2 && found.last.map { $0 - found[0] >= .milliseconds(300) } == true)
    }

    @Test("A batch that the collector refuses is not sent again", arguments: [400, 401, 404, 413, 500])
    func refused(status: Int) async throws {
        let collector = try Collector { _ in .json("{}", status: status) }
        let exporter = try collector.exporter()
        Self.end(3, exporter)
        await exporter.shutdown(within: Self.enough)
        #expect(exporter.pair == [0, 3] && collector.server.requests.count == 1)
    }

    @Test(
        "Spans that the collector leaves out of a batch are counted",
        arguments: ["\"2\"", "2", "99", "-1", "null", "\"x\""])
    func partial(count: String) async throws {
        let collector = try Collector { _ in .json("{\"partialSuccess\": {\"rejectedSpans\": \(count)}}") }
        let exporter = try collector.exporter()
        Self.end(3, exporter)
        await exporter.shutdown(within: Self.enough)
        let dropped = ["\"2\"": 2, "2": 2, "99": 3][count] ?? 0
        #expect(exporter.pair == [3 - dropped, dropped])
    }

    @Test("Of a collector that is away nobody waits, and attempts come to an end")
    func away() async throws {
        let exporter = try Collector.exporterToNobody()
        Self.end(5, exporter)
        await exporter.shutdown(within: Self.enough)
        #expect(exporter.pair == [0, 5])
    }

    @Test("What waits is bounded, what is more is dropped and counted, and the log says so once")
    func flood() async throws {
        let isHeld = Locked(true)
        let collector = try Collector { _ in .json("{}").with { $0.isHeld = { isHeld.withLock { $0 } } } }
        let exporter = try collector.exporter {
            $0.maxWaiting = 100
            $0.maxBatch = 10
        }
        let lines = await CapturedLog.lines {
            Self.end(10, exporter)
            // The first batch is under way for as long as the collector is held.
            while collector.server.requests.isEmpty { await Task.yield() }
            Self.end(1000, exporter)
            #expect(exporter.pair == [0, 900])
        }
        #expect(lines.filter { $0.contains("leap_otlp_spans_dropped_total") }.count == 1)
        isHeld.withLock { $0 = false }
        await exporter.shutdown(within: Self.enough)
        #expect(exporter.pair == [110, 900])
        #expect(exporter.figures.contains("\nleap_otlp_spans_dropped_total 900\n"))
        Self.end(1, exporter)
        #expect(exporter.pair == [110, 901], "what ends behind the end is dropped")
    }

    @Test("An end does not wait for a collector that answers nothing")
    func shutdown() async throws {
        let collector = try Collector { _ in .json("{}").with { $0.isHeld = { true } } }
        let exporter = try collector.exporter()
        Self.end(1, exporter)
        await exporter.shutdown(within: .milliseconds(50))
        #expect(exporter.pair == [0, 1])
    }

    @Test("A collector that answers nothing is given up, and what comes behind is sent to it again")
    func held() async throws {
        let collector = try Collector { request in .json("{}").with { $0.isHeld = { request.index == 0 } } }
        let exporter = try collector.exporter {
            $0.timeout = .milliseconds(50)
            $0.maxAttempts = 1
        }
        Self.end(1, exporter)
        while exporter.pair != [0, 1] { await Task.yield() }
        while exporter.counts.exported == 0 {
            Self.end(1, exporter)
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(collector.server.requests.count >= 2)
    }

    @Test("An answer without end is not read to its end")
    func endless() async throws {
        let collector = try Collector { _ in Reply(body: .endless(Array("x".utf8))) }
        let exporter = try collector.exporter()
        Self.end(1, exporter)
        await exporter.shutdown(within: Self.enough)
        #expect(exporter.pair == [1, 0])
    }
}
