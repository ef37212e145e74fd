package import Tracing

/// The spans and the lines in the log that requests have while they are answered.
package struct RequestTracing: Sendable {
    /// The tracer; nil for that of the process, which the program may have bootstrapped.
    private let tracer: (any Tracer)?
    /// The port that clients have reached where their `Host` header names none.
    private let defaultPort: Int
    /// True if each request has a line in the log, at the level info.
    private let logsRequests: Bool

    package init(tracer: (any Tracer)? = nil, defaultPort: Int = 80, logsRequests: Bool = false) {
        self.tracer = tracer
        self.defaultPort = defaultPort
        self.logsRequests = logsRequests
    }

    /// Starts the record of a request, with a span where it is for a model and spans are recorded.
    ///
    /// - Parameters:
    ///   - headers: those of the request, with names in lower case.
    ///   - route: the pattern of the route that answers it.
    ///   - operation: what a message of a connection asks for; nil for what the request itself asks for.
    func begin(
        method: String, headers: [String: String], route: String, _ operation: ModelOperation? = nil
    ) -> RequestRecord {
        let clock = TraceClock()
        let operation = operation ?? ModelOperation(method: method, route: route)
        let span = operation.flatMap { makeSpan(headers, $0, clock) }
        return RequestRecord(
            method: method, headers: headers, route: route, operation, clock, span: span, isLogged: logsRequests)
    }

    /// Returns the span of a request; nil where it is not recorded.
    private func makeSpan(
        _ headers: [String: String], _ operation: ModelOperation, _ clock: TraceClock
    ) -> RequestSpan? {
        let tracer = tracer ?? InstrumentationSystem.tracer
        var context = ServiceContext.current ?? .topLevel
        tracer.extract(headers, into: &context, using: HeaderExtractor())
        let span = tracer.startSpan(
            operation.rawValue, context: context, ofKind: .server, at: clock.wall(clock.start), function: "reply(to:)",
            file: #fileID, line: #line)
        guard span.isRecording else { return nil }
        if let place = Self.place(headers["host"]) {
            var attributes = span.attributes
            attributes["server.address"] = place.address
            attributes["server.port"] = place.port ?? defaultPort
            span.attributes = attributes
        }
        return RequestSpan(tracer: tracer, span: span)
    }

    /// Name and port of a `Host` header; nil where it has no name.
    static func place(_ host: String?) -> (address: String, port: Int?)? {
        guard let host, !host.isEmpty else { return nil }
        let text = HeaderText.safe(host, limit: 255)
        // An IPv6 address has colons of its own, in brackets.
        let afterBracket = text.lastIndex(of: "]").map(text.index(after:)) ?? text.startIndex
        guard let colon = text[afterBracket...].lastIndex(of: ":") else { return (text, nil) }
        let address = String(text[..<colon])
        return address.isEmpty ? nil : (address, UInt16(text[text.index(after: colon)...]).map(Int.init))
    }
}

/// Finds the headers that carry traces.
private struct HeaderExtractor: Extractor {
    func extract(key: String, from headers: [String: String]) -> String? { headers[key.lowercased()] }
}

/// A clock that gives the time of day of an instant.
struct TraceClock: Sendable {
    let start = ContinuousClock.now
    private let startNanoseconds = DefaultTracerClock.now.nanosecondsSinceEpoch

    func wall(_ instant: ContinuousClock.Instant) -> DefaultTracerClock.Timestamp {
        let passed = max(0, Int64((instant - start) / .nanoseconds(1)))
        return DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: startNanoseconds + UInt64(passed))
    }
}

/// A request's span, and what makes spans below it.
struct RequestSpan: Sendable {
    let tracer: any Tracer
    let span: any Tracing.Span
}
