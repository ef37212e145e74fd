import Foundation
import LeapCore
import LeapJSON
import LeapOpenAIClient

/// Replies of an endpoint.
final class CloudSource: ReplySource {
    private let cloud: CloudModelRunner

    init(_ cloud: CloudModelRunner) { self.cloud = cloud }

    var runner: any ModelRunner { cloud }

    func check() throws {
        if cloud.isUnloaded {
            throw LeapGenerationException("the model \(cloud.modelId) was unloaded: create another runner to generate")
        }
    }

    func replies(to request: ReplyRequest) -> AsyncThrowingStream<MessagePiece, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task { [cloud] in
                do {
                    try await Self.generate(request, cloud) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: Self.exception(for: error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private static func generate(
        _ request: ReplyRequest, _ cloud: CloudModelRunner, yield: (MessagePiece) -> Void
    ) async throws {
        let document = try CloudRequest(request, model: cloud.modelId, isExtended: cloud.isExtended).document
        cloud.count {
            $0.generations += 1
            $0.activeGenerations += 1
        }
        defer { cloud.count { $0.activeGenerations -= 1 } }
        var reply = CloudReply(functions: request.functions, options: request.options)
        let stream = cloud.client.reply(to: { document })
        while let chunk = try await stream.next() {
            for response in try reply.add(chunk) { yield(response) }
        }
        for response in reply.finish() { yield(response) }
        if let stats = reply.stats {
            cloud.count {
                $0.computedPromptTokens += Int(stats.computedPromptTokens)
                $0.cachedPromptTokens += Int(stats.reusedPromptTokens)
                $0.generatedTokens += Int(stats.completionTokens)
            }
        }
    }

    /// The errors of the API; the client's is the cause.
    private static func exception(for error: any Error) -> any Error {
        guard let error = error as? OpenAiClientError else { return error }
        return error.code == .contextLengthExceeded
            ? LeapGenerationPromptExceedContextLengthException(error)
            : LeapGenerationException(error)
    }
}
