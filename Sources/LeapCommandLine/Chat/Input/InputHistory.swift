import Foundation
import LeapBase
import LeapJSON
import LeapSDK

/// The entries of earlier chats, in a file with a JSON string on each line, readable by its owner only.
final class InputHistory: Sendable {
    /// Entries that are kept.
    static let maxEntries = 1000
    /// Bytes of an entry that is kept; a longer one is a document rather than a question.
    static let maxEntryBytes = 32 << 10
    private static let maxFileBytes = 64 << 20

    private let path: String?
    private let state: Locked<(entries: [String], hasFailed: Bool)>

    /// The entries so far, oldest first.
    var entries: [String] { state.withLock { $0.entries } }

    /// - Parameter path: the file; nil to keep entries in memory only. A file that cannot be read counts as empty.
    init(path: String?) {
        self.path = path
        var entries: [String] = []
        if let path, let bytes = (try? FileSystem.read(path, limit: Self.maxFileBytes)) ?? nil {
            let lines = bytes.split(separator: UInt8(ascii: "\n"))
            entries = lines.suffix(Self.maxEntries).compactMap {
                (try? JSONParser.parse(String(decoding: $0, as: UTF8.self)))?.string
            }
            if lines.count > 2 * Self.maxEntries { Self.rewrite(entries, at: path) }
        }
        state = Locked((entries, false))
    }

    /// Adds an entry, unless it is the last one again.
    ///
    /// - Returns: why it could not be written, the first time that happens.
    @discardableResult
    func add(_ entry: String) -> String? {
        guard !entry.isEmpty, entry.utf8.count <= Self.maxEntryBytes else { return nil }
        let isNew = state.withLock { state in
            guard state.entries.last != entry else { return false }
            state.entries.append(entry)
            if state.entries.count > Self.maxEntries { state.entries.removeFirst() }
            return true
        }
        guard isNew, let path else { return nil }
        do {
            if let folder = FileSystem.parent(of: path) { try FileSystem.makeFolder(folder) }
            let file = try OpenFile(path, .updating, permissions: 0o600)
            let line = Array(JSONWriter.string(.string(entry)).utf8) + [UInt8(ascii: "\n")]
            let end = try file.status().byteCount
            try line.withUnsafeBytes { try file.write($0, at: end) }
            return nil
        } catch {
            return state.withLock { state in
                defer { state.hasFailed = true }
                return state.hasFailed ? nil : "\(error)"
            }
        }
    }

    /// The path of the file: beside the folder of models.
    ///
    /// Nil where `NO_HISTORY` is set.
    static func usualPath(_ environment: [String: String]) -> String? {
        guard (environment["NO_HISTORY"] ?? "").isEmpty else { return nil }
        let models = LeapDownloaderConfig().resolvedSaveDir
        return FileSystem.parent(of: models).map { $0 + "/leap_history" }
    }

    private static func rewrite(_ entries: [String], at path: String) {
        let text = entries.map { JSONWriter.string(.string($0)) + "\n" }.joined()
        // Where that fails, the file stays long.
        try? PrivateFile.publish(Array(text.utf8), at: path)
    }
}
