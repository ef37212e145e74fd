public import Foundation
import LeapBase
public import LeapChat

/// A reply that goes on when the app leaves the foreground, for as long as the system allows it.
///
/// When the system takes the time back, the reply is suspended behind its latest token, and the conversation is saved.
/// ``resume(generationOptions:onResponse:)`` continues it from that token: on the same object when the app returns, or
/// on the restored conversation when the app was terminated.
///
/// ```swift
/// let reply = BackgroundReply(conversation, savingTo: file, task: task)
/// let ending = try await reply.generate(message: message) { response in show(response) }
/// if case .suspended = ending { saveForLater(file) }
/// ```
public final class BackgroundReply: Sendable {
    /// The end of a reply.
    public enum Ending: Sendable {
        /// The reply ended with this completion; the conversation was not saved.
        case completed(MessageCompletion)
        /// The reply was suspended, and the conversation is in the file.
        case suspended(SuspensionReason, savedTo: URL)
    }

    /// The reason why a reply was suspended.
    public enum SuspensionReason: String, Sendable, Hashable, Codable {
        /// The system took the time back, or the user cancelled the task in the system's interface.
        case backgroundTimeExpired
    }

    /// The states of a reply.
    private enum State {
        /// No reply is generated.
        case idle
        /// A reply is generated, with the system's permission or in the foreground only.
        case generating
        /// The system has taken the time back, and the model is about to stop.
        case expiring
    }

    /// The conversation with the reply.
    public let conversation: any Conversation
    /// The file for the conversation, if the reply is suspended.
    public let url: URL
    private let task: any BackgroundTask
    private let state = Locked(State.idle)

    /// Prepares a reply.
    ///
    /// - Parameters:
    ///   - conversation: the conversation.
    ///   - url: the file for the conversation, if the reply is suspended; an existing file is replaced.
    ///   - task: the system's task. If the system refuses it, the reply is generated all the same, and the log says so;
    ///     it then stands still while the app is suspended.
    public init(_ conversation: any Conversation, savingTo url: URL, task: any BackgroundTask) {
        self.conversation = conversation
        self.url = url
        self.task = task
    }

    /// Adds a message and generates the reply.
    ///
    /// - Parameters:
    ///   - message: the message to answer.
    ///   - generationOptions: the options; use the same ones to resume.
    ///   - onResponse: called with each piece of the reply and with its completion, in order.
    /// - Returns: how the reply ended.
    /// - Throws: as ``Conversation/generateResponse(message:generationOptions:)`` and ``Conversation/save(to:)``.
    ///   ``LeapGenerationException`` if this object generates a reply already.
    public func generate(
        message: ChatMessage, generationOptions: GenerationOptions? = nil,
        onResponse: @Sendable (MessageResponseStream.Element) async -> Void = { _ in }
    ) async throws -> Ending {
        try await run(generationOptions, onResponse) {
            conversation.generateResponse(message: message, generationOptions: generationOptions)
        }
    }

    /// Continues the reply that was suspended; the whole reply is delivered again.
    ///
    /// - Parameters:
    ///   - generationOptions: the options of the suspended reply.
    ///   - onResponse: called with each piece of the reply and with its completion, in order.
    /// - Returns: how the reply ended.
    /// - Throws: as ``Conversation/resumeResponse(generationOptions:)`` and ``Conversation/save(to:)``.
    ///   ``LeapGenerationException`` if this object generates a reply already.
    public func resume(
        generationOptions: GenerationOptions? = nil,
        onResponse: @Sendable (MessageResponseStream.Element) async -> Void = { _ in }
    ) async throws -> Ending {
        try await run(generationOptions, onResponse) {
            conversation.resumeResponse(generationOptions: generationOptions)
        }
    }

    private func run(
        _ options: GenerationOptions?, _ onResponse: @Sendable (MessageResponseStream.Element) async -> Void,
        _ start: () -> MessageResponseStream
    ) async throws -> Ending {
        let isFree = state.withLock { state in
            guard case .idle = state else { return false }
            state = .generating
            return true
        }
        guard isFree else { throw GenerationFailure.busy }
        defer { state.withLock { $0 = .idle } }
        let hasTask = begin()
        do {
            let completion = try await deliver(start(), options, onResponse, hasTask: hasTask)
            let ending = try await conclude(completion)
            if hasTask { task.end(success: ending.isComplete) }
            return ending
        } catch {
            if hasTask { task.end(success: false) }
            throw error
        }
    }

    /// Asks for the system's permission; false where it is refused.
    private func begin() -> Bool {
        do {
            try task.begin { [weak self] in self?.expire() }
            return true
        } catch {
            LeapLog.logger.notice("the system gives no time in the background: \(error)")
            return false
        }
    }

    /// Suspends the reply, because the system takes the time back.
    private func expire() {
        let isGenerating = state.withLock { state in
            guard case .generating = state else { return false }
            state = .expiring
            return true
        }
        guard isGenerating else { return }
        Task { await conversation.suspendResponse() }
    }

    private func deliver(
        _ stream: MessageResponseStream, _ options: GenerationOptions?,
        _ onResponse: @Sendable (MessageResponseStream.Element) async -> Void, hasTask: Bool
    ) async throws -> MessageCompletion? {
        let total = options?.maxTokens.map { Int($0) } ?? conversation.modelRunner.contextSize
        var completed = 0
        var completion: MessageCompletion?
        // The time may have been taken back before there was a reply to suspend.
        if case .expiring = state.withLock({ $0 }) { await conversation.suspendResponse() }
        for try await response in stream {
            if case .complete(let value)? = try? MessagePiece(response) { completion = value }
            await onResponse(response)
            completed += 1
            if hasTask { task.update(completed: completed, of: max(total, completed)) }
            if case .expiring = state.withLock({ $0 }) {
                await conversation.suspendResponse()
                // A conversation that suspends nothing is stopped: leaving the loop ends its reply.
                if conversation.isGenerating { break }
            }
        }
        return completion
    }

    private func conclude(_ completion: MessageCompletion?) async throws -> Ending {
        let isExpiring = if case .expiring = state.withLock({ $0 }) { true } else { false }
        if let completion, !isExpiring || completion.finishReason != .interrupted { return .completed(completion) }
        // Without an end and in time, another reply of the conversation was in progress.
        guard isExpiring else { throw GenerationFailure.busy }
        _ = try await conversation.save(to: url)
        return .suspended(.backgroundTimeExpired, savedTo: url)
    }
}

extension BackgroundReply.Ending {
    /// True if the reply is complete.
    fileprivate var isComplete: Bool {
        switch self {
        case .completed: true
        case .suspended: false
        }
    }
}
