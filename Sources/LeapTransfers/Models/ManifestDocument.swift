import Foundation
import LeapBase
import LeapHTTP
package import LeapJSON

/// A model manifest: what it says, and everything else that is in it.
package struct ManifestDocument: Sendable, Hashable {
    /// The longest manifest that is read, in bytes.
    package static let longest = 1 << 20

    /// All members, known and unknown.
    package var members: JSONObject

    package init(members: JSONObject) {
        self.members = members
    }

    /// The roles of the files that a manifest names, in the order they are fetched.
    package enum Role: String, Sendable, CaseIterable {
        case model
        case multimodalProjector = "multimodal_projector"
        case audioDecoder = "audio_decoder"
        case audioTokenizer = "audio_tokenizer"
    }

    /// Reads a manifest.
    ///
    /// - Throws: ``DownloadError/Code/invalidManifest`` that says what was found instead.
    package init(_ bytes: [UInt8], place: String) throws {
        func refuse(_ text: String) -> DownloadError { DownloadError(.invalidManifest, "\(place): \(text)", path: nil) }
        let start = String(decoding: bytes.prefix(512), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            .lowercased()
        if start.hasPrefix("<") {
            throw refuse(
                "a web page, not a manifest: the address leads to a page about the file (on Hugging Face use /resolve/, not /blob/)."
            )
        }
        if start.hasPrefix("version https://git-lfs") {
            throw refuse("a Git LFS pointer, not a manifest: fetch the file itself.")
        }
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            throw refuse("not JSON, so not a manifest: \(error).")
        }
        try self.init(value, place: place)
    }

    /// Reads a manifest that was parsed already.
    ///
    /// - Throws: ``DownloadError/Code/invalidManifest`` that says what was found instead.
    package init(_ value: JSONValue, place: String) throws {
        func refuse(_ text: String) -> DownloadError { DownloadError(.invalidManifest, "\(place): \(text)", path: nil) }
        guard case .object(let members) = value else { throw refuse("JSON, but not an object, so not a manifest.") }
        self.members = members
        guard let version = members["schema_version"]?.string else {
            throw refuse("not a manifest: \"schema_version\" is missing or not a string.")
        }
        guard version.split(separator: ".").first == "1" else {
            throw refuse(
                "a manifest of schema version \(ShownText.of(version, limit: 32)), while this package reads versions 1.x; update it."
            )
        }
        guard members["inference_type"]?.string != nil else {
            throw refuse("not a manifest: \"inference_type\" is missing or not a string.")
        }
        guard let load = members["load_time_parameters"]?.object else {
            throw refuse("not a manifest: \"load_time_parameters\" is missing or not an object.")
        }
        guard let model = load["model"]?.string, !model.isEmpty else {
            throw refuse("not a manifest: \"load_time_parameters.model\" is missing or not a string.")
        }
        for role in Role.allCases where load[role.rawValue] != nil && load[role.rawValue] != .null {
            guard load[role.rawValue]?.string?.isEmpty == false else {
                throw refuse("\"load_time_parameters.\(role.rawValue)\" is not a string.")
            }
        }
        let parts = load["model_parts"]?.array?.count ?? 0
        guard parts < OutsideNumber.maxFiles else {
            throw refuse("\(parts) \"model_parts\"; a model has at most \(OutsideNumber.maxFiles - 1).")
        }
    }

    package var schemaVersion: String { members["schema_version"]?.string ?? "" }
    package var inferenceType: String { members["inference_type"]?.string ?? "" }
    package var originalURL: String? { members["original_url"]?.string }
    package var chatTemplate: String? { load["chat_template"]?.string }

    private var load: JSONObject { members["load_time_parameters"]?.object ?? [:] }

    /// The address or relative path of a file.
    package func file(_ role: Role) -> String? { load[role.rawValue]?.string }

    /// Further parts of a split model, which the engine finds next to the first.
    package var furtherParts: [String] { load["model_parts"]?.array?.compactMap(\.string) ?? [] }

    package mutating func set(_ role: Role, _ path: String) {
        setLoad(role.rawValue, .string(path))
    }

    package mutating func setFurtherParts(_ paths: [String]) {
        setLoad("model_parts", .array(paths.map { .string($0) }))
    }

    private mutating func setLoad(_ key: String, _ value: JSONValue) {
        var load = load
        load[key] = value
        members["load_time_parameters"] = .object(load)
    }

    /// The JSON text, members in alphabetical order.
    package func encoded() -> [UInt8] { JSONWriter.bytes(.object(members), style: .file) }
}

/// A file of an installed model, as our copy of the manifest records it.
package struct InstalledFile: Sendable, Hashable {
    /// The name in the model's folder.
    package var name: String
    /// The address that it came from, without a query.
    package var source: String
    package var size: Int64
    /// The SHA-256 of the bytes that were written.
    package var sha256: String?
    /// True if the source had given that SHA-256 before.
    package var isVerified: Bool

    package init(name: String, source: String, size: Int64, sha256: String?, isVerified: Bool) {
        self.name = name
        self.source = source
        self.size = size
        self.sha256 = sha256
        self.isVerified = isVerified
    }
}

extension ManifestDocument {
    /// The key of our own record in the manifest.
    private static let recordKey = "open_leap"

    /// The files that were fetched.
    package var installedFiles: [InstalledFile]? {
        get {
            guard let files = members[Self.recordKey]?["files"]?.array else { return nil }
            return files.compactMap { file in
                guard let name = file["name"]?.string, let size = file["size"].flatMap({ OutsideNumber.size($0) })
                else { return nil }
                return InstalledFile(
                    name: name, source: file["source"]?.string ?? "", size: size, sha256: file["sha256"]?.string,
                    isVerified: file["verified"] == .bool(true))
            }
        }
        set {
            guard let newValue else {
                members[Self.recordKey] = nil
                return
            }
            var record = members[Self.recordKey]?.object ?? [:]
            record["files"] = .array(
                newValue.map { file in
                    var entry: JSONObject = [
                        "name": .string(file.name), "source": .string(file.source), "size": .integer(file.size),
                        "verified": .bool(file.isVerified),
                    ]
                    entry["sha256"] = file.sha256.map { .string($0) }
                    return .object(entry)
                })
            members[Self.recordKey] = .object(record)
        }
    }

    /// The name that the model was asked for by.
    package var reference: String? {
        get { members[Self.recordKey]?["reference"]?.string }
        set {
            var record = members[Self.recordKey]?.object ?? [:]
            record["reference"] = newValue.map { .string($0) }
            members[Self.recordKey] = .object(record)
        }
    }
}
