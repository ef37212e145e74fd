import LeapBase
import LeapCore

/// A model whose replies a test writes, over the conversations of the package.
final class ScriptedRunner: ModelRunner, ReplySource {
    typealias Replies = AsyncThrowingStream<MessagePiece, any Error>
    /// Writes the reply with the number, from 0 on; the stream ends when it returns.
    typealias Script = @Sendable (_ number: Int, _ request: ReplyRequest, _ reply: Reply) async throws -> Void

    /// A reply that is being written.
    final class Reply: Sendable {
        private let continuation: Replies.Continuation
        private let text = Locked("")
        private let calls = Locked<[LeapFunctionCall]>([])

        init(_ continuation: Replies.Continuation) { self.continuation = continuation }

        func think(_ piece: String) { continuation.yield(.reasoningChunk(piece)) }

        func say(_ pieces: String...) {
            for piece in pieces {
                text.withLock { $0 += piece }
                continuation.yield(.chunk(piece))
            }
        }

        func call(_ name: String, id: String? = nil) {
            let call = LeapFunctionCall(name: name, arguments: ["place": "harbour"], id: id)
            calls.withLock { $0.append(call) }
            continuation.yield(.functionCall([call]))
        }

        func end(_ reason: GenerationFinishReason = .stop, limit: GenerationLimit? = nil) {
            let calls = calls.withLock { $0 }
            let message = ChatMessage(
                role: .assistant, content: [.text(text.withLock { $0 })], functionCalls: calls.isEmpty ? nil : calls)
            continuation.yield(.complete(MessageCompletion(message: message, finishReason: reason, limit: limit)))
        }
    }

    let modelId: String
    private let script: Script
    private let past = Locked((requests: [ReplyRequest](), isUnloaded: false))

    init(_ modelId: String = "script", script: @escaping Script) {
        self.modelId = modelId
        self.script = script
    }

    /// The requests that came, in order.
    var requests: [ReplyRequest] { past.withLock { $0.requests } }
    var isUnloaded: Bool { past.withLock { $0.isUnloaded } }

    var runner: any ModelRunner { self }

    func check() throws {
        if isUnloaded { throw LeapServiceException(.connectionLost, message: "the model \(modelId) was unloaded") }
    }

    func replies(to request: ReplyRequest) -> Replies {
        let number = past.withLock { past in
            past.requests.append(request)
            return past.requests.count - 1
        }
        return Replies { continuation in
            let task = Task {
                do {
                    try await script(number, request, Reply(continuation))
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    func createConversation(systemPrompt: String?) -> any Conversation {
        SourcedConversation(replies: self, systemPrompt: systemPrompt)
    }
    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        SourcedConversation(replies: self, history: history)
    }
    func unload() async { past.withLock { $0.isUnloaded = true } }
    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int { 0 }
}
