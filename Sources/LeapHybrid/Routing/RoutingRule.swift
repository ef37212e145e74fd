public import LeapCore

/// The side on which a reply is generated.
public enum ModelSide: String, Sendable, Hashable, Codable, CaseIterable {
    /// On this device.
    case device
    /// At an endpoint.
    case cloud

    /// The other side.
    public var other: ModelSide { self == .device ? .cloud : .device }
}

/// The reply that a rule chooses a side for.
public struct RoutingRequest: Sendable {
    /// The messages; the last one is the one to answer.
    public let messages: [ChatMessage]
    /// The functions that the model can call.
    public let functions: [LeapFunction]
    /// The options when the generation started.
    public let options: GenerationOptions
    /// The device's runner.
    public let device: any ModelRunner
    /// The endpoint's runner.
    public let cloud: any ModelRunner

    /// Returns the number of prompt tokens, as counted by the device's model; renders and tokenizes the prompt.
    ///
    /// - Returns: nil if the device cannot count them: its model does not read a part of the messages, or it is
    ///   unloaded.
    public func promptTokens() -> Int? {
        let count = try? device.promptTokenCount(messages: messages, functions: functions, addBosToken: true)
        return count
    }
}

/// A rule that chooses the side for a reply.
public struct RoutingRule: Sendable {
    /// A stable, short name for ``HybridRoute/reason``.
    public let name: String
    private let choose: @Sendable (RoutingRequest) async -> ModelSide?

    /// Creates a custom rule.
    ///
    /// - Parameters:
    ///   - name: a stable, short name for ``HybridRoute/reason``.
    ///   - choose: returns the side, or nil to leave the choice to the next rule.
    public init(_ name: String, choose: @escaping @Sendable (RoutingRequest) async -> ModelSide?) {
        self.name = name
        self.choose = choose
    }

    /// Sends longer prompts to a side.
    ///
    /// - Parameters:
    ///   - limit: the number of tokens, as counted by the device's model; a prompt that it cannot count is longer.
    ///   - side: the side for longer prompts.
    public static func promptTokens(over limit: Int, to side: ModelSide = .cloud) -> RoutingRule {
        RoutingRule("promptTokens") { request in (request.promptTokens() ?? .max) > limit ? side : nil }
    }

    /// Sends prompts to the cloud if they and the reply's `maxTokens` do not fit into the device's context.
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

/// The route of a reply: the side that generated it, and the reason.
public struct HybridRoute: Sendable {
    /// The side that generated the reply.
    public let side: ModelSide
    /// The name of the rule that chose; `otherwise` if none did, or `fallback` after the other side failed.
    public let reason: String
    /// The error of the other side, after a fallback; nil without one.
    public let failure: (any Error)?
}
