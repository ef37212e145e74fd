public import LeapChat

/// A part of a reply in the form of versions before 0.7 of the LEAP SDK.
public enum LegacyMessageResponse: Sendable {
    /// The next characters of the answer.
    case chunk(String)
    /// The next characters of the model's reasoning.
    case reasoningChunk(String)
    /// The end: the number of tokens used, as text, and the finish reason.
    case complete(String, GenerationCompleteInfo)
}

extension Conversation {
    /// Adds a message and generates the reply, in the form of versions before 0.7 of the LEAP SDK.
    ///
    /// The stream cannot throw: it logs an error and ends with ``GenerationFinishReason/error``. It does not deliver
    /// function calls. In new code, use ``generateResponse(message:generationOptions:)``.
    public func generateResponse(message: ChatMessage, options: GenerationOptions?) -> AsyncStream<
        LegacyMessageResponse
    > {
        let responses = generateResponse(message: message, generationOptions: options).throwing
        return AsyncStream { continuation in
            let task = Task {
                do {
                    for try await response in responses {
                        switch response {
                        case .chunk(let text): continuation.yield(.chunk(text))
                        case .reasoningChunk(let text): continuation.yield(.reasoningChunk(text))
                        case .functionCall, .audioSample: break
                        case .complete(let completion):
                            let tokens = completion.stats.map { "\($0.totalTokens) tokens" } ?? ""
                            continuation.yield(.complete(tokens, completion.info))
                        }
                    }
                } catch {
                    LeapLog.logger.error("the generation failed: \(error)")
                    continuation.yield(.complete("", GenerationCompleteInfo(finishReason: .error, stats: nil)))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
