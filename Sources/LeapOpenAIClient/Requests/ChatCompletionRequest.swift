package import LeapJSON
import LeapOpenAIFormat

/// A request for the next message of a chat.
///
/// What is nil is left out, so that the endpoint's default holds. Endpoints differ in what they know: ``topK``,
/// ``repetitionPenalty`` and ``minP`` are taken by OpenRouter, vLLM, llama.cpp's server and `leap serve`; ``topA`` and
/// what follows it by OpenRouter.
public struct ChatCompletionRequest: Sendable, Hashable {
    /// The model's name at the endpoint.
    public var model: String
    /// The chat so far, the message to answer last.
    public var messages: [ChatMessage]
    /// 0 for always the likeliest token; higher is more random.
    public var temperature: Double?
    /// Tokens are drawn from the likeliest ones that together have this probability, 0...1.
    public var topP: Double?
    /// The reply has this many tokens at most, reasoning included; sent as `max_completion_tokens`.
    public var maxCompletionTokens: Int?
    /// The same limit by its older name, `max_tokens`, for endpoints that know only that one.
    public var maxTokens: Int?
    /// Makes tokens less likely with each occurrence, -2...2.
    public var frequencyPenalty: Double?
    /// Makes tokens less likely that occurred, -2...2.
    public var presencePenalty: Double?
    /// Texts that end the reply.
    public var stop: [String]?
    /// A value without effect, as requests are always streamed.
    public var stream: Bool
    /// Tokens are drawn from this many of the likeliest.
    public var topK: Int?
    /// 1 for none; higher makes tokens that were there already less likely.
    public var repetitionPenalty: Double?
    /// Tokens less likely than this share of the likeliest one are left out, 0...1.
    public var minP: Double?
    /// A share of the likeliest token's squared probability, below which tokens are left out, 0...1.
    public var topA: Double?
    /// The changes that OpenRouter makes to prompts, such as `middle-out`.
    public var transforms: [String]?
    /// Models that OpenRouter tries when the first is not available.
    public var models: [String]?
    /// The way in which OpenRouter chooses among ``models``, such as `fallback`.
    public var route: String?
    /// The providers that OpenRouter may use.
    public var provider: ProviderPreferences?
    /// A JSON object whose members join the request, such as `tools` and `response_format`; they win over the
    /// properties above, but for `stream`.
    public var extras: String?

    /// Makes a request.
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
    /// True if other providers are tried when those of ``order`` fail.
    public var allowFallbacks: Bool?
    /// The only providers that are used.
    public var only: [String]?
    /// Providers that are not used.
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
