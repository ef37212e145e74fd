import LeapBase
import LeapCore

/// Replies of whichever side the rules choose.
final class HybridSource: ReplySource {
    private let router: HybridRouter
    private let route = Locked<HybridRoute?>(nil)
    /// A conversation with each side, which keeps what it has computed; brought up to the shared history before it
    /// answers.
    private let conversations = Locked<[ModelSide: any Conversation]>([:])

    init(_ router: HybridRouter) { self.router = router }

    var runner: any ModelRunner { router }
    var lastRoute: HybridRoute? { route.withLock { $0 } }

    /// Each side says itself whether it can answer.
    func check() throws {}

    func replies(to request: ReplyRequest) -> AsyncThrowingStream<MessagePiece, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await self.generate(request) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func generate(_ request: ReplyRequest, yield: (MessagePiece) -> Void) async throws {
        let (side, reason) = await choose(request)
        var hasBegun = false
        do {
            try await generate(request, on: side) { response in
                if !hasBegun { note(HybridRoute(side: side, reason: reason, failure: nil)) }
                hasBegun = true
                yield(response)
            }
        } catch {
            guard !hasBegun, !(error is CancellationError), !Task.isCancelled, router.fallsBack.contains(side.other)
            else { throw error }
            PrintableLogger(label: "open-leap").notice(
                "the \(side.rawValue) failed and the \(side.other.rawValue) answers: \(error)")
            hasBegun = false
            try await generate(request, on: side.other) { response in
                if !hasBegun { note(HybridRoute(side: side.other, reason: "fallback", failure: error)) }
                hasBegun = true
                yield(response)
            }
        }
    }

    private func note(_ route: HybridRoute) { self.route.withLock { $0 = route } }

    private func choose(_ request: ReplyRequest) async -> (ModelSide, String) {
        let seen = RoutingRequest(
            messages: request.history, functions: request.functions, options: request.options, device: router.device,
            cloud: router.cloud)
        for rule in router.rules {
            if let side = await rule.side(for: seen) { return (side, rule.name) }
        }
        return (router.otherwise, "otherwise")
    }

    private func generate(
        _ request: ReplyRequest, on side: ModelSide, yield: (MessagePiece) -> Void
    ) async throws {
        // The last message begins the generation, so that the side takes it back where it fails.
        guard let last = request.history.last else { return }
        let before = Array(request.history.dropLast())
        let conversation = conversation(on: side, before, request.functions)
        let options = request.options
        options.whileGenerating = .fail
        for try await response in conversation.generateResponse(message: last, generationOptions: options).throwing {
            yield(response)
        }
        try Task.checkCancellation()
    }

    /// A conversation with a side that has a history and functions: the one from before if it can be brought there.
    private func conversation(
        on side: ModelSide, _ history: [ChatMessage], _ functions: [LeapFunction]
    ) -> any Conversation {
        conversations.withLock { conversations in
            if let known = conversations[side], known.functions == functions, Self.bring(known, to: history) {
                return known
            }
            let fresh = router.runner(of: side).createConversationFromHistory(history: history)
            fresh.registerFunctions(functions)
            conversations[side] = fresh
            return fresh
        }
    }

    /// Removes and adds messages until a conversation has a history.
    ///
    /// - Returns: whether it has.
    private static func bring(_ conversation: any Conversation, to history: [ChatMessage]) -> Bool {
        guard !conversation.isGenerating else { return false }
        let known = conversation.history
        let common = zip(known, history).prefix { $0 == $1 }.count
        var count = known.count
        while count > common {
            conversation.removeLastMessage()
            let left = conversation.history.count
            guard left < count else { return false }
            count = left
        }
        for message in history[min(count, history.count)...] { conversation.appendToHistory(message: message) }
        return conversation.history == history
    }
}
