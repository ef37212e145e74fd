import LeapGrammar
import LeapTokenizer

/// What a reply is held to.
struct ReplyConstraint {
    /// What the text has to follow; nil for nothing.
    var grammar: CompiledGrammar?
    /// The JSON Schema, if there is one.
    var schema: String?
    /// Whether the whole answer is the constrained text: then it holds no calls, and nothing but its end ends it.
    var isWholeAnswer: Bool { grammar != nil }
    /// The tokens of a short answer, 0 without a constraint.
    var minimumTokens = 0

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
        guard let source = try source(settings, extras) else { return constraint }
        do throws(GrammarError) {
            let grammar = try library.grammar(source)
            constraint.grammar = grammar
            constraint.minimumTokens = grammar.matcher(vocabulary: library.vocabulary).minimumTokensToFinish
        } catch {
            throw source.exception(for: error)
        }
        guard constraint.minimumTokens < .max else {
            throw source.exception(
                for: GrammarError(
                    .vocabulary, "the model's vocabulary has no tokens for the text that every answer needs"))
        }
        constraint.schema = settings.jsonSchemaConstraint
        return constraint
    }

    private static func source(_ settings: GenerationSettings, _ extras: GenerationExtras) throws -> GrammarSource? {
        var sources: [GrammarSource] = []
        if let schema = settings.jsonSchemaConstraint { sources.append(.schema(schema, extras.grammarOptions)) }
        if let pattern = extras.regex { sources.append(.regex(pattern)) }
        if let grammar = extras.grammar { sources.append(.gbnf(grammar)) }
        if sources.count > 1 {
            let names = sources.map(\.name).joined(separator: " and ")
            throw LeapGenerationException(
                "a reply can be held to one thing only, but there are \(names): leave one out")
        }
        return sources.first
    }

    /// The constraint as the engine takes it.
    ///
    /// - Parameters:
    ///   - available: the tokens that the reply may have.
    ///   - limit: what limits them, for the error.
    /// - Throws: ``LeapGenerationTokenBudgetException`` where no answer fits.
    static func tokenConstraint(
        _ constraint: ReplyConstraint, settings: GenerationSettings, extras: GenerationExtras, library: GrammarLibrary,
        isReasoningOpen: Bool, available: Int, limit: GenerationLimit
    ) throws -> ReplyTokenConstraint? {
        guard let grammar = constraint.grammar else { return nil }
        var plan = ReplyTokenConstraint.Plan(
            grammar: grammar, vocabulary: library.vocabulary, tokenizer: library.tokenizer,
            endTokens: library.endTokens, budget: available)
        var needed = constraint.minimumTokens
        if isReasoningOpen {
            let scan = library.reasoning
            plan.beginning = .reasoning(scan)
            needed += scan.closing.count
        } else if settings.enableThinking, let token = library.tokenizer.token(for: "<think>") {
            plan.beginning = .either(token, library.reasoning)
        }
        guard needed <= available else {
            throw LeapGenerationTokenBudgetException(neededTokens: needed, availableTokens: available, limit: limit)
        }
        plan.jumpsForward = extras.jumpForward
        return ReplyTokenConstraint(plan)
    }
}

extension GrammarSource {
    /// The source in messages.
    var name: String {
        switch self {
        case .schema: "a JSON Schema"
        case .regex: "a regular expression ('regex' in the extras)"
        case .gbnf: "a grammar ('grammar' in the extras)"
        }
    }

    /// The error of the API for one of the grammar.
    func exception(for error: GrammarError) -> LeapGeneratableSchematizationException {
        let subject =
            switch self {
            case .schema: "the JSON Schema"
            case .regex: "the regular expression"
            case .gbnf: "the grammar"
            }
        let place = error.pointer.isEmpty ? "" : " at \(error.pointer)"
        return LeapGeneratableSchematizationException(
            message: "\(subject) cannot be kept to\(place): \(error.reason)", pointer: error.pointer, cause: error)
    }
}
