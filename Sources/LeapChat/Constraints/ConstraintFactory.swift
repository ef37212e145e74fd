import LeapGrammar
package import LeapModel
import LeapTokenizer

/// The constraints on a reply: grammars, and whether they are demanded.
package struct ReplyConstraint {
    /// The grammar that the text has to follow; nil for any text.
    var grammar: CompiledGrammar?
    /// The grammar that the text may follow instead: that of calls, where `grammar` is that of an answer.
    var alternative: CompiledGrammar?
    /// The JSON Schema, if there is one.
    var schema: String?
    /// True if the whole answer is the constrained text: then it holds no calls, and nothing but its end ends it.
    package var isWholeAnswer = false
    /// True if the reply may have calls.
    var hasCalls = false
    /// True if calls are messages on a channel of their own.
    var callsHaveChannel = false
    /// True if there has to be an answer that follows the grammar; else the model may leave it at reasoning.
    var isDemanded = true
    /// The tokens of a short answer, 0 without a constraint.
    package var minimumTokens = 0
    /// Tokens that reasoning may not have: the one that begins a call.
    var forbiddenInReasoning: [TokenID] = []
    /// The parts of the functions' schemas that are not enforced in calls.
    package var notes: [FunctionNote] = []

    /// True if the reply is either an answer that follows a grammar or calls, and nothing else.
    package var isAnswerOrCalls: Bool { alternative != nil }

    /// Returns the text about the constraint in the system message; nil where the model is not told of it.
    package func systemText(for settings: GenerationSettings) -> String? {
        guard settings.injectSchemaIntoPrompt, let schema else { return nil }
        let demand = "nswer with JSON that follows this JSON Schema: \(schema)"
        return (hasCalls ? "Unless you call a function, a" : "A") + demand
    }
}

extension ReplyConstraint {
    /// The messages that a reply on channels may have.
    func heads(_ format: ChannelFormat, tokenizer: Tokenizer) -> ChannelHeads {
        var contents: [(channel: ChannelHeads.Channel, content: ChannelHeads.Content)] = [(.reasoning, .reasoning)]
        if isAnswerOrCalls, callsHaveChannel {
            contents += [(.answer, .grammar(0)), (.call, .grammar(1))]
        } else if !callsHaveChannel || isWholeAnswer {
            contents.append((.answer, .grammar(nil)))
        } else {
            if !isDemanded {
                contents.append((.answer, .text))
                // Where messages have recipients, all text goes to the same one.
                if format.form == .harmony { contents.append((.preamble, .text)) }
            }
            contents.append((.call, .grammar(0)))
        }
        return ChannelHeads(format, tokenizer: tokenizer, contents: contents)
    }
}

/// Makes the constraint that a generation's options ask for.
package enum ConstraintFactory {
    /// The constraint.
    ///
    /// - Throws: ``LeapGeneratableSchematizationException`` where it cannot be kept to.
    package static func make(
        settings: GenerationSettings, functions: [LeapFunction], library: GrammarLibrary,
        hasChannels: Bool = false
    ) throws -> ReplyConstraint {
        var constraint = ReplyConstraint()
        let form = try form(settings)
        let calls = try calls(
            settings, functions, library, isBesideForm: form != nil, hasChannels: hasChannels)
        if settings.further.effectiveToolChoice != nil || calls != nil {
            constraint.forbiddenInReasoning = CallMarks(settings.functionCallParser).starts.compactMap {
                library.tokenizer.token(for: $0)
            }
        }
        constraint.schema = settings.jsonSchemaConstraint
        constraint.hasCalls = calls != nil
        constraint.callsHaveChannel = calls?.request.opensBefore ?? false
        // An answer in a form is no answer to a demand for a call.
        if let form, calls?.isFree ?? true {
            let (grammar, minimum) = try usable(form, library)
            constraint.grammar = grammar
            constraint.minimumTokens = minimum
        }
        guard let calls else {
            constraint.isWholeAnswer = form != nil
            return constraint
        }
        let source = GrammarSource.calls(calls.request)
        do {
            let offer = try library.offer(calls.request, named: calls.functions, isFree: calls.isFree)
            constraint.notes = offer.notes
            guard let grammar = offer.grammar else {
                // Calls that cannot be told from other text would not be an answer in the form.
                constraint.isWholeAnswer = constraint.grammar != nil
                return constraint
            }
            let minimum = try minimumTokens(of: grammar, source, library)
            if constraint.grammar == nil {
                constraint.grammar = grammar
                constraint.minimumTokens = minimum
                constraint.isDemanded = !calls.isFree
            } else {
                constraint.alternative = grammar
                constraint.minimumTokens = min(constraint.minimumTokens, minimum)
            }
        } catch let error as GrammarError {
            throw source.exception(for: error)
        } catch let refusal as FunctionRefusal {
            throw refusal.exception
        }
        return constraint
    }

    /// The grammar of a source, and the tokens of a short text that follows it.
    private static func usable(
        _ source: GrammarSource, _ library: GrammarLibrary
    ) throws -> (grammar: CompiledGrammar, minimumTokens: Int) {
        do throws(GrammarError) {
            let grammar = try library.grammar(source)
            return (grammar, try minimumTokens(of: grammar, source, library))
        } catch {
            throw source.exception(for: error)
        }
    }

    private static func minimumTokens(
        of grammar: CompiledGrammar, _ source: GrammarSource, _ library: GrammarLibrary
    ) throws(GrammarError) -> Int {
        let matcher = grammar.matcher(vocabulary: library.vocabulary)
        let minimum = matcher.minimumTokensToFinish
        if let missing = matcher.missingEnd { throw missing }
        return minimum
    }

    /// The form that answers have; nil for none.
    private static func form(_ settings: GenerationSettings) throws -> GrammarSource? {
        let extras = settings.further
        var sources: [GrammarSource] = []
        if let schema = settings.schema { sources.append(.schema(schema, extras.grammarOptions)) }
        if let pattern = extras.regex { sources.append(.regex(pattern)) }
        if let grammar = extras.grammar { sources.append(.gbnf(grammar)) }
        if sources.count > 1 {
            let names = sources.map(\.name).joined(separator: " and ")
            throw LeapGenerationException(
                "a reply can have only one constraint, but there are \(names): remove one")
        }
        return sources.first
    }

    /// The constraint on a reply's calls.
    private struct Calls {
        var request: CallGrammar.Request
        /// The functions with their own names.
        var functions: [LeapFunction]
        /// True if a reply may do without calls.
        var isFree: Bool
    }

    /// Returns the constraint on calls; nil where calls are not constrained.
    ///
    /// - Parameter isBesideForm: whether answers have a form. Then a reply is an answer or calls, where the functions
    ///   are free to be called.
    private static func calls(
        _ settings: GenerationSettings, _ functions: [LeapFunction],
        _ library: GrammarLibrary, isBesideForm: Bool, hasChannels: Bool
    ) throws -> Calls? {
        let extras = settings.further
        let style = settings.functionCallParser as? any CallStyle
        // Other text has another channel.
        let hasOwnChannel = hasChannels && style?.channelForm != nil && style?.channelForm == library.channels?.form
        let unsaid: GenerationExtras.ToolChoice? = isBesideForm && style != nil ? .auto : nil
        guard let choice = extras.effectiveToolChoice ?? unsaid, choice != GenerationExtras.ToolChoice.none else {
            return nil
        }
        var functions = functions
        let demand: CallGrammar.Demand
        switch choice {
        case .auto, .none:
            // A parser of one's own reads calls that no grammar describes: the answer keeps its form.
            if functions.isEmpty || (isBesideForm && style == nil) { return nil }
            if isBesideForm || hasOwnChannel {
                demand = extras.parallelToolCalls ? .some : .one
            } else {
                demand = extras.parallelToolCalls ? .free : .freeOne
            }
        case .required:
            guard !functions.isEmpty else {
                throw LeapGenerationException("'toolChoice' is 'required', but no function is registered")
            }
            demand = extras.parallelToolCalls ? .some : .one
        case .function(let name):
            guard let function = functions.first(where: { $0.name == name }) else {
                let names = functions.map(\.name).joined(separator: ", ")
                throw LeapGenerationException(
                    "'toolChoice' names the function '\(name)', which is not registered"
                        + (names.isEmpty ? "" : "; there are: \(names)"))
            }
            functions = [function]
            demand = .one
        }
        guard let style else {
            throw LeapGenerationException(
                "'toolChoice' cannot be enforced \(settings.functionCallParser == nil ? "without a parser" : "with a custom parser"): "
                    + "leave functionCallParser at .automatic or set one of the SDK's parsers, or leave toolChoice out")
        }
        var request = CallGrammar.Request(
            style: style, tokenizer: library.tokenizer, functions: functions, demand: demand,
            options: extras.grammarOptions)
        request.opensBefore = hasOwnChannel
        return Calls(request: request, functions: functions, isFree: choice == .auto)
    }

    /// Returns the closure that makes the constraint for the engine, a new one for each generation; nil without a
    /// constraint.
    ///
    /// - Parameters:
    ///   - available: the tokens that the reply may have.
    ///   - limit: what limits them, for the error.
    /// - Throws: ``LeapGenerationTokenBudgetException`` where no answer fits.
    package static func tokenConstraint(
        _ constraint: ReplyConstraint, settings: GenerationSettings, library: GrammarLibrary,
        isReasoningOpen: Bool, openTurn: String? = nil, available: Int, limit: GenerationLimit
    ) throws -> TokenConstraintFactory? {
        guard let grammar = constraint.grammar else {
            guard settings.further.effectiveToolChoice != nil, !constraint.hasCalls,
                let parser = settings.functionCallParser
            else {
                return nil
            }
            let forbidden = ForbiddenMarks(CallMarks(parser).starts, tokenizer: library.tokenizer)
            return { forbidden }
        }
        var plan = ReplyTokenConstraint.Plan(
            grammar: grammar, vocabulary: library.vocabulary, tokenizer: library.tokenizer,
            endTokens: library.endTokens, budget: available)
        var reserved = 0
        if let openTurn, let format = library.channels {
            let heads = constraint.heads(format, tokenizer: library.tokenizer)
            plan.beginning = .header(
                heads, library.tokenizer.encode(openTurn, addSpecial: false, parseSpecial: true))
            reserved = heads.shortest
        } else if isReasoningOpen {
            let scan = library.reasoning
            plan.beginning = .reasoning(scan)
            reserved = scan.closing.count
        } else if constraint.isDemanded, settings.enableThinking,
            let token = library.tokenizer.token(for: library.reasoningMarks.startToken)
        {
            plan.beginning = .either(token, library.reasoning)
        }
        if constraint.isDemanded, TokenCount.sum(constraint.minimumTokens, reserved) > available {
            // The shortest answer in bytes has too many tokens: another may have fewer.
            let least = grammar.matcher(vocabulary: library.vocabulary).minimumTokensToFinish(
                within: max(available - reserved, 0))
            let needed = TokenCount.sum(least, reserved)
            guard needed <= available else {
                throw LeapGenerationTokenBudgetException(neededTokens: needed, availableTokens: available, limit: limit)
            }
        }
        plan.alternative = constraint.alternative
        plan.isDemanded = constraint.isDemanded
        plan.forbiddenInReasoning = constraint.forbiddenInReasoning
        plan.jumpsForward = settings.further.jumpForward
        return { [plan] in ReplyTokenConstraint(plan) }
    }
}

extension GrammarSource {
    /// The source in messages.
    var name: String {
        switch self {
        case .schema: "a JSON Schema"
        case .regex: "a regular expression ('regex' in the extras)"
        case .gbnf: "a grammar ('grammar' in the extras)"
        case .calls: "calls ('toolChoice' in the extras)"
        }
    }

    /// The error of the API for one of the grammar.
    func exception(for error: GrammarError) -> LeapGeneratableSchematizationException {
        let subject =
            switch self {
            case .schema: "the JSON Schema"
            case .regex: "the regular expression"
            case .gbnf: "the grammar"
            case .calls: "the functions' parameters"
            }
        let place = error.pointer.isEmpty ? "" : " at \(error.pointer)"
        return LeapGeneratableSchematizationException(
            message: "\(subject) cannot be enforced\(place): \(error.reason)", pointer: error.pointer, cause: error)
    }
}

extension FunctionRefusal {
    /// The error of the API.
    var exception: LeapGeneratableSchematizationException {
        LeapGeneratableSchematizationException(
            message: "the functions' parameters cannot be enforced at \(note.path): \(note.reason)",
            pointer: note.path, cause: self)
    }
}
