/// The URL of an OpenAI-compatible endpoint, its key, and the limits of requests to it.
///
/// The key and the values of ``extraHeaders`` never appear in a configuration's description, in errors or in a log.
public struct OpenAiClientConfig: Sendable, Hashable {
    /// The key, sent as `Authorization: Bearer …`; empty for an endpoint that needs none.
    public var apiKey: String
    /// The URL before ``chatCompletionsPath``, such as `https://api.openai.com/v1`.
    ///
    /// For `leap serve` it is `http://127.0.0.1:8080/v1`.
    public var baseUrl: String
    /// Appended to ``baseUrl``.
    public var chatCompletionsPath: String
    /// Header fields of every request; they replace the client's own fields of the same name.
    public var extraHeaders: [String: String]
    /// The maximum number of retries; 0 for none.
    ///
    /// A request is retried after status 408, 429 or 5xx, or if the connection failed before the response started.
    public var maxRetries: Int
    /// The longest wait before a retry, in seconds.
    ///
    /// The client does not wait for a longer `Retry-After`; the error has its value.
    public var maxRetryWait: Double
    /// The number of seconds that the endpoint has to start its response.
    ///
    /// A model may take minutes for a long prompt.
    public var responseTimeout: Double
    /// The number of seconds without a byte after which a response is stalled.
    public var stallTimeout: Double
    /// The maximum number of bytes of one event of a stream.
    public var maxEventBytes: Int

    /// Creates a configuration.
    public init(
        apiKey: String, baseUrl: String = "https://api.openai.com/v1",
        chatCompletionsPath: String = "/chat/completions", extraHeaders: [String: String] = [:], maxRetries: Int = 2,
        maxRetryWait: Double = 60, responseTimeout: Double = 600, stallTimeout: Double = 120,
        maxEventBytes: Int = 16 << 20
    ) {
        self.apiKey = apiKey
        self.baseUrl = baseUrl
        self.chatCompletionsPath = chatCompletionsPath
        self.extraHeaders = extraHeaders
        self.maxRetries = maxRetries
        self.maxRetryWait = maxRetryWait
        self.responseTimeout = responseTimeout
        self.stallTimeout = stallTimeout
        self.maxEventBytes = maxEventBytes
    }
}

extension OpenAiClientConfig: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL of the endpoint, without secrets.
    public var description: String { "OpenAiClientConfig(\(Endpoint.shown(baseUrl)))" }

    /// The URL of the endpoint, without secrets.
    public var debugDescription: String { description }

    /// The URL alone, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["baseUrl": Endpoint.shown(baseUrl)]) }
}
