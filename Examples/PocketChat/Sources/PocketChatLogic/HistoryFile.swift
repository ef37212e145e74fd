public import Foundation
public import LeapSDK

/// The conversation in a file, in the format of OpenAI's chat completions.
public struct HistoryFile: Sendable {
    private let url: URL

    /// Makes the file's place, without access to the disk.
    public init(url: URL = URL.applicationSupportDirectory.appending(path: "conversation.json")) { self.url = url }

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
