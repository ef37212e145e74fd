import Foundation
import LeapBase
import LeapJSON
package import Logging

/// Writes lines of the log as JSON, one object a line: `time`, `level`, `logger`, `message`, the identities of a
/// request, and `fields` for all other metadata.
package struct JSONLogHandler: LogHandler {
    /// Names of metadata that stand beside the message.
    private static let identities = ["request_id", "trace_id", "span_id"]
    /// The most characters of a text; a longer one is cut.
    private static let maxText = 16_384

    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    package var logLevel: Logger.Level
    private let label: String
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: takes each line whole, with its end.
    package init(
        label: String, level: Logger.Level = .info, metadataProvider: Logger.MetadataProvider? = nil,
        write: @escaping @Sendable ([UInt8]) -> Void = { StandardStreams.log($0) }
    ) {
        self.label = label
        logLevel = level
        self.metadataProvider = metadataProvider
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        if let error = event.error { all["error"] = .string("\(error)") }
        var line: JSONObject = [
            "time": .string(Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "level": .string(event.level.rawValue), "logger": .string(label),
            "message": .string(Self.cut("\(event.message)")),
        ]
        for name in Self.identities {
            if let value = all.removeValue(forKey: name) { line[name] = Self.document(value) }
        }
        if !all.isEmpty {
            line["fields"] = .object(
                JSONObject(all.sorted { $0.key < $1.key }.map { ($0.key, Self.document($0.value)) }))
        }
        write(JSONWriter.bytes(.object(line)) + [0x0A])
    }

    private static func document(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let text): .string(cut(text))
        case .stringConvertible(let value as Int): .integer(Int64(value))
        case .stringConvertible(let value as Int64): .integer(value)
        case .stringConvertible(let value as Double): .double(value)
        case .stringConvertible(let value as Bool): .bool(value)
        case .stringConvertible(let value): .string(cut("\(value)"))
        case .array(let values): .array(values.map(document))
        case .dictionary(let values):
            .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, document($0.value)) }))
        }
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= maxText ? text : String(text.prefix(maxText)) + "…"
    }
}
