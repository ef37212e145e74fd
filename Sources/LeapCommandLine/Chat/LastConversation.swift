import Foundation
import LeapBase
import LeapJSON
import LeapSDK

/// The conversation that `leap chat --continue` takes up: a file beside that of earlier entries, readable by its owner
/// only.
struct LastConversation {
    /// Bytes of a conversation that is kept; a longer one is kept by `/save` alone.
    private static let maxBytes = 64 << 20

    /// The model as it was named.
    var model: String
    var history: [ChatMessage]

    /// The path of the file; nil where `NO_HISTORY` is set.
    static func usualPath(_ environment: [String: String]) -> String? {
        InputHistory.usualPath(environment).flatMap { FileSystem.parent(of: $0) }.map { $0 + "/leap_conversation.json" }
    }

    /// Reads the file.
    ///
    /// - Throws: `CommandError` where there is none that can be taken up.
    init(path: String?) throws {
        guard let path else {
            throw CommandError(
                "--continue: NO_HISTORY is set, so no conversation is kept; use /save and /load")
        }
        guard let bytes = (try? FileSystem.read(path, limit: Self.maxBytes)) ?? nil else {
            throw CommandError(
                "--continue: there is no conversation to continue; each one at a terminal is kept in \(path)")
        }
        do {
            let object = try JSONParser.parse(bytes).object ?? [:]
            model = object["model"]?.string ?? ""
            history = try ChatMessage.messages(object["messages"] ?? .null)
        } catch {
            throw CommandError(
                "--continue: \(path) is not a conversation that leap chat kept: \((error as any Error).sentence); remove it to start over"
            )
        }
    }

    /// The system message.
    var system: String? { history.first { $0.role == .system }?.text }

    init(model: String, history: [ChatMessage]) {
        (self.model, self.history) = (model, history)
    }

    /// Writes the file; what is too long is left out.
    func write(to path: String) throws {
        let messages = JSONValue.array(history.map(\.json))
        let bytes = JSONWriter.bytes(.object(["model": .string(model), "messages": messages]), style: .file)
        guard bytes.count <= Self.maxBytes else { return }
        if let folder = FileSystem.parent(of: path) { try FileSystem.makeFolder(folder) }
        try PrivateFile.publish(bytes, at: path)
    }
}
