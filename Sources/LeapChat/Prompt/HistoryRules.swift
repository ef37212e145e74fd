import Foundation

/// The kinds of parts that a model reads besides text.
package struct ReadableParts: Sendable {
    /// The reason why the model reads no pictures, and advice; nil where it reads them.
    package var imageProblem: String?
    /// The same for sound.
    package var audioProblem: String?
    /// The same for videos.
    package var videoProblem: String?

    package init(imageProblem: String? = nil, audioProblem: String? = nil, videoProblem: String? = nil) {
        self.imageProblem = imageProblem
        self.audioProblem = audioProblem
        self.videoProblem = videoProblem
    }

    /// Text only.
    package static let text = ReadableParts(
        imageProblem: "this model reads text only: use one that comes with a projector (mmproj)",
        audioProblem: "this model reads text only: use one that comes with an audio encoder (mmproj)",
        videoProblem: "this model reads text only: use one that reads video, with its projector (mmproj)")
    /// All that messages may hold, for prompts that nothing is computed of.
    package static let all = ReadableParts()
}

/// The rules that a history follows so that a model can go on from it.
package enum HistoryRules {
    /// Checks a history.
    ///
    /// - Parameter parts: what the model reads besides text.
    /// - Throws: ``LeapGenerationException`` that says which message is at fault and what to do.
    package static func validate(_ messages: [ChatMessage], parts: ReadableParts = .text) throws {
        var previous: ChatMessageRole?
        for (index, message) in messages.enumerated() {
            try validate(message, after: previous, index: index, parts: parts)
            previous = message.role
        }
    }

    /// Checks a message that follows one of a role.
    ///
    /// - Throws: ``LeapGenerationException`` that says what is at fault and what to do.
    private static func validate(
        _ message: ChatMessage, after previous: ChatMessageRole?, index: Int, parts: ReadableParts
    ) throws {
        try validateOrder(of: message, after: previous, index: index)
        for part in message.content {
            let (kind, problem): (String, String?)
            switch part {
            case .text: continue
            case .image: (kind, problem) = ("an image", parts.imageProblem)
            case .audio: (kind, problem) = ("audio", parts.audioProblem)
            case .video: (kind, problem) = ("a video", parts.videoProblem)
            }
            try validatePart(part, index)
            // What a model said is not heard again: it goes on from its codes, or from the text.
            if case .audio = part, message.role == .assistant { continue }
            if let problem {
                throw LeapGenerationException(
                    "message \(index) has \(kind), but \(problem), or remove the part from the message")
            }
            guard message.role != .assistant else {
                throw LeapGenerationException(
                    "message \(index) is from the assistant and has \(kind): models read these only in other messages")
            }
        }
    }

    /// Checks the order of a history, whatever its messages hold.
    ///
    /// - Throws: ``LeapGenerationException`` that says which message is at fault and what to do.
    package static func validateOrder(_ messages: [ChatMessage]) throws {
        guard messages.contains(where: { $0.role != .system }) else {
            throw LeapGenerationException("the conversation has no message to answer: add one first")
        }
        for (index, message) in messages.enumerated() {
            try validateOrder(of: message, after: index == 0 ? nil : messages[index - 1].role, index: index)
        }
    }

    /// Checks that a message may follow one of a role.
    ///
    /// - Throws: ``LeapGenerationException`` that says what is at fault and what to do.
    private static func validateOrder(of message: ChatMessage, after previous: ChatMessageRole?, index: Int) throws {
        if message.role == .tool, previous != .assistant, previous != .tool {
            throw LeapGenerationException(
                "message \(index) is the result of a function, but no call precedes it: a tool message must follow the assistant "
                    + "message with the call, or another tool message")
        }
    }

    private static func validatePart(_ part: ChatMessageContent, _ index: Int) throws {
        do {
            try part.validate()
        } catch {
            throw LeapGenerationException(message: "message \(index): \(error.localizedDescription)", cause: error)
        }
    }

    /// Returns whether a message only says "go on": an empty one of the user after the results of functions.
    package static func isContinuation(_ message: ChatMessage, after history: [ChatMessage]) -> Bool {
        message.role == .user && history.last?.role == .tool
            && message.content.allSatisfy { $0.text?.allSatisfy(\.isWhitespace) == true }
    }

    /// The history without messages that only say "go on".
    package static func withoutContinuations(_ messages: [ChatMessage]) -> [ChatMessage] {
        var kept: [ChatMessage] = []
        for message in messages where !isContinuation(message, after: kept) { kept.append(message) }
        return kept
    }
}
