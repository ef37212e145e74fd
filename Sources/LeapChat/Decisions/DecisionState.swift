package import LeapJSON

/// The text, value or conversation that questions are about; see ``Question``.
///
/// Control tokens that it spells count as text.
public struct DecisionState: Sendable, Hashable {
    /// The kinds of states.
    package enum Content: Sendable, Hashable {
        case none
        case text(String)
        case json(JSONValue)
        case messages([ChatMessage])
    }

    package var content: Content
    /// Pictures and sounds that belong to the state, besides those of messages.
    package var media: [ChatMessageContent]

    package init(_ content: Content, media: [ChatMessageContent] = []) {
        self.content = content
        self.media = media
    }

    /// The state of questions that need none.
    public static let none = DecisionState(Content.none)

    /// Creates a state from plain text.
    public static func text(_ text: String) -> DecisionState { DecisionState(.text(text)) }

    /// Creates a state from a value, whose JSON the model reads.
    ///
    /// - Throws: what the value throws when it is encoded.
    public static func json(_ value: some Encodable) throws -> DecisionState {
        DecisionState(.json(try JSONValue(encoding: value)))
    }

    /// Creates a state from JSON text.
    ///
    /// - Throws: ``LeapDecisionException`` that names the place if the text is not JSON.
    public static func json(text: String) throws -> DecisionState {
        do {
            return DecisionState(.json(try JSONParser.parse(text)))
        } catch {
            throw LeapDecisionException(field: "state", "is not JSON: \(error)")
        }
    }

    /// Creates a state from a conversation.
    public static func messages(_ messages: [ChatMessage]) -> DecisionState { DecisionState(.messages(messages)) }

    /// Returns the state with pictures, or with one sound, which the model reads before it.
    ///
    /// Models that do so say it in ``DecisionCapabilities/readsPictures`` and ``DecisionCapabilities/readsSounds``.
    ///
    /// - Parameter media: parts of the kinds ``ChatMessageContent/image(_:)`` or ``ChatMessageContent/audio(_:)``; they
    ///   follow those that the state has.
    public func with(_ media: [ChatMessageContent]) -> DecisionState {
        DecisionState(content, media: self.media + media)
    }
}

extension DecisionState {
    /// The pictures, sounds and videos that belong to it, those of messages first.
    package var mediaParts: [ChatMessageContent] {
        guard case .messages(let messages) = content else { return media }
        return messages.flatMap { $0.content.filter { $0.medium != nil } } + media
    }

    /// The state as prompts have it, without pictures, sounds and videos.
    package var value: JSONValue {
        switch content {
        case .none: .null
        case .text(let text): .string(text)
        case .json(let value): value
        case .messages(let messages):
            .array(
                messages.map { message in
                    var message = message
                    if message.content.contains(where: { $0.medium != nil }) {
                        message.content.removeAll { $0.medium != nil }
                    }
                    return message.json
                })
        }
    }
}

extension DecisionState: ExpressibleByStringLiteral {
    /// Creates a state from plain text.
    public init(stringLiteral value: String) { self.init(.text(value)) }
}
