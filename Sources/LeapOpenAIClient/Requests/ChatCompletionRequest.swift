package import LeapJSON
import LeapOpenAIFormat

/// A request for the next message of a chat.
///
/// Properties that are nil are not sent, so the endpoint's defaults apply. Endpoints support different properties.
/// OpenRouter, vLLM, llama.cpp's server and `leap serve` support ``topK``, ``repetitionPenalty`` and ``minP``.
/// OpenRouter supports ``topA`` and the properties after it.
public struct ChatCompletionRequest: Sendable, Hashable {
    /// The model's name at the endpoint.
    public var model: String
    /// The chat so far; the last message is the one to answer.
    public var messages: [ChatMessage]
    /// The sampling temperature: 0 always takes the most likely token; higher values are more random.
    public var temperature: Double?
    /// The top-p of sampling, 0...1: samples from the most likely tokens that together have this probability.
    public var topP: Double?
    /// The maximum number of reply tokens, with reasoning; sent as `max_completion_tokens`.
    public var maxCompletionTokens: Int?
    /// The same limit under its older name, `max_tokens`, for endpoints that support only that one.
    public var maxTokens: Int?
    /// A penalty that grows with each occurrence of a token, -2...2.
    public var frequencyPenalty: Double?
    /// A penalty for tokens that have occurred, -2...2.
    public var presencePenalty: Double?
    /// Texts that end the reply.
    public var stop: [String]?
    /// A value without effect, because requests are always streamed.
    public var stream: Bool
    /// The top-k of sampling: samples from this many of the most likely tokens.
    public var topK: Int?
    /// The repetition penalty: 1 is none; higher values make repeated tokens less likely.
    public var repetitionPenalty: Double?
    /// The min-p of sampling, 0...1: excludes tokens less likely than this fraction of the most likely token.
    public var minP: Double?
    /// The top-a of sampling, 0...1: excludes tokens below this fraction of the most likely token's squared
    /// probability.
    public var topA: Double?
    /// The changes that OpenRouter makes to prompts, such as `middle-out`.
    public var transforms: [String]?
    /// Models that OpenRouter tries if the first is not available.
    public var models: [String]?
    /// The method by which OpenRouter chooses among ``models``, such as `fallback`.
    public var route: String?
    /// The providers that OpenRouter may use.
    public var provider: ProviderPreferences?
    /// A JSON object whose members are added to the request, such as `tools` and `response_format`.
    ///
    /// They take precedence over the properties above, except `stream`.
    public var extras: String?

    /// Creates a request.
    public init(
        model: String, messages: [ChatMessage], temperature: Double? = nil, topP: Double? = nil,
        maxCompletionTokens: Int? = nil, maxTokens: Int? = nil, frequencyPenalty: Double? = nil,
        presencePenalty: Double? = nil, stop: [String]? = nil, stream: Bool = true, topK: Int? = nil,
        repetitionPenalty: Double? = nil, minP: Double? = nil, topA: Double? = nil, transforms: [String]? = nil,
        models: [String]? = nil, route: String? = nil, provider: ProviderPreferences? = nil, extras: String? = nil
    ) {
        self.model = model
        self.messages = messages
        self.temperature = temperature
        self.topP = topP
        self.maxCompletionTokens = maxCompletionTokens
        self.maxTokens = maxTokens
        self.frequencyPenalty = frequencyPenalty
        self.presencePenalty = presencePenalty
        self.stop = stop
        self.stream = stream
        self.topK = topK
        self.repetitionPenalty = repetitionPenalty
        self.minP = minP
        self.topA = topA
        self.transforms = transforms
        self.models = models
        self.route = route
        self.provider = provider
        self.extras = extras
    }
}

/// The providers that OpenRouter may use for a request.
public struct ProviderPreferences: Sendable, Hashable {
    /// Providers in the order in which they are tried.
    public var order: [String]?
    /// True if other providers are tried when those in ``order`` fail.
    public var allowFallbacks: Bool?
    /// The only providers to use.
    public var only: [String]?
    /// Providers not to use.
    public var ignore: [String]?

    /// Makes preferences.
    public init(
        order: [String]? = nil, allowFallbacks: Bool? = nil, only: [String]? = nil, ignore: [String]? = nil
    ) {
        self.order = order
        self.allowFallbacks = allowFallbacks
        self.only = only
        self.ignore = ignore
    }

    var json: JSONValue {
        var object: JSONObject = [:]
        object["order"] = order.map(JSONValue.strings)
        object["allow_fallbacks"] = allowFallbacks.map { .bool($0) }
        object["only"] = only.map(JSONValue.strings)
        object["ignore"] = ignore.map(JSONValue.strings)
        return .object(object)
    }
}

extension ChatCompletionRequest {
    /// The request as it is sent.
    ///
    /// - Throws: ``OpenAiClientError`` with ``OpenAiClientError/Code/invalidRequest`` where it cannot be sent.
    package func document() throws(OpenAiClientError) -> JSONObject {
        for (name, value) in [
            ("temperature", temperature), ("topP", topP), ("frequencyPenalty", frequencyPenalty),
            ("presencePenalty", presencePenalty), ("repetitionPenalty", repetitionPenalty), ("minP", minP),
            ("topA", topA),
        ] where value?.isFinite == false {
            throw OpenAiClientError(.invalidRequest, "\(name) is not a finite number")
        }
        var object: JSONObject = [
            OpenAI.Key.model: .string(model), OpenAI.Key.messages: .array(messages.map { .object($0.document) }),
        ]
        object[OpenAI.Key.temperature] = temperature.map { .double($0) }
        object[OpenAI.Key.topP] = topP.map { .double($0) }
        object[OpenAI.Key.maxCompletionTokens] = maxCompletionTokens.map { .integer(Int64($0)) }
        object[OpenAI.Key.maxTokens] = maxTokens.map { .integer(Int64($0)) }
        object[OpenAI.Key.frequencyPenalty] = frequencyPenalty.map { .double($0) }
        object[OpenAI.Key.presencePenalty] = presencePenalty.map { .double($0) }
        object[OpenAI.Key.stop] = stop.map(JSONValue.strings)
        object[OpenAI.Key.topK] = topK.map { .integer(Int64($0)) }
        object[OpenAI.Key.repetitionPenalty] = repetitionPenalty.map { .double($0) }
        object[OpenAI.Key.minP] = minP.map { .double($0) }
        object["top_a"] = topA.map { .double($0) }
        object["transforms"] = transforms.map(JSONValue.strings)
        object["models"] = models.map(JSONValue.strings)
        object["route"] = route.map { .string($0) }
        object["provider"] = provider?.json
        if let extras {
            let value = try JSONText.value(extras, "extras")
            guard let members = value.object?.members else {
                throw OpenAiClientError(.invalidRequest, "extras is \(value.kind); expected a JSON object")
            }
            for (key, value) in members { object[key] = value }
        }
        return object
    }
}

extension JSONValue {
    fileprivate static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
