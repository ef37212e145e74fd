import LeapBase
package import LeapGrammar
package import LeapTokenizer

/// The source that a grammar is made from; equal sources share one grammar.
enum GrammarSource: Hashable, Sendable {
    case schema(ReplySchema, GrammarOptions)
    case regex(String)
    case gbnf(String)
    case calls(CallGrammar.Request)

    func compile() throws(GrammarError) -> CompiledGrammar {
        switch self {
        case .schema(let schema, let options): try schema.grammar(options)
        case .regex(let pattern): try .regex(pattern)
        case .gbnf(let text): try .gbnf(text)
        case .calls(let request): try CallGrammar.grammar(request)
        }
    }
}

/// The grammars that one model's replies were held to lately, and its vocabulary as they need it.
///
/// Both are made when first asked for: most conversations never do.
package final class GrammarLibrary: Sendable {
    /// A grammar may take up to 20 MB, so only a few are kept.
    private static let capacity = 8
    private static let maxLoggedNotes = 10

    let tokenizer: Tokenizer
    let endTokens: Set<TokenID>
    /// The channels that replies are made of; nil where they are text.
    package let channels: ChannelFormat?
    /// The marks around reasoning.
    let reasoningMarks: ReasoningMarks
    /// The text that ends thoughts at their limit where the options have none; nil for none.
    let thinkingBudgetMessage: String?
    private let index = Locked<VocabularyIndex?>(nil)
    private let scan = Locked<ReasoningScan?>(nil)
    private let marks = Locked<ThoughtMarks?>(nil)
    private let grammars = Locked<[(source: GrammarSource, grammar: CompiledGrammar)]>([])
    /// The offers of free calls that were relaxed; what was compiled for them is worth more than once.
    private let offers = Locked<[(request: CallGrammar.Request, functions: [LeapFunction], offer: CallOffer)]>([])

    package init(
        tokenizer: Tokenizer, endTokens: Set<TokenID>, channels: ChannelFormat? = nil,
        reasoningMarks: ReasoningMarks = .think, thinkingBudgetMessage: String? = nil
    ) {
        self.tokenizer = tokenizer
        self.reasoningMarks = reasoningMarks
        self.channels = channels
        self.thinkingBudgetMessage = thinkingBudgetMessage
        self.endTokens = endTokens
    }

    /// The model's vocabulary, indexed.
    var vocabulary: VocabularyIndex {
        index.withLock { index in
            if let index { return index }
            let made = VocabularyIndex(Self.vocabulary(of: tokenizer, endTokens: endTokens))
            index = made
            return made
        }
    }

    /// Reasoning, as this vocabulary closes it.
    var reasoning: ReasoningScan {
        scan.withLock { scan in
            if let scan { return scan }
            let made = ReasoningScan(tokenizer: tokenizer, mark: reasoningMarks.end)
            scan = made
            return made
        }
    }

    /// The marks around thoughts, in this vocabulary.
    var thoughtMarks: ThoughtMarks {
        marks.withLock { marks in
            if let marks { return marks }
            let made = ThoughtMarks(
                tokenizer: tokenizer, marks: reasoningMarks, channels: channels,
                end: channels.map { ReasoningScan(tokenizer: tokenizer, mark: $0.form.messageEnd) } ?? reasoning)
            marks = made
            return made
        }
    }

    /// A vocabulary as grammars see it: control, unknown and unused tokens stand for no text.
    package static func vocabulary(of tokenizer: Tokenizer, endTokens: Set<TokenID>) -> TokenVocabulary {
        var special: Set<Int32> = []
        var tokens: [[UInt8]] = []
        tokens.reserveCapacity(tokenizer.vocabularySize)
        for token in 0..<TokenID(tokenizer.vocabularySize) {
            tokens.append(tokenizer.bytes(of: token))
            switch tokenizer.kind(of: token) {
            case .normal, .userDefined, .byte: break
            default: special.insert(token)
            }
        }
        return TokenVocabulary(tokens: tokens, specialTokens: special, endTokens: endTokens)
    }

    /// The grammar of calls.
    ///
    /// - Parameters:
    ///   - functions: those of the request with their own names.
    ///   - isFree: whether a reply may do without calls.
    /// - Throws: ``FunctionRefusal`` for a part of a function's schema that calls have to be held to and cannot;
    ///   `GrammarError`.
    func offer(_ request: CallGrammar.Request, named functions: [LeapFunction], isFree: Bool) throws -> CallOffer {
        guard isFree else { return try CallOffer.demanded(request, named: functions, self) }
        let known = offers.withLock { offers in
            offers.first { $0.request == request && $0.functions == functions }?.offer
        }
        if let known { return known }
        let offer = try CallOffer.free(request, named: functions, self)
        guard !offer.notes.isEmpty else { return offer }
        for note in offer.notes.prefix(Self.maxLoggedNotes) {
            LeapLog.logger.warning(
                "\(ShownText.of(note.path)) of the functions' parameters is not enforced: \(ShownText.of(note.reason))"
            )
        }
        offers.withLock { offers in
            offers.append((request, functions, offer))
            if offers.count > Self.capacity { offers.removeFirst() }
        }
        return offer
    }

    /// The grammar of a source, compiled unless it is known.
    func grammar(_ source: GrammarSource) throws(GrammarError) -> CompiledGrammar {
        let known: CompiledGrammar? = grammars.withLock { grammars in
            guard let place = grammars.firstIndex(where: { $0.source == source }) else { return nil }
            let entry = grammars.remove(at: place)
            grammars.append(entry)
            return entry.grammar
        }
        if let known { return known }
        let grammar = try source.compile()
        for note in grammar.notes.prefix(Self.maxLoggedNotes) {
            LeapLog.logger.warning("the schema's \(note.pointer) is ignored: \(note.reason)")
        }
        grammars.withLock { grammars in
            grammars.append((source, grammar))
            if grammars.count > Self.capacity { grammars.removeFirst() }
        }
        return grammar
    }
}
