package import Tracing

/// A tracer whose spans go to a collector by OTLP.
///
/// A trace that came with a request is recorded where its sender records it; all others are.
package struct OTLPTracer: Tracer {
    package typealias Span = OTLPSpan

    private let exporter: OTLPExporter

    package init(_ exporter: OTLPExporter) { self.exporter = exporter }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> OTLPSpan {
        var context = context()
        let parent = context.traceIdentity
        let identity = TraceIdentity.make(below: parent)
        context.traceIdentity = identity
        return OTLPSpan(
            operationName, context, identity, parent: parent?.spanID, kind,
            start: instant().nanosecondsSinceEpoch, exporter: identity.isSampled ? exporter : nil)
    }

    package func forceFlush() { exporter.flush() }

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: "traceparent", from: carrier) else { return }
        context.traceIdentity = TraceIdentity(
            parent: parent, state: extractor.extract(key: "tracestate", from: carrier))
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let identity = context.traceIdentity else { return }
        injector.inject(identity.parent, forKey: "traceparent", into: &carrier)
        if !identity.state.isEmpty { injector.inject(identity.state, forKey: "tracestate", into: &carrier) }
    }
}
