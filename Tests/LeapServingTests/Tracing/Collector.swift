import Foundation
import LeapBase
import LeapHTTP
import LeapJSON
import MisbehavingServer
import Testing

@testable import LeapServing

/// A collector of spans on this machine, which answers as a script says.
final class Collector: Sendable {
    let server: MisbehavingServer.Server

    init(_ reply: @escaping MisbehavingServer.Server.Script = { _ in .json("{}") }) throws {
        server = try MisbehavingServer.Server(script: reply)
    }

    var configuration: OTLPConfiguration {
        get throws {
            try #require(
                try OTLPConfiguration(
                    option: server.url("").absoluteString, environment: ["OTEL_SERVICE_NAME": "tested"]))
        }
    }

    /// An exporter to a port that no other test is given, where nobody listens.
    static func exporterToNobody() throws -> OTLPExporter {
        let configuration = try OTLPConfiguration(option: "http://127.0.0.1:1", environment: [:])
        return try exporter(to: try #require(configuration))
    }

    /// An exporter to it, which waits for nothing longer than a moment.
    func exporter(_ change: (inout OTLPExporter.Limits) -> Void = { _ in }) throws -> OTLPExporter {
        try Self.exporter(to: configuration, change)
    }

    private static func exporter(
        to configuration: OTLPConfiguration, _ change: (inout OTLPExporter.Limits) -> Void = { _ in }
    ) throws -> OTLPExporter {
        var limits = OTLPExporter.Limits()
        limits.delay = .milliseconds(10)
        limits.pause = .milliseconds(10)
        limits.maxAttempts = 2
        // A machine that is busy is no collector that is away.
        limits.timeout = .seconds(300)
        change(&limits)
        return OTLPExporter(configuration, limits: limits)
    }

    /// All spans that it was sent, in order.
    var spans: [CollectedSpan] {
        get throws {
            try server.requests.flatMap { request in
                let resources = try JSONParser.parse(request.body)["resourceSpans"]?.array ?? []
                return resources.flatMap { $0["scopeSpans"]?.array ?? [] }.flatMap { $0["spans"]?.array ?? [] }
                    .map(CollectedSpan.init)
            }
        }
    }
}

/// A span as it was sent.
struct CollectedSpan {
    let json: JSONValue

    var name: String? { json["name"]?.string }
    var traceID: String? { json["traceId"]?.string }
    var spanID: String? { json["spanId"]?.string }
    var parent: String? { json["parentSpanId"]?.string }
    var start: UInt64 { json["startTimeUnixNano"]?.string.flatMap { UInt64($0) } ?? 0 }
    var end: UInt64 { json["endTimeUnixNano"]?.string.flatMap { UInt64($0) } ?? 0 }
    var isFailed: Bool { json["status"]?["code"]?.integer == 2 }

    subscript(name: String) -> JSONValue? {
        json["attributes"]?.array?.first { $0["key"]?.string == name }?["value"]
    }
    func text(_ name: String) -> String? { self[name]?["stringValue"]?.string }
    func whole(_ name: String) -> Int? { self[name]?["intValue"]?.string.flatMap { Int($0) } }
    func number(_ name: String) -> Double? { self[name]?["doubleValue"]?.double }
    func texts(_ name: String) -> [String]? {
        self[name]?["arrayValue"]?["values"]?.array?.compactMap { $0["stringValue"]?.string }
    }
}

extension Reply {
    static func json(_ text: String, status: Int = 200, fields: [(String, String)] = []) -> Reply {
        .text(text, status: status, fields: [("Content-Type", "application/json")] + fields)
    }
}

extension OTLPExporter {
    /// Spans that were taken, and that were dropped.
    var pair: [Int] { [counts.exported, counts.dropped] }
}
