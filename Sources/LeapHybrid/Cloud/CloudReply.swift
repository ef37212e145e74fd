import Foundation
public import LeapChat
import LeapOpenAIClient
import LeapOpenAIFormat

/// Puts a reply together from an endpoint's chunks.
struct CloudReply {
    /// The bytes that a reply may have.
    private static let maxBytes = 16 << 20

    private let functions: [LeapFunction]
    private let maxTokens: Int32?
    private let keepsReasoningInText: Bool
    private var text = ""
    private var reasoning = ""
    private var isInReasoning = false
    private var byteCount = 0
    private var calls: [(index: Int, id: String?, name: String, arguments: String)] = []
    private var finishReason: String?
    private var usage: Usage?
    private var firstPiece: ContinuousClock.Instant?
    private var lastPiece: ContinuousClock.Instant?

    init(functions: [LeapFunction], options: GenerationOptions) {
        self.functions = functions
        maxTokens = options.maxTokens
        keepsReasoningInText = options.inlineThinkingTags
    }

    /// Takes a chunk.
    ///
    /// - Returns: what of it is delivered at once.
    /// - Throws: ``LeapGenerationException`` for a reply without end.
    mutating func add(_ chunk: ChatCompletionChunk) throws -> [MessagePiece] {
        var responses: [MessagePiece] = []
        let size = [chunk.content, chunk.reasoning].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        byteCount += chunk.toolCalls.reduce(size) {
            $0 + ($1.arguments?.utf8.count ?? 0) + ($1.name?.utf8.count ?? 0) + 16
        }
        guard byteCount <= Self.maxBytes else {
            throw LeapGenerationException("the endpoint's reply has more than \(Self.maxBytes) bytes: set maxTokens")
        }
        if chunk.content != nil || chunk.reasoning != nil || !chunk.toolCalls.isEmpty {
            lastPiece = .now
            if firstPiece == nil { firstPiece = lastPiece }
        }
        if let piece = chunk.reasoning {
            reasoning += piece
            if keepsReasoningInText {
                responses.append(say((isInReasoning ? "" : "<think>") + piece))
            } else {
                responses.append(.reasoningChunk(piece))
            }
            isInReasoning = true
        }
        if let piece = chunk.content {
            responses.append(say((isInReasoning && keepsReasoningInText ? "</think>" : "") + piece))
            isInReasoning = false
        }
        for piece in chunk.toolCalls { add(piece) }
        if let reason = chunk.finishReason { finishReason = reason }
        if let usage = chunk.usage { self.usage = usage }
        return responses
    }

    private mutating func say(_ piece: String) -> MessagePiece {
        text += piece
        return .chunk(piece)
    }

    private mutating func add(_ piece: ChatCompletionChunk.ToolCall) {
        if let place = calls.firstIndex(where: { $0.index == piece.index }) {
            calls[place].id = calls[place].id ?? piece.id
            calls[place].arguments += piece.arguments ?? ""
            if calls[place].name.isEmpty { calls[place].name = piece.name ?? "" }
        } else {
            calls.append((piece.index, piece.id, piece.name ?? "", piece.arguments ?? ""))
        }
    }

    /// Tokens as the endpoint counts them, and the speed between the first piece and the last.
    var stats: GenerationStats? {
        guard let usage else { return nil }
        let seconds = firstPiece.flatMap { first in lastPiece.map { ($0 - first) / .seconds(1) } } ?? 0
        return GenerationStats(
            promptTokens: Int64(usage.promptTokens - usage.cachedPromptTokens),
            completionTokens: Int64(usage.completionTokens),
            tokenPerSecond: seconds > 0 ? Float(Double(usage.completionTokens) / seconds) : 0,
            cachedPromptTokens: Int64(usage.cachedPromptTokens))
    }

    /// Returns the responses that are delivered at the end.
    mutating func finish() -> [MessagePiece] {
        var issues: [GenerationIssue] = []
        var found: [LeapFunctionCall] = []
        var responses: [MessagePiece] = []
        for call in calls.sorted(by: { $0.index < $1.index }) {
            do {
                let arguments = call.arguments.allSatisfy(\.isWhitespace) ? "{}" : call.arguments
                let read = try LeapFunctionCall(name: call.name, argumentsJSON: arguments, id: call.id)
                let issue = FunctionCallValidation.issue(with: read, in: functions)
                if let issue { issues.append(GenerationIssue(kind: .invalidFunctionCall, message: issue)) }
                found.append(
                    LeapFunctionCall(name: call.name, arguments: read.argumentObject, id: call.id, issue: issue))
            } catch {
                // As on the device: what is no call stays text.
                let raw = "\(call.name)(\(call.arguments))"
                issues.append(
                    GenerationIssue(
                        kind: finishReason == OpenAI.FinishReason.length.rawValue
                            ? .incompleteFunctionCall : .malformedFunctionCall,
                        message: error.localizedDescription, text: raw))
                responses.append(say(raw))
            }
        }
        if !found.isEmpty { responses.append(.functionCall(found)) }
        if finishReason == OpenAI.FinishReason.contentFilter.rawValue {
            issues.append(GenerationIssue(kind: .contentFilter, message: "the endpoint's filter ended the reply"))
        }
        let message = ChatMessage(
            role: .assistant, content: [.text(text)], reasoningContent: reasoning.isEmpty ? nil : reasoning,
            functionCalls: found.isEmpty ? nil : found)
        let isCut = finishReason == OpenAI.FinishReason.length.rawValue
        responses.append(
            .complete(
                MessageCompletion(
                    message: message, finishReason: isCut ? .exceedContext : .stop, stats: stats,
                    limit: isCut ? maxTokens.map { .maxTokens(Int($0)) } : nil, issues: issues)))
        return responses
    }
}

extension GenerationIssue.Kind {
    /// An endpoint's filter ended the reply.
    public static let contentFilter = GenerationIssue.Kind(rawValue: "contentFilter")
}
