// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Synchronization

/// The channel to which an executor sends a reply; this stub keeps what was sent.
public final class LanguageModelExecutorGenerationChannel: Sendable {
    private let sent = Mutex<[Event]>([])

    public init() {}

    public func send(_ event: Event) async { sent.withLock { $0.append(event) } }

    /// Only of the stub: what was sent, in order.
    public var events: [Event] { sent.withLock { $0 } }

    public struct Event: Sendable {
        /// Only of the stub: Apple's cannot be read.
        public enum Content: Sendable {
            case response(Response.Action)
            case reasoning(Reasoning.Action)
            case toolCalls(ToolCalls.Action)
        }

        public let content: Content

        public static func response(entryID: String? = nil, action: Response.Action) -> Event {
            Event(content: .response(action))
        }
        public static func reasoning(entryID: String? = nil, action: Reasoning.Action) -> Event {
            Event(content: .reasoning(action))
        }
        public static func toolCalls(entryID: String? = nil, action: ToolCalls.Action) -> Event {
            Event(content: .toolCalls(action))
        }
    }

    public struct Usage: Sendable {
        public struct Input: Sendable {
            public let totalTokenCount: Int
            public let cachedTokenCount: Int
            public init(totalTokenCount: Int, cachedTokenCount: Int) {
                self.totalTokenCount = totalTokenCount
                self.cachedTokenCount = cachedTokenCount
            }
        }

        public struct Output: Sendable {
            public let totalTokenCount: Int
            public let reasoningTokenCount: Int
            public init(totalTokenCount: Int, reasoningTokenCount: Int) {
                self.totalTokenCount = totalTokenCount
                self.reasoningTokenCount = reasoningTokenCount
            }
        }
    }

    public enum Response {
        public enum Action: Sendable {
            case appendText(String, tokenCount: Int)
            case updateUsage(input: Usage.Input, output: Usage.Output)
        }
    }

    public enum Reasoning {
        public enum Action: Sendable {
            case appendText(String, tokenCount: Int)
        }
    }

    public enum ToolCalls {
        public enum Action: Sendable {
            case toolCall(id: String, name: String, action: ToolCall.Action)
            case updateUsage(input: Usage.Input, output: Usage.Output)
        }

        public enum ToolCall {
            public enum Action: Sendable {
                case appendArguments(String, tokenCount: Int)
            }
        }
    }
}
