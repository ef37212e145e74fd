import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

/// Puts a reply together from its tokens.
struct ReplyAssembler {
    private var parser: ResponseParser
    private var detokenizer: StreamingDetokenizer
    private let tokenizer: Tokenizer
    private let visibleTokens: [TokenID: String]
    private let functions: [LeapFunction]
    private let firstCall: Int
    private let openReasoning: String
    private let hasChannels: Bool
    private var calls: [LeapFunctionCall] = []
    private let promptCount: Int
    private let wantsLogprobs: Bool
    /// The prompt and the reply so far.
    private(set) var tokens: [TokenID]
    private var speech: SpokenReply
    /// The messages that were left out of the prompt; nil where none were.
    let trimming: HistoryTrimming?

    /// Makes an assembler for a turn.
    ///
    /// - Parameter firstCall: goes into the ids of calls, which are different in every turn of a conversation.
    init(plan: TurnPlan, functions: [LeapFunction], firstCall: Int) {
        parser = ResponseParser(plan.parserConfiguration)
        tokenizer = plan.tokenizer
        detokenizer = StreamingDetokenizer(plan.tokenizer)
        visibleTokens = plan.visibleTokens
        self.functions = functions
        self.firstCall = firstCall
        openReasoning = plan.openReasoning ?? ""
        hasChannels = plan.openTurn != nil
        tokens = Array(plan.request.prompt.dropLast(plan.written.count))
        promptCount = tokens.count
        speech = SpokenReply(decoder: plan.speechDecoder, opening: plan.opening)
        wantsLogprobs = plan.request.likelihoodAlternatives != nil
        trimming = plan.trimming
    }

    /// True if a stop sequence was written.
    var isStopped: Bool { parser.isStopped }
    /// The one of the options' stop sequences that was written; nil as long as none was.
    var stopSequence: String? { parser.stopSequence }
    /// True if nothing was written.
    var isEmpty: Bool { parser.text.isEmpty && parser.reasoning.isEmpty && calls.isEmpty && !speech.hasAudio }

    /// The issues of a generation that went on in spite of them.
    var issues: [GenerationIssue] {
        var issues = parser.issues
        if let trimming {
            issues.append(
                GenerationIssue(
                    kind: .historyTrimmed,
                    message:
                        "\(trimming.removedMessages.count) old messages (\(trimming.removedTokens) tokens) were left out of the prompt"
                ))
        }
        return issues
    }

    /// The log probabilities of the reply's tokens; nil where they were not asked for.
    ///
    /// - Parameter start: how many of the first tokens are left out.
    func logprobs(_ likelihoods: [TokenLikelihood], from start: Int = 0) -> [TokenLogprob]? {
        guard wantsLogprobs else { return nil }
        // The engine may be one token further, and the token that ends a reply is no part of it.
        return likelihoods.prefix(likelyCount).dropFirst(start).map { TokenLogprob($0, tokenizer) }
    }

    /// The log probability of the token that ended the reply; nil where they were not asked for, or none did.
    func endLogprob(_ likelihoods: [TokenLikelihood], stop: TokenID?) -> TokenLogprob? {
        guard wantsLogprobs, let stop, likelihoods.count > likelyCount, likelihoods[likelyCount].token == stop else {
            return nil
        }
        return TokenLogprob(likelihoods[likelyCount], tokenizer)
    }

    /// Tokens of the reply that have a likelihood; frames of speech have none.
    private var likelyCount: Int { tokens.count - promptCount - speech.frameCount }

    /// The number of the reply's tokens.
    var writtenCount: Int { tokens.count - promptCount }

    /// Takes the next token, and returns what can be shown by now.
    mutating func append(_ token: TokenID) -> [MessagePiece] {
        tokens.append(token)
        speech.append(token)
        if let mark = visibleTokens[token] {
            return responses(parser.consume((detokenizer.finish() + mark).utf8))
        }
        return responses(parser.consume(detokenizer.append(token).utf8))
    }

    /// Takes the next piece of speech, and returns its samples.
    mutating func append(_ piece: SpeechPiece) -> [MessagePiece] {
        if piece.frame != nil { tokens.append(piece.place) }
        speech.append(piece)
        return piece.samples.isEmpty
            ? [] : [.audioSample(samples: piece.samples, sampleRate: SpeechDecoder.sampleRate)]
    }

    /// Says that there are no more tokens, and returns what was still held back.
    mutating func finish(_ ending: ResponseParser.Ending) -> [MessagePiece] {
        var events = parser.consume(detokenizer.finish().utf8)
        events += parser.finish(ending)
        return responses(events)
    }

    private mutating func responses(_ events: [ResponseParser.Event]) -> [MessagePiece] {
        events.compactMap { event in
            switch event {
            case .text(let text): return .chunk(text)
            case .reasoning(let text): return .reasoningChunk(text)
            case .calls(let new):
                let named = new.enumerated().map { $1.with(id: "call_\(firstCall)_\(calls.count + $0)") }
                calls += named
                return .functionCall(named)
            case .issue: return nil
            }
        }
    }

    /// The reply so far.
    var message: ChatMessage {
        let hasText = !parser.text.isEmpty || (calls.isEmpty && !speech.hasAudio)
        let sound = speech.file(text: parser.text, isWhole: parser.reasoning.isEmpty && calls.isEmpty)
        var message = ChatMessage(
            role: .assistant,
            content: (hasText ? [.text(parser.text)] : []) + (sound.map { [.audio($0)] } ?? []),
            reasoningContent: parser.reasoning.isEmpty ? nil : parser.reasoning,
            functionCalls: calls.isEmpty ? nil : calls)
        // The headers of messages are the template's to write.
        let rawText = hasChannels ? parser.text : openReasoning + String(decoding: parser.raw, as: UTF8.self)
        message.origin = ReplyOrigin(rawText: rawText, functions: functions)
        return message
    }
}
