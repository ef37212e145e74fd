import LeapBase
package import LeapHTTP
package import LeapJSON

/// A client for endpoints with OpenAI's chat completions: OpenAI, OpenRouter, vLLM, llama.cpp's server, `leap serve`.
///
/// ```swift
/// let client = OpenAiClient(config: OpenAiClientConfig(apiKey: key))
/// let request = ChatCompletionRequest(
///     model: "gpt-4o-mini",
///     messages: [.system("Answer briefly."), .user("What is the capital of Japan?")])
/// for try await event in client.streamChatCompletion(request: request) {
///     switch event {
///     case .delta(let content): print(content, terminator: "")
///     case .done(let usage): print("\n\(usage?.totalTokens ?? 0) tokens")
///     case .error(let message): print("\n\(message)")
///     }
/// }
/// ```
/// You can use it from any task, for several requests at a time. It keeps connections for later requests.
public final class OpenAiClient: Sendable {
    /// The address of the endpoint, its key and its limits.
    public let config: OpenAiClientConfig
    private let transport: any Transport
    private let replies = Locked(Replies())

    private struct Replies {
        var isClosed = false
        var count = 0
        var running: [Int: WeakReply] = [:]
    }

    private struct WeakReply {
        weak var stream: ReplyStream?
    }

    /// Creates a client; the first request reports an invalid configuration.
    public convenience init(config: OpenAiClientConfig) {
        self.init(config: config, transport: StandardTransport.make())
    }

    package init(config: OpenAiClientConfig, transport: any Transport) {
        self.config = config
        self.transport = transport
    }

    /// Requests the next message of a chat, and returns its text piece by piece.
    ///
    /// The request is sent when you ask for the first event. Errors are not thrown; they arrive as
    /// ``ChatCompletionEvent/error(_:)``, the last event. To close the connection, leave the loop or cancel its task.
    public func streamChatCompletion(
        request: ChatCompletionRequest
    ) -> AsyncThrowingStream<ChatCompletionEvent, any Error> {
        let events = EventSource(reply: reply(to: { try request.document() }))
        return AsyncThrowingStream { try await events.next() }
    }

    /// Requests the next message of a chat, and returns everything that the endpoint sends.
    ///
    /// That is text, reasoning, calls, the finish reason and token counts. The stream throws ``OpenAiClientError``.
    /// Otherwise it works like ``streamChatCompletion(request:)``.
    public func streamChunks(request: ChatCompletionRequest) -> AsyncThrowingStream<ChatCompletionChunk, any Error> {
        let reply = reply(to: { try request.document() })
        return AsyncThrowingStream { try await reply.next() }
    }

    /// Ends running streams, and refuses further requests.
    public func close() {
        let running = replies.withLock { replies in
            defer { replies.running = [:] }
            replies.isClosed = true
            return replies.running.values.compactMap(\.stream)
        }
        for stream in running { stream.close() }
    }

    /// A reply whose request is made when its first chunk is wanted.
    ///
    /// - Parameter maxRetries: how often it is sent again; nil for as often as the configuration says.
    package func reply(
        to document: @escaping @Sendable () throws -> JSONObject, maxRetries: Int? = nil
    ) -> ReplyStream {
        let (config, transport) = (config, transport)
        let isClosed = replies.withLock { $0.isClosed }
        let reply = ReplyStream(allowsWaiting: transport.allowsWaiting) { queue in
            do {
                guard !isClosed else { throw OpenAiClientError.closedClient }
                let exchange = try ReplyExchange(
                    config: config, transport: transport, document: try document(), queue: queue)
                try await exchange.run(maxRetries: maxRetries ?? config.maxRetries)
                queue.finish(.success(()))
            } catch {
                queue.finish(.failure(error))
            }
        }
        replies.withLock { replies in
            replies.running = replies.running.filter { $0.value.stream != nil }
            replies.count += 1
            replies.running[replies.count] = WeakReply(stream: reply)
        }
        return reply
    }
}

extension OpenAiClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL of the endpoint, without secrets.
    public var description: String { "OpenAiClient(\(Endpoint.shown(config.baseUrl)))" }

    /// The URL of the endpoint, without secrets.
    public var debugDescription: String { description }

    /// The URL alone, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["baseUrl": Endpoint.shown(config.baseUrl)]) }
}

extension OpenAiClientError {
    /// The error of requests of a client that was closed.
    static let closedClient = OpenAiClientError(.closed, "the client was closed: create another one")
}

/// Chunks as the events that the LEAP SDK has.
private actor EventSource {
    private let reply: ReplyStream
    private var usage: Usage?
    private var isOver = false

    init(reply: ReplyStream) { self.reply = reply }

    func next() async throws -> ChatCompletionEvent? {
        guard !isOver else { return nil }
        do {
            while let chunk = try await reply.next() {
                if let usage = chunk.usage { self.usage = usage }
                if let content = chunk.content { return .delta(content) }
            }
            isOver = true
            return .done(usage)
        } catch let error as OpenAiClientError {
            isOver = true
            return .error(error.message)
        }
    }
}
