import LeapCore
import LeapJSON
public import Observation

/// The state of a screen that shows a value while a model fills it in.
///
/// ```swift
/// let store = StructuredReplyStore<Recipe>(conversation: runner.createConversation())
/// store.generate("A recipe for pancakes.")
/// ```
/// `StructuredReplyView` shows it in SwiftUI. A type with `@Generatable` has the properties that ``fields`` shows.
@MainActor
@Observable
public final class StructuredReplyStore<Value: GeneratableType & Decodable & Sendable> {
    /// The members that are there so far, in the order of the model.
    public private(set) var fields: [StructuredField] = []
    /// The complete value; nil before.
    public private(set) var value: Value?
    /// True if the value is being generated.
    public private(set) var isReplying = false
    /// The problem that ended the generation; nil if there is none.
    public private(set) var problem: ConversationProblem?
    /// The options of the generation; nil for those of the model.
    public var generationOptions: GenerationOptions?

    @ObservationIgnored private let conversation: any Conversation
    @ObservationIgnored private var message: ChatMessage?
    /// The task of the generation that is under way, or of the last one; its value is there when that has ended.
    @ObservationIgnored public private(set) var reply: Task<Void, Never>?

    /// Creates the state over a conversation, which keeps the messages.
    public init(conversation: any Conversation, generationOptions: GenerationOptions? = nil) {
        self.conversation = conversation
        self.generationOptions = generationOptions
    }

    /// Asks for a value; does nothing while one is being generated.
    public func generate(_ text: String) { generate(ChatMessage(role: .user, textContent: text)) }

    /// Asks for a value with a message, which may have pictures; does nothing while one is being generated.
    public func generate(_ message: ChatMessage) {
        guard !isReplying else { return }
        self.message = message
        (fields, value, problem, isReplying) = ([], nil, nil, true)
        reply = Task {
            await (conversation as? SourcedConversation)?.whenIdle()
            await run(message)
            isReplying = false
        }
    }

    /// True if ``retry()`` would ask again.
    public var canRetry: Bool { !isReplying && message != nil }

    /// Asks again with the last message.
    public func retry() {
        if let message { generate(message) }
    }

    /// Stops the generation within one token; the fields that are there stay.
    public func stop() { reply?.cancel() }

    private func run(_ message: ChatMessage) async {
        let count = conversation.history.count
        let options = (generationOptions ?? GenerationOptions()).with(whileGenerating: .fail)
        do {
            try await Self.read(conversation, message, options) { [weak self] piece in
                switch piece {
                case .partial(let partial): self?.show(partial.json)
                case .complete(let complete): self?.value = complete
                }
            }
            try Task.checkCancellation()
            // The last pieces of the text may close what was open.
            if let reply = conversation.history.last, reply.role == .assistant { show(reply.text) }
        } catch {
            if !Task.isCancelled { problem = ConversationProblem(error) }
            // A message without a value is asked again, not beside its own repetition.
            await (conversation as? SourcedConversation)?.whenIdle()
            while conversation.history.count > count {
                let before = conversation.history.count
                conversation.removeLastMessage()
                guard conversation.history.count < before else { break }
            }
        }
    }

    /// Reads the pieces apart from the main actor, which only the pieces reach.
    private nonisolated static func read(
        _ conversation: any Conversation, _ message: ChatMessage, _ options: GenerationOptions,
        _ show: @MainActor @Sendable (GeneratedValue<Value>) -> Void
    ) async throws {
        for try await piece in conversation.generateValues(Value.self, message: message, generationOptions: options) {
            await show(piece)
        }
    }

    private func show(_ json: String) {
        guard let value = try? JSONParser.parse(json) else { return }
        fields = StructuredField.fields(of: value)
    }
}
