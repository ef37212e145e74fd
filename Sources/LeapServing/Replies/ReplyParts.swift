import Foundation
import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The text, reasoning, calls and sound of a reply so far.
struct ReplyParts: Sendable {
    private(set) var text = ""
    private(set) var reasoning = ""
    private(set) var calls: [LeapFunctionCall] = []
    private(set) var completion: MessageCompletion?
    /// The sound as 16-bit samples; nil where it is not kept.
    private(set) var sound: Data?
    private var writer = SpeechWriter()

    /// - Parameter keepsAudio: whether the sound is kept; whoever sends it as it comes has no use for it.
    init(keepsAudio: Bool = false) {
        if keepsAudio { sound = Data() }
    }

    mutating func add(_ response: MessagePiece) {
        switch response {
        case .chunk(let piece): text += piece
        case .reasoningChunk(let piece): reasoning += piece
        case .functionCall(let more): calls += more.map(Self.identified)
        case .complete(let completion): self.completion = completion
        case .audioSample(let samples, let rate):
            if sound != nil { sound?.append(PCM16.bytes(writer.atProtocolRate(samples, rate))) }
        }
    }

    /// The call with an identifier that no other reply has.
    static func identified(_ call: LeapFunctionCall) -> LeapFunctionCall {
        LeapFunctionCall(
            name: call.name, arguments: call.argumentObject, id: Identifier.make("call_"), issue: call.issue)
    }

    /// The reason why the reply ended.
    var finishReason: OpenAI.FinishReason {
        switch completion?.finishReason {
        case .exceedContext: .length
        case .error: .error
        default: calls.isEmpty ? .stop : .toolCalls
        }
    }

    /// True if the end of the reasoning was forced.
    var isReasoningCut: Bool { completion?.stats?.wasThinkingCut == true }

    /// The tokens of the reasoning: as the model wrote them, where that is known; else of its text, and never more than
    /// were generated, as a text may be read as more tokens than it was written in.
    ///
    /// - Parameter count: counts the tokens of a text; nil where nobody can.
    func reasoningTokens(_ count: (@Sendable (String) -> Int)?) -> Int64 {
        guard !reasoning.isEmpty else { return 0 }
        if let known = completion?.stats?.thinkingTokens, known > 0 { return known }
        return min(completion?.stats?.completionTokens ?? 0, Int64(count?(reasoning) ?? 0))
    }

    /// The whole message.
    ///
    /// - Parameter tools: those that were offered.
    func message(_ tools: ToolList) -> OpenAI.Message {
        var message = OpenAI.Message()
        message.role = .assistant
        message.content = text.isEmpty && !calls.isEmpty ? .null : .string(text)
        message.reasoning = reasoning.isEmpty ? nil : reasoning
        message.toolCalls = calls.map(tools.entry)
        message.refusal = .null
        return message
    }
}
