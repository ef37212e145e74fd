import Foundation
import LeapSDK

/// The conversation in a file, in the format of OpenAI's chat completions.
public struct HistoryFile: Sendable {
    private let url: URL

    /// Makes the place of a file; nil for the app's own.
    public init(url: URL? = nil) {
        let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        self.url = url ?? (folder ?? FileManager.default.temporaryDirectory).appending(path: "conversation.json")
    }

    /// The file of a conversation whose reply the system ended in the background.
    var suspended: URL { url.deletingPathExtension().appendingPathExtension("leap") }

    /// Writes the history; a file that was there stays until the new one is complete.
    func write(_ json: String) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(json.utf8).write(to: url, options: .atomic)
    }

    /// Returns the history; nil if none was kept.
    func read() throws -> [ChatMessage]? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try ChatMessage.messages(fromJSON: String(decoding: Data(contentsOf: url), as: UTF8.self))
    }
}
