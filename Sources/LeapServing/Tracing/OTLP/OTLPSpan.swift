import LeapBase
import LeapJSON
package import Tracing

/// A span that goes to the exporter when it ends.
package final class OTLPSpan: Tracing.Span {
    /// The most events and links that a span keeps.
    static let maxEvents = 128

    struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var status: SpanStatus?
        var events: [SpanEvent] = []
        var links: [(identity: TraceIdentity, attributes: SpanAttributes)] = []
        var isEnded = false
    }

    package let context: ServiceContext
    private let identity: TraceIdentity
    private let parent: String?
    private let kind: SpanKind
    private let start: UInt64
    /// The exporter; nil for a span that is not recorded.
    private let exporter: OTLPExporter?
    private let state: Locked<State>

    init(
        _ name: String, _ context: ServiceContext, _ identity: TraceIdentity, parent: String?, _ kind: SpanKind,
        start: UInt64, exporter: OTLPExporter?
    ) {
        self.context = context
        self.identity = identity
        self.parent = parent
        self.kind = kind
        self.start = start
        self.exporter = exporter
        state = Locked(State(name: name))
    }

    package var isRecording: Bool { exporter != nil && !state.withLock { $0.isEnded } }

    package var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    package func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }

    package func addEvent(_ event: SpanEvent) {
        state.withLock { state in
            if state.events.count < Self.maxEvents { state.events.append(event) }
        }
    }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        // The type alone: an error's words may have some of the request's.
        var attributes = attributes
        attributes["exception.type"] = "\(type(of: error))"
        addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    package func addLink(_ link: SpanLink) {
        guard let identity = link.context.traceIdentity else { return }
        state.withLock { state in
            if state.links.count < Self.maxEvents { state.links.append((identity, link.attributes)) }
        }
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let ended = state.withLock { state -> State? in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            return state
        }
        guard let exporter, let ended else { return }
        exporter.add(document(ended, end: instant().nanosecondsSinceEpoch))
    }

    private func document(_ state: State, end: UInt64) -> JSONValue {
        var span = OTLPDocument.identity(identity)
        if let parent { span["parentSpanId"] = .string(parent) }
        span["name"] = .string(state.name)
        span["kind"] = .integer(OTLPDocument.number(of: kind))
        span["startTimeUnixNano"] = .string("\(start)")
        span["endTimeUnixNano"] = .string("\(max(start, end))")
        span["attributes"] = OTLPDocument.attributes(state.attributes)
        if !state.events.isEmpty { span["events"] = .array(state.events.map(OTLPDocument.event)) }
        if !state.links.isEmpty {
            span["links"] = .array(
                state.links.map { link in
                    var document = OTLPDocument.identity(link.identity)
                    document["attributes"] = OTLPDocument.attributes(link.attributes)
                    return .object(document)
                })
        }
        if let status = state.status {
            var document: JSONObject = ["code": .integer(status.code == .ok ? 1 : 2)]
            if let message = status.message { document["message"] = .string(message) }
            span["status"] = .object(document)
        }
        return .object(span)
    }
}
