#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(FoundationModels, _version: 2))
    import Foundation
    import LeapBase
    import LeapCore
    import LeapJSON

    /// The models that sessions have loaded, one for each configuration.
    @available(macOS 27.0, iOS 27.0, visionOS 27.0, watchOS 27.0, *)
    final class LoadedModels: Sendable {
        static let shared = LoadedModels()

        private let models = Locked<[LeapLanguageModelExecutor.Configuration: LoadedModel]>([:])

        /// The model of a configuration, loaded or not.
        func model(for configuration: LeapLanguageModelExecutor.Configuration) -> LoadedModel {
            models.withLock { models in
                if let model = models[configuration] { return model }
                let model = LoadedModel(configuration)
                models[configuration] = model
                return model
            }
        }

        /// Unloads all.
        func release() async {
            for model in models.withLock({ Array($0.values) }) { await model.release() }
        }
    }

    /// A model in memory, or on its way there.
    @available(macOS 27.0, iOS 27.0, visionOS 27.0, watchOS 27.0, *)
    final class LoadedModel: Sendable {
        private struct State {
            var loading: Task<any ModelRunner, any Error>?
            /// Counts loads, so that a load that failed does not discard a later one.
            var loads = 0
            var prewarming: Task<Void, Never>?
            var replies = ReplyMemory()
            var conversations: [Kept] = []
        }

        /// A conversation to go on with, and its messages as a transcript tells them.
        private struct Kept {
            let messages: [ChatMessage]
            let conversation: any Conversation
        }

        /// Conversations that are kept; what others computed is in the cache.
        private static let conversationLimit = 4

        private let configuration: LeapLanguageModelExecutor.Configuration
        private let state = Locked(State())

        init(_ configuration: LeapLanguageModelExecutor.Configuration) { self.configuration = configuration }

        /// The runner, which the first call loads.
        ///
        /// A load that failed is tried again.
        func runner() async throws -> any ModelRunner {
            let configuration = configuration
            let (task, load) = state.withLock { state in
                if let task = state.loading { return (task, state.loads) }
                let task = Task { try await Leap.load(url: configuration.url, options: configuration.loadOptions) }
                state.loading = task
                state.loads += 1
                return (task, state.loads)
            }
            do {
                return try await task.value
            } catch {
                state.withLock { if $0.loads == load { $0.loading = nil } }
                throw error
            }
        }

        /// Begins work that the next request waits for, after what was begun before.
        func prewarm(_ work: @escaping @Sendable () async -> Void) {
            state.withLock { state in
                let previous = state.prewarming
                state.prewarming = Task {
                    await previous?.value
                    await work()
                }
            }
        }

        /// Waits for the work that was begun.
        func prewarmed() async { await state.withLock { $0.prewarming }?.value }

        /// Notes how the model wrote a reply.
        func remember(_ reply: ChatMessage, origin: ChatMessage) {
            state.withLock { $0.replies.remember(reply, origin) }
        }

        /// The messages, with replies of this model as it wrote them.
        func recall(_ messages: [ChatMessage]) -> [ChatMessage] {
            state.withLock { state in messages.map { state.replies.recall($0) } }
        }

        /// A conversation with these messages and functions: one that was kept, or a new one.
        ///
        /// A kept one knows the very tokens of its replies, which their text can also be made of otherwise.
        func conversation(
            of messages: [ChatMessage], functions: [LeapFunction], runner: any ModelRunner
        ) -> any Conversation {
            let kept = state.withLock { state -> Kept? in
                let index = state.conversations.lastIndex { kept in
                    kept.messages.count < messages.count && kept.conversation.modelRunner === runner
                        && kept.conversation.functions == functions
                        && zip(kept.messages, messages).allSatisfy(ReplyMemory.areSame)
                }
                return index.map { state.conversations.remove(at: $0) }
            }
            if let kept {
                for message in messages.dropFirst(kept.messages.count) {
                    kept.conversation.appendToHistory(message: message)
                }
                // One whose model was unloaded takes no message; the new conversation tells why.
                if kept.conversation.history.count == messages.count { return kept.conversation }
            }
            let conversation = runner.createConversationFromHistory(history: recall(messages))
            conversation.registerFunctions(functions)
            return conversation
        }

        /// Keeps a conversation whose last reply ended.
        func keep(_ conversation: any Conversation, messages: [ChatMessage]) {
            state.withLock { state in
                state.conversations.append(Kept(messages: messages, conversation: conversation))
                if state.conversations.count > Self.conversationLimit { state.conversations.removeFirst() }
            }
        }

        /// Unloads the model, if it was loaded.
        func release() async {
            let task = state.withLock { state in
                defer {
                    state.loading = nil
                    state.conversations = []
                }
                return state.loading
            }
            if let task { try? await task.value.unload() }
        }
    }

    /// The last replies as a model wrote them.
    ///
    /// A transcript keeps what was parsed from a reply. A prompt that repeats the very characters goes on from the
    /// computed state.
    struct ReplyMemory: Sendable {
        /// The parts of a reply that a transcript keeps, however it spaces JSON.
        private struct Key: Hashable {
            let text: String
            let reasoning: String
            let calls: [String]

            init(_ message: ChatMessage) {
                text = Self.canonical(message.text)
                reasoning = message.reasoningContent ?? ""
                calls = (message.functionCalls ?? []).map {
                    "\($0.id ?? "") \($0.name) \(Self.canonical($0.argumentsJSON))"
                }
            }

            private static func canonical(_ text: String) -> String {
                guard text.hasPrefix("{") || text.hasPrefix("["), let value = try? JSONParser.parse(text) else {
                    return text
                }
                return JSONWriter.string(value, style: .sorted)
            }
        }

        /// Replies that are kept; a session goes back over its own only.
        static let limit = 1024

        private var origins: [Key: ReplyOrigin] = [:]
        private var order: [Key] = []

        /// Returns whether a transcript tells the same by both.
        static func areSame(_ a: ChatMessage, _ b: ChatMessage) -> Bool {
            guard a.role == .assistant, b.role == .assistant else { return a == b }
            return Key(a) == Key(b)
        }

        /// Notes how the model wrote a reply.
        mutating func remember(_ reply: ChatMessage, _ written: ChatMessage) {
            guard let origin = written.origin else { return }
            let key = Key(reply)
            if origins.updateValue(origin, forKey: key) == nil { order.append(key) }
            if order.count > Self.limit { origins[order.removeFirst()] = nil }
        }

        /// The message as the model wrote it, if this is one of its replies.
        func recall(_ message: ChatMessage) -> ChatMessage {
            guard message.role == .assistant, let origin = origins[Key(message)] else { return message }
            var message = message
            message.origin = origin
            return message
        }
    }
#endif
