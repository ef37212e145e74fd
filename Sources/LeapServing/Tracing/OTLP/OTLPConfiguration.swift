package import Foundation
package import LeapBase

/// The receiver of spans and their description of the server, from an option and the variables that OpenTelemetry
/// defines for all programs.
package struct OTLPConfiguration: Sendable {
    /// The collector's address for spans.
    package var url: URL
    /// Headers of every request, for collectors that want a key.
    package var headers: [(name: String, value: String)] = []
    /// The attributes of the server in every span.
    package var resource: [(key: String, value: String)] = []

    /// Reads the option and the environment; nil where neither names a collector.
    ///
    /// - Parameter option: the collector's address, without the path of spans.
    /// - Throws: ``CommandError`` that names the option or the variable.
    package init?(option: String?, environment: [String: String]) throws(CommandError) {
        func variable(_ name: String) -> String? {
            environment[name].flatMap { $0.trimmingCharacters(in: .whitespaces).isEmpty ? nil : $0 }
        }
        let isOff = variable("OTEL_SDK_DISABLED")?.lowercased() == "true" || variable("OTEL_TRACES_EXPORTER") == "none"
        if let option {
            url = try Self.url(option, named: "--otlp", addsPath: true)
        } else if isOff {
            return nil
        } else if let text = variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") {
            url = try Self.url(text, named: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", addsPath: false)
        } else if let text = variable("OTEL_EXPORTER_OTLP_ENDPOINT") {
            url = try Self.url(text, named: "OTEL_EXPORTER_OTLP_ENDPOINT", addsPath: true)
        } else {
            return nil
        }
        for name in ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] {
            guard variable(name)?.lowercased() == "grpc" else { continue }
            throw CommandError(
                "\(name) is grpc, but this server sends spans over HTTP: set it to http/json, and the address to that of the collector's HTTP port, usually 4318"
            )
        }
        for name in ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"] {
            for (key, value) in try Self.pairs(variable(name), named: name) {
                let isName = key.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
                guard isName, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                    throw CommandError("\(name) has a header that HTTP does not allow: give name=value,name=value")
                }
                headers.removeAll { $0.name.lowercased() == key.lowercased() }
                headers.append((key, value))
            }
        }
        resource = Self.standardResource
        for (key, value) in try Self.pairs(variable("OTEL_RESOURCE_ATTRIBUTES"), named: "OTEL_RESOURCE_ATTRIBUTES") {
            set(key, value)
        }
        if let name = variable("OTEL_SERVICE_NAME") { set("service.name", name) }
    }

    /// The attributes of the server where the environment has none.
    private static var standardResource: [(key: String, value: String)] {
        [
            ("service.name", "leap-server"), ("service.version", PackageVersion.text),
            ("service.instance.id", UUID().uuidString.lowercased()), ("telemetry.sdk.name", "open-leap"),
            ("telemetry.sdk.language", "swift"), ("telemetry.sdk.version", PackageVersion.text),
        ]
    }

    private mutating func set(_ key: String, _ value: String) {
        resource.removeAll { $0.key == key }
        resource.append((key, value))
    }

    private static func url(_ text: String, named name: String, addsPath: Bool) throws(CommandError) -> URL {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else {
            throw CommandError(
                "\(name) is '\(PrintableOutput.of(text))': expected an address, as http://localhost:4318")
        }
        guard addsPath, !url.path.hasSuffix("/v1/traces") else { return url }
        return url.appendingPathComponent("v1/traces")
    }

    /// Pairs as variables have them: `name=value,name=value`, where what would be in the way is percent-encoded.
    private static func pairs(_ text: String?, named name: String) throws(CommandError) -> [(String, String)] {
        var pairs: [(String, String)] = []
        for entry in (text ?? "").split(separator: ",") {
            let entry = entry.trimmingCharacters(in: .whitespaces)
            guard !entry.isEmpty else { continue }
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces).removingPercentEncoding
            }
            guard parts.count == 2, let key = parts[0], let value = parts[1], !key.isEmpty else {
                // Not shown: headers have keys of services.
                throw CommandError("\(name) has an entry that is not name=value: give name=value,name=value")
            }
            pairs.append((key, value))
        }
        return pairs
    }
}
