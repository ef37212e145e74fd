import LeapBase
public import LeapCore

/// A `ModelRunner` that uses two others: one on the device and one at an endpoint.
///
/// ```swift
/// let cloud = CloudModelRunner(model: "gpt-4o-mini", config: OpenAiClientConfig(apiKey: key, maxRetries: 0))
/// let router = HybridRouter(device: device, cloud: cloud, rules: [.contextSize, .functions(to: .cloud)])
/// let conversation = router.createConversation(systemPrompt: "Answer briefly.")
/// ```
/// A conversation has one history, and each side receives all of it. Before each reply, the rules choose a side. If
/// that side fails before the first piece, the other one answers instead. A later error goes to the app, because
/// delivered pieces cannot be taken back. ``LeapCore/Conversation/lastRoute`` says which side answered.
///
/// Messages go to the endpoint only if the rules choose it, or if the device fails and ``fallsBack`` contains
/// ``ModelSide/cloud``.
public final class HybridRouter: ModelRunner {
    /// The runner on the device.
    public let device: any ModelRunner
    /// The runner at an endpoint, for example a ``CloudModelRunner``.
    public let cloud: any ModelRunner
    /// The rules, applied in order until one chooses a side.
    public let rules: [RoutingRule]
    /// The side if no rule chooses one.
    public let otherwise: ModelSide
    /// The sides that answer if the other one fails.
    public let fallsBack: Set<ModelSide>

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - device: the runner on the device.
    ///   - cloud: the runner at an endpoint.
    ///   - rules: the rules, applied in order until one chooses a side.
    ///   - otherwise: the side if no rule chooses one.
    ///   - fallsBack: the sides that answer if the other one fails. Without ``ModelSide/cloud``, no failure of the
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
    /// The larger of both context sizes; 0 if one is unknown.
    public var contextSize: Int {
        let sizes = [device.contextSize, cloud.contextSize]
        return sizes.contains(0) ? 0 : max(sizes[0], sizes[1])
    }
    /// The statistics of the device; ``cloud`` has its own.
    public var statistics: ModelStatistics { device.statistics }
    /// The device's adapters.
    public var adapters: [ModelAdapter] { device.adapters }

    /// Creates a conversation; see `ModelRunner.createConversation(systemPrompt:)`.
    public func createConversation(systemPrompt: String?) -> any Conversation {
        SourcedConversation(replies: HybridSource(self), systemPrompt: systemPrompt)
    }

    /// Continues a conversation of either side or of another router.
    ///
    /// See `ModelRunner.createConversationFromHistory(history:)`.
    public func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        SourcedConversation(replies: HybridSource(self), history: history)
    }

    /// Generates the reply to a conversation's current history.
    ///
    /// See `ModelRunner.generateResponse(conversation:generationOptions:onResponseCallback:onErrorCallback:)`.
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

    /// Returns the number of prompt tokens of a generation on the device.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int {
        await device.getPromptTokensSize(messages: messages, addBosToken: addBosToken)
    }

    /// Returns the number of prompt tokens of a generation on the device, or throws if they cannot be counted.
    public func promptTokenCount(
        messages: [ChatMessage], functions: [LeapFunction], addBosToken: Bool
    ) throws -> Int {
        try device.promptTokenCount(messages: messages, functions: functions, addBosToken: addBosToken)
    }

    func runner(of side: ModelSide) -> any ModelRunner { side == .device ? device : cloud }
}

extension Conversation {
    /// The route of the latest reply in a conversation of a ``HybridRouter``, from its first piece on.
    ///
    /// It is nil before the first reply, and for other conversations.
    public var lastRoute: HybridRoute? { ((self as? SourcedConversation)?.replies as? HybridSource)?.lastRoute }
}
