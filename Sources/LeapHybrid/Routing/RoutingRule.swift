public import LeapCore

/// The side on which a reply is generated.
public enum ModelSide: String, Sendable, Hashable, Codable, CaseIterable {
    /// On this device.
    case device
    /// Behind an endpoint.
    case cloud

    /// The other one.
    public var other: ModelSide { self == .device ? .cloud : .device }
}

/// A reply to be generated, as rules see it.
public struct RoutingRequest: Sendable {
    /// The messages, the one to answer last.
    public let messages: [ChatMessage]
    /// The functions that the model may ask for.
    public let functions: [LeapFunction]
    /// The options as they were when the generation began.
    public let options: GenerationOptions
    /// The device's runner.
    public let device: any ModelRunner
    /// The endpoint's runner.
    public let cloud: any ModelRunner

    /// The tokens of the prompt, as the device's model counts them; it renders and tokenises the prompt.
    ///
    /// - Returns: nil where the device cannot count them: the messages have parts that its model does not read, or it
    ///   is unloaded.
    public func promptTokens() -> Int? {
        let count = try? device.promptTokenCount(messages: messages, functions: functions, addBosToken: true)
        return count
    }
}

/// Says where replies are generated.
public struct RoutingRule: Sendable {
    /// Stable and short; ``HybridRoute/reason`` has it.
    public let name: String
    private let choose: @Sendable (RoutingRequest) async -> ModelSide?

    /// Makes a rule of the app's own.
    ///
    /// - Parameters:
    ///   - name: stable and short, for ``HybridRoute/reason``.
    ///   - choose: the side, or nil where the rule has nothing to say and the next one is asked.
    public init(_ name: String, choose: @escaping @Sendable (RoutingRequest) async -> ModelSide?) {
        self.name = name
        self.choose = choose
    }

    /// Sends longer prompts to a side.
    ///
    /// - Parameters:
    ///   - limit: tokens as the device's model counts them; a prompt that it cannot count is longer.
    ///   - side: where the reply is generated then.
    public static func promptTokens(over limit: Int, to side: ModelSide = .cloud) -> RoutingRule {
        RoutingRule("promptTokens") { request in (request.promptTokens() ?? .max) > limit ? side : nil }
    }

    /// Sends prompts that do not fit into the device's context together with the reply's `maxTokens` to the cloud.
    public static var contextSize: RoutingRule {
        RoutingRule("contextSize") { request in
            guard request.device.contextSize > 0 else { return nil }
            let reply = max(1, Int(request.options.maxTokens ?? 1))
            return (request.promptTokens() ?? .max) > request.device.contextSize - reply ? .cloud : nil
        }
    }

    /// Sends conversations with functions to a side.
    public static func functions(to side: ModelSide) -> RoutingRule {
        RoutingRule("functions") { request in request.functions.isEmpty ? nil : side }
    }

    func side(for request: RoutingRequest) async -> ModelSide? { await choose(request) }
}

/// The route of a reply: the side on which it was generated, and the reason.
public struct HybridRoute: Sendable {
    /// The side on which it was generated.
    public let side: ModelSide
    /// The name of the rule that chose, `otherwise` where none did, or `fallback` after the other side failed.
    public let reason: String
    /// The error of the other side, after a fallback; nil where there was none.
    public let failure: (any Error)?
}
