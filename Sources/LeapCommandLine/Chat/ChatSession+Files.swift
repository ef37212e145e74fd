import Foundation
import LeapBase
import LeapJSON
import LeapSDK

/// Saved conversations.
extension ChatSession {
    func save(_ argument: String) async throws {
        guard !argument.isEmpty else { throw CommandError("/save needs a file name") }
        let path = (argument as NSString).expandingTildeInPath
        let conversation = conversation
        guard path.hasSuffix(".json") else {
            let tokens = try await conversation.save(to: URL(fileURLWithPath: path))
            Terminal.note(
                "(saved \(conversation.history.count) messages and the state of \(tokens) tokens to \(path))")
            return
        }
        let messages = JSONValue.array(conversation.history.map(\.json))
        do {
            try FileSystem.publish(JSONWriter.bytes(messages, style: .file), at: path, durable: true)
        } catch {
            throw CommandError("cannot write \(path): \(error.reason)")
        }
        Terminal.note("(saved \(conversation.history.count) messages to \(path))")
    }

    func load(_ argument: String) async throws {
        guard !argument.isEmpty else { throw CommandError("/load needs a file name") }
        let path = (argument as NSString).expandingTildeInPath
        let runner = runner
        guard ConversationFile.isOne(path) else {
            let history = try Self.messages(at: path)
            takeUp(runner.createConversationFromHistory(history: history))
            Terminal.note("(loaded \(history.count) messages)")
            return
        }
        let restored = try await runner.restoreConversation(from: URL(fileURLWithPath: path))
        // A conversation with MCP servers was saved with their tools, which are carried out by servers alone.
        let functions = restored.conversation.functions.filter { servers?.entry($0.name) == nil }
        if !functions.isEmpty { state.withLock { $0.functions = functions } }
        takeUp(restored.conversation)
        let state =
            restored.recomputationReason.map { ", whose state must be recomputed: \($0)" }
            ?? " and the state of \(restored.stateTokens) tokens"
        Terminal.note("(loaded \(restored.conversation.history.count) messages\(state))")
    }

    private func takeUp(_ conversation: any Conversation) {
        state.withLock {
            $0.conversation = conversation
            $0.forgetTurns()
        }
    }

    /// Messages in OpenAI's JSON.
    private static func messages(at path: String) throws -> [ChatMessage] {
        guard let status = FileSystem.status(of: path) else {
            throw CommandError("/load \(path): there is no such file")
        }
        guard status.isRegular else { throw CommandError("/load \(path): it is not a file") }
        let bytes: [UInt8]
        do {
            bytes = try FileSystem.read(path, limit: 256 << 20) ?? []
        } catch {
            throw CommandError("cannot read \(path): \(error.reason)")
        }
        do {
            return try ChatMessage.messages(fromJSON: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CommandError(
                "\(path) is neither a conversation nor a JSON array of chat messages as /save writes them: "
                    + error.sentence)
        }
    }
}
