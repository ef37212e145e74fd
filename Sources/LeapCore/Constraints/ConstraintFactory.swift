import LeapEngine
import LeapGrammar
import LeapTokenizer

/// What a reply is held to.
struct ReplyConstraint {
    /// What the text has to follow; nil for nothing.
    var grammar: CompiledGrammar?
    /// The JSON Schema, if there is one.
    var schema: String?
    /// Whether the whole answer is the constrained text: then it holds no calls, and nothing but its end ends it.
    var isWholeAnswer = false
    /// Whether there has to be an answer that follows the grammar; else the model may leave it at reasoning.
    var isDemanded = true
    /// The tokens of a short answer, 0 without a constraint.
    var minimumTokens = 0
    /// Tokens that reasoning may not have: the one that begins a call.
    var forbiddenInReasoning: [TokenID] = []

    /// What the model is told of the constraint in its system message; nil for nothing.
    func systemText(for settings: GenerationSettings) -> String? {
        guard settings.injectSchemaIntoPrompt, let schema else { return nil }
        return "Answer with JSON that follows this JSON Schema: \(schema)"
    }
}

/// Makes the constraint that a generation's options ask for.
enum ConstraintFactory {
    /// The constraint.
    ///
    /// - Throws: ``LeapGeneratableSchematizationException`` where it cannot be kept to.
    static func make(
        settings: GenerationSettings, extras: GenerationExtras, functions: [LeapFunction], library: GrammarLibrary
    ) throws -> ReplyConstraint {
        var constraint = ReplyConstraint()
        if extras.toolChoice != nil {
            constraint.forbiddenInReasoning = CallMarks(settings.functionCallParser).starts.compactMap {
                library.tokenizer.token(for: $0)
            }
        }
        guard let source = try source(settings, extras, functions, library) else { return constraint }
        do throws(GrammarError) {
            let grammar = try library.grammar(source)
            constraint.grammar = grammar
            let matcher = grammar.matcher(vocabulary: library.vocabulary)
            constraint.minimumTokens = matcher.minimumTokensToFinish
            if let missing = matcher.missingEnd { throw missing }
        } catch {
            throw source.exception(for: error)
        }
        constraint.schema = settings.jsonSchemaConstraint
        if case .calls(let request) = source {
            constraint.isDemanded = request.demand != .free && request.demand != .freeOne
        } else {
            constraint.isWholeAnswer = true
        }
        return constraint
    }

    private static func source(
        _ settings: GenerationSettings, _ extras: GenerationExtras, _ functions: [LeapFunction],
        _ library: GrammarLibrary
    ) throws -> GrammarSource? {
        var sources: [GrammarSource] = []
        if let schema = settings.jsonSchemaConstraint { sources.append(.schema(schema, extras.grammarOptions)) }
        if let pattern = extras.regex { sources.append(.regex(pattern)) }
        if let grammar = extras.grammar { sources.append(.gbnf(grammar)) }
        if let request = try calls(settings, extras, functions, library) { sources.append(.calls(request)) }
        if sources.count > 1 {
            let names = sources.map(\.name).joined(separator: " and ")
            throw LeapGenerationException(
                "a reply can be held to one thing only, but there are \(names): leave one out")
        }
        return sources.first
    }

    /// What calls are held to; nil where they are not.
    private static func calls(
        _ settings: GenerationSettings, _ extras: GenerationExtras, _ functions: [LeapFunction],
        _ library: GrammarLibrary
    ) throws -> CallGrammar.Request? {
        guard let choice = extras.toolChoice, choice != GenerationExtras.ToolChoice.none else { return nil }
        var functions = functions
        let demand: CallGrammar.Demand
        switch choice {
        case .auto, .none:
            if functions.isEmpty { return nil }
            demand = extras.parallelToolCalls ? .free : .freeOne
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
        guard let style = settings.functionCallParser as? any CallStyle else {
            throw LeapGenerationException(
                "'toolChoice' cannot be enforced \(settings.functionCallParser == nil ? "without a parser" : "with a parser of one's own"): "
                    + "leave functionCallParser at .automatic or set one of the SDK's parsers, or leave toolChoice out")
        }
        return CallGrammar.Request(
            style: style, tokenizer: library.tokenizer, functions: functions, demand: demand,
            options: extras.grammarOptions)
    }

    /// What makes the constraint for the engine, a new one for each generation.
    ///
    /// - Parameters:
    ///   - available: the tokens that the reply may have.
    ///   - limit: what limits them, for the error.
    /// - Throws: ``LeapGenerationTokenBudgetException`` where no answer fits.
    static func tokenConstraint(
        _ constraint: ReplyConstraint, settings: GenerationSettings, extras: GenerationExtras, library: GrammarLibrary,
        isReasoningOpen: Bool, available: Int, limit: GenerationLimit
    ) throws -> TokenConstraintFactory? {
        guard let grammar = constraint.grammar else {
            guard extras.toolChoice != nil, let parser = settings.functionCallParser else { return nil }
            let forbidden = ForbiddenMarks(CallMarks(parser).starts, tokenizer: library.tokenizer)
            return { forbidden }
        }
        var plan = ReplyTokenConstraint.Plan(
            grammar: grammar, vocabulary: library.vocabulary, tokenizer: library.tokenizer,
            endTokens: library.endTokens, budget: available)
        var needed = constraint.minimumTokens
        if isReasoningOpen {
            let scan = library.reasoning
            plan.beginning = .reasoning(scan)
            if constraint.isDemanded { needed += scan.closing.count }
        } else if constraint.isDemanded, settings.enableThinking, let token = library.tokenizer.token(for: "<think>") {
            plan.beginning = .either(token, library.reasoning)
        }
        guard needed <= available else {
            throw LeapGenerationTokenBudgetException(neededTokens: needed, availableTokens: available, limit: limit)
        }
        plan.isDemanded = constraint.isDemanded
        plan.forbiddenInReasoning = constraint.forbiddenInReasoning
        plan.jumpsForward = extras.jumpForward
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
            message: "\(subject) cannot be kept to\(place): \(error.reason)", pointer: error.pointer, cause: error)
    }
}
