import LeapBase
import LeapJSON
import Tracing

/// OTLP's messages as JSON: names in camel case, identities in hexadecimal digits, whole numbers of 64 bits as strings,
/// cases as numbers.
enum OTLPDocument {
    /// The body of a request to `/v1/traces`.
    static func request(_ spans: [JSONValue], resource: [(key: String, value: String)]) -> JSONValue {
        let scope: JSONObject = ["name": "open-leap", "version": .string(PackageVersion.text)]
        let scopeSpans: JSONObject = ["scope": .object(scope), "spans": .array(spans)]
        let about = resource.map { attribute($0.key, ["stringValue": .string($0.value)]) }
        let resourceSpans: JSONObject = [
            "resource": .object(["attributes": .array(about)]), "scopeSpans": .array([.object(scopeSpans)]),
        ]
        return .object(["resourceSpans": .array([.object(resourceSpans)])])
    }

    static func identity(_ identity: TraceIdentity) -> JSONObject {
        var document: JSONObject = [
            "traceId": .string(identity.traceID), "spanId": .string(identity.spanID),
            "flags": .integer(identity.isSampled ? 1 : 0),
        ]
        if !identity.state.isEmpty { document["traceState"] = .string(identity.state) }
        return document
    }

    static func event(_ event: SpanEvent) -> JSONValue {
        .object([
            "name": .string(event.name), "timeUnixNano": .string("\(event.nanosecondsSinceEpoch)"),
            "attributes": attributes(event.attributes),
        ])
    }

    static func number(of kind: SpanKind) -> Int64 {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    /// Attributes in the order of their names.
    static func attributes(_ attributes: SpanAttributes) -> JSONValue {
        var pairs: [(String, SpanAttribute)] = []
        attributes.forEach { pairs.append(($0, $1)) }
        return .array(pairs.sorted { $0.0 < $1.0 }.map { attribute($0, value($1)) })
    }

    private static func attribute(_ key: String, _ value: JSONObject) -> JSONValue {
        .object(["key": .string(key), "value": .object(value)])
    }

    private static func value(_ attribute: SpanAttribute) -> JSONObject {
        switch attribute {
        case .int32(let number): whole(number)
        case .int64(let number): whole(number)
        case .double(let number): fraction(number)
        case .bool(let isTrue): ["boolValue": .bool(isTrue)]
        case .string(let text): words(text)
        case .int32Array(let numbers): list(numbers.map(whole))
        case .int64Array(let numbers): list(numbers.map(whole))
        case .doubleArray(let numbers): list(numbers.map(fraction))
        case .boolArray(let values): list(values.map { ["boolValue": .bool($0)] })
        case .stringArray(let texts): list(texts.map(words))
        case .stringConvertible(let value): words("\(value)")
        case .stringConvertibleArray(let values): list(values.map { words("\($0)") })
        default: words("")
        }
    }

    private static func whole(_ number: some BinaryInteger) -> JSONObject { ["intValue": .string("\(number)")] }

    /// Returns a number as protobuf's mapping to JSON has it, with words for infinities and NaN.
    private static func fraction(_ number: Double) -> JSONObject {
        guard !number.isFinite else { return ["doubleValue": .double(number)] }
        return ["doubleValue": .string(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")]
    }

    private static func words(_ text: String) -> JSONObject { ["stringValue": .string(text)] }

    private static func list(_ values: [JSONObject]) -> JSONObject {
        ["arrayValue": .object(["values": .array(values.map { .object($0) })])]
    }
}
