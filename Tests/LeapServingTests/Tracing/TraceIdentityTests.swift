import LeapTestTraits
import Testing
import Tracing

@testable import LeapServing

@Suite(.inTurns)
struct TraceIdentityTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let span = "b7ad6b7169203331"

    @Test(
        "A traceparent is taken by the rules of its version",
        arguments: [
            ("00-\(trace)-\(span)-01", true), ("00-\(trace)-\(span)-00", true), ("cc-\(trace)-\(span)-01-more", true),
            ("cc-\(trace)-\(span)-01", true),
            // What is no traceparent, or one that stands for nothing.
            ("", false), ("00-\(trace)-\(span)", false), ("00-\(trace)-\(span)-01-more", false),
            ("ff-\(trace)-\(span)-01", false), ("00-\(trace.uppercased())-\(span)-01", false),
            ("00-00000000000000000000000000000000-\(span)-01", false), ("00-\(trace)-0000000000000000-01", false),
            ("00-\(trace.dropLast())-\(span)-01", false), ("00-\(trace)-\(span)-1", false),
            ("00-\(trace)-\(span)-0g", false), ("0-\(trace)-\(span)-01", false),
            ("cc-\(trace)-\(span)-01-" + String(repeating: "x", count: 100), false),
        ])
    func parsing(text: String, isValid: Bool) {
        let identity = TraceIdentity(parent: text, state: nil)
        #expect((identity != nil) == isValid)
        guard let identity else { return }
        #expect(identity.traceID == Self.trace && identity.spanID == Self.span)
        #expect(identity.isSampled == !text.hasSuffix("-00"))
    }

    @Test("A span keeps its parent's trace, state and decision, and has a name of its own")
    func children() throws {
        let text = "00-\(Self.trace)-\(Self.span)-00"
        let parent = try #require(TraceIdentity(parent: text, state: "a=1,b=2"))
        #expect(parent.parent == text)
        let child = TraceIdentity.make(below: parent)
        #expect(child.traceID == parent.traceID && child.spanID != parent.spanID)
        #expect(!child.isSampled && child.state == "a=1,b=2")
        let (first, second) = (TraceIdentity.make(below: nil), TraceIdentity.make(below: nil))
        #expect(first.traceID != second.traceID && first.isSampled)
        #expect(TraceIdentity(parent: first.parent, state: "") == first)
    }

    @Test(
        "A state that is too long, or is no plain text, is left out",
        arguments: ["a=\u{7}", String(repeating: "a", count: 513)])
    func states(state: String) {
        #expect(TraceIdentity(parent: "00-\(Self.trace)-\(Self.span)-01", state: state)?.state == "")
    }

    @Test("What is injected is what is extracted")
    func propagation() throws {
        struct Headers: Injector, Extractor {
            func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
                carrier[key] = value
            }
            func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
        }
        let tracer = OTLPTracer(try Collector().exporter())
        let span = tracer.startSpan("a", context: .topLevel)
        #expect(span.isRecording)
        var headers: [String: String] = [:]
        tracer.inject(span.context, into: &headers, using: Headers())
        #expect(headers.keys.sorted() == ["traceparent"])
        var context = ServiceContext.topLevel
        tracer.extract(headers, into: &context, using: Headers())
        #expect(context.traceIdentity == span.context.traceIdentity && context.traceIdentity != nil)
        headers["traceparent"] = "none"
        var other = ServiceContext.topLevel
        tracer.extract(headers, into: &other, using: Headers())
        #expect(other.traceIdentity == nil)
    }
}
