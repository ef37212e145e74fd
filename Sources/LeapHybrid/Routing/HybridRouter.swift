import LeapBase
public import LeapCore

/// A `ModelRunner` over two others: one on the device and one behind an endpoint.
///
/// ```swift
/// let cloud = CloudModelRunner(model: "gpt-4o-mini", config: OpenAiClientConfig(apiKey: key, maxRetries: 0))
/// let router = HybridRouter(device: device, cloud: cloud, rules: [.contextSize, .functions(to: .cloud)])
/// let conversation = router.createConversation(systemPrompt: "Answer briefly.")
/// ```
/// A conversation has one history, whichever side answers; each side is told all of it. Before each reply the rules
/// choose a side. Where that side fails before the first piece, the other one answers instead; after it the error is
/// the app's, as what was delivered cannot be taken back. ``LeapCore/Conversation/lastRoute`` tells which side
/// answered.
///
/// Messages go to the endpoint only when the rules choose it, or the device fails and ``fallsBack`` has
/// ``ModelSide/cloud``.
public final class HybridRouter: ModelRunner {
    /// The runner on the device.
    public let device: any ModelRunner
    /// The runner behind an endpoint, ``CloudModelRunner`` for instance.
    public let cloud: any ModelRunner
    /// The rules, which are asked in turn until one chooses a side.
    public let rules: [RoutingRule]
    /// The side where no rule chooses one.
    public let otherwise: ModelSide
    /// The sides that answer where the other one fails.
    public let fallsBack: Set<ModelSide>

    /// Makes a router.
    ///
    /// - Parameters:
    ///   - device: the runner on the device.
    ///   - cloud: the runner behind an endpoint.
    ///   - rules: asked in turn until one has something to say.
    ///   - otherwise: the side where no rule has.
    ///   - fallsBack: the sides that answer where the other one fails; without ``ModelSide/cloud``, no failure of the
    ///     device sends messages to the endpoint.
    public init(
        device: any ModelRunner, cloud: any ModelRunner, rules: [RoutingRule] = [.contextSize],
        otherwise: ModelSide = .device, fallsBack: Set<ModelSide> = [.device, .cloud]
    ) {
        self.device = device
        self.cloud = cloud
        self.rules = rules
        self.otherwise = otherwise
        self.fallsBack = fallsBack
    }

    /// The names of both models.
    public var modelId: String { "\(device.modelId)+\(cloud.modelId)" }
    /// The larger of both contexts; 0 where one is not known.
    public var contextSize: Int {
        let sizes = [device.contextSize, cloud.contextSize]
        return sizes.contains(0) ? 0 : max(sizes[0], sizes[1])
    }
    /// The figures of what was computed on the device; ``cloud`` has its own.
    public var statistics: ModelStatistics { device.statistics }
    /// The device's adapters.
    public var adapters: [ModelAdapter] { device.adapters }

    /// Begins a conversation; see `ModelRunner.createConversation(systemPrompt:)`.
    public func createConversation(systemPrompt: String?) -> any Conversation {
        SourcedConversation(replies: HybridSource(self), systemPrompt: systemPrompt)
    }

    /// Goes on with a conversation, of either side or of another router; see
    /// `ModelRunner.createConversationFromHistory(history:)`.
    public func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        SourcedConversation(replies: HybridSource(self), history: history)
    }

    /// Generates the reply to a conversation's history as it is; see
    /// `ModelRunner.generateResponse(conversation:generationOptions:onResponseCallback:onErrorCallback:)`.
    @discardableResult
    public func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponseStream.Element) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        SourcedConversation.generate(
            conversation, by: self, options: generationOptions, onResponse: onResponseCallback,
            onError: onErrorCallback)
    }

    /// Unloads both runners.
    public func unload() async {
        await device.unload()
        await cloud.unload()
    }

    /// The tokens that a generation on the device would begin with.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int {
        await device.getPromptTokensSize(messages: messages, addBosToken: addBosToken)
    }

    /// The tokens that a generation on the device would begin with, or why they cannot be counted.
    public func promptTokenCount(
        messages: [ChatMessage], functions: [LeapFunction], addBosToken: Bool
    ) throws -> Int {
        try device.promptTokenCount(messages: messages, functions: functions, addBosToken: addBosToken)
    }

    func runner(of side: ModelSide) -> any ModelRunner { side == .device ? device : cloud }
}

extension Conversation {
    /// The route of the last reply of a ``HybridRouter``'s conversation, from its first piece on; nil before, and for
    /// other conversations.
    public var lastRoute: HybridRoute? { ((self as? SourcedConversation)?.replies as? HybridSource)?.lastRoute }
}
