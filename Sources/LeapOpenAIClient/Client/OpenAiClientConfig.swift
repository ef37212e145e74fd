/// The address of an OpenAI-compatible endpoint, its key, and the limits of requests to it.
///
/// Neither the key nor the values of ``extraHeaders`` are in the description of a configuration, in errors or in a log.
public struct OpenAiClientConfig: Sendable, Hashable {
    /// Sent as `Authorization: Bearer …`; empty for an endpoint that wants none.
    public var apiKey: String
    /// The address before ``chatCompletionsPath``: `https://api.openai.com/v1`, `http://127.0.0.1:8080/v1` of
    /// `leap serve`.
    public var baseUrl: String
    /// Appended to ``baseUrl``.
    public var chatCompletionsPath: String
    /// Header fields of every request; one with the name of a field of ours takes its place.
    public var extraHeaders: [String: String]
    /// The maximum number of further attempts after an answer with status 408, 429 or 5xx, or a connection that failed
    /// before the answer began; 0 for none.
    public var maxRetries: Int
    /// The longest wait before a further attempt, in seconds.
    ///
    /// A longer `Retry-After` is not waited for: the error has it.
    public var maxRetryWait: Double
    /// The seconds that the beginning of an answer may take.
    ///
    /// A model may take minutes for a long prompt.
    public var responseTimeout: Double
    /// The seconds that may pass without a byte in the middle of an answer.
    public var stallTimeout: Double
    /// The maximum number of bytes of one event of a stream.
    public var maxEventBytes: Int

    /// Makes a configuration.
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
    /// The address, without anything secret.
    public var description: String { "OpenAiClientConfig(\(Endpoint.shown(baseUrl)))" }

    /// The address, without anything secret.
    public var debugDescription: String { description }

    /// The address alone, so that `dump` shows nothing secret.
    public var customMirror: Mirror { Mirror(self, children: ["baseUrl": Endpoint.shown(baseUrl)]) }
}
