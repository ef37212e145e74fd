import LeapBase
import Tracing

/// The identifiers of a trace and a span, as the headers `traceparent` and `tracestate` carry them (W3C Trace Context).
package struct TraceIdentity: Sendable, Hashable {
    /// 32 hexadecimal digits, in lower case.
    package let traceID: String
    /// 16 of them.
    package let spanID: String
    /// True if the service that began the trace wants it recorded.
    package let isSampled: Bool
    /// The data that other systems keep with the trace, handed on as it came.
    package let state: String

    /// The longest `tracestate` that is handed on.
    static let maxState = 512

    init(traceID: String, spanID: String, isSampled: Bool, state: String) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.state = state
    }

    /// Reads the headers; nil for a `traceparent` that is not valid, in which case a trace begins here.
    package init?(parent: String, state: String?) {
        let parts = parent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parent.utf8.count <= 128, Self.isHex(parts[0], 2), parts[0] != "ff",
            // Only later versions may have more parts.
            parts[0] != "00" || parts.count == 4,
            Self.isHex(parts[1], 32), parts[1].contains(where: { $0 != "0" }),
            Self.isHex(parts[2], 16), parts[2].contains(where: { $0 != "0" }),
            Self.isHex(parts[3], 2), let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        traceID = String(parts[1])
        spanID = String(parts[2])
        isSampled = flags & 1 == 1
        let state = state ?? ""
        let isPlain = state.utf8.count <= Self.maxState && state.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        self.state = isPlain ? state : ""
    }

    /// A span in a new trace, or in its parent's.
    static func make(below parent: TraceIdentity?) -> TraceIdentity {
        TraceIdentity(
            traceID: parent?.traceID ?? digits() + digits(), spanID: digits(), isSampled: parent?.isSampled ?? true,
            state: parent?.state ?? "")
    }

    /// The header that hands it on.
    package var parent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    private static func isHex(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// 16 random digits that are not all zero.
    private static func digits() -> String { HexDigit.text(of: UInt64.random(in: 1...UInt64.max)) }
}

extension ServiceContext {
    private enum Key: ServiceContextKey {
        typealias Value = TraceIdentity
    }

    /// The span that work belongs to, where the tracer of OTLP has made it.
    package var traceIdentity: TraceIdentity? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
