import LeapBase
package import LeapJSON

/// A schema, pattern or grammar, ready to constrain generation.
///
/// Compile it once, and share it between requests and threads.
///
/// ```swift
/// let grammar = try CompiledGrammar.jsonSchema(text)
/// let matcher = grammar.matcher(vocabulary: index)
/// matcher.computeMask(into: words)     // which tokens may come
/// _ = matcher.accept(token)
/// ```
public final class CompiledGrammar: Sendable {
    let program: GrammarProgram
    /// Notes on the parts of a schema that have no effect, 100 at most; empty for patterns and GBNF.
    public let notes: [GrammarNote]
    private let engines: Locked<[ObjectIdentifier: SharedEngine]>

    /// Bytes of a schema's text, at most.
    private static let maximumSchemaSize = 4 << 20

    init(program: GrammarProgram, notes: [GrammarNote] = []) {
        self.program = program
        self.notes = notes
        engines = Locked([:])
    }

    /// Compiles the grammar of a JSON Schema.
    ///
    /// - Parameters:
    ///   - text: The schema, in drafts 4 to 2020-12 according to its `$schema` (2020-12 without one). ``notes`` lists
    ///     what its draft ignores.
    ///   - options: How to convert the schema to a grammar.
    /// - Throws: ``GrammarError`` with a JSON Pointer if something cannot be enforced exactly, is malformed, or allows
    ///   no value. The limit on work is counted in steps, never in time.
    public static func jsonSchema(
        _ text: String, options: GrammarOptions = GrammarOptions()
    ) throws(GrammarError) -> CompiledGrammar {
        try jsonSchema(utf8: Array(text.utf8), options: options)
    }

    /// Compiles the grammar of a JSON Schema in UTF-8.
    ///
    /// - Throws: The errors of the other overload.
    public static func jsonSchema(
        utf8: [UInt8], options: GrammarOptions = GrammarOptions()
    ) throws(GrammarError) -> CompiledGrammar {
        try checkSize(utf8.count)
        let root = try JSONValue(schemaText: utf8)
        try SurrogateHalves.refuse(in: utf8)
        return try jsonSchema(root, options: options)
    }

    /// The grammar of a schema that is parsed already.
    ///
    /// - Parameter byteCount: The bytes of its text, which may be too many; 0 where they do not matter.
    package static func jsonSchema(
        _ schema: JSONValue, byteCount: Int = 0, options: GrammarOptions = GrammarOptions()
    ) throws(GrammarError) -> CompiledGrammar {
        try checkSize(byteCount)
        let (program, notes) = try ProgramBuilder.program(of: schema, options: options)
        return CompiledGrammar(program: program, notes: notes)
    }

    private static func checkSize(_ count: Int) throws(GrammarError) {
        guard count <= maximumSchemaSize else {
            throw GrammarError(
                .tooComplex, at: "",
                "the schema has \(count) bytes, more than the limit of \(maximumSchemaSize); "
                    + "remove what the answer does not need")
        }
    }

    /// Compiles the grammar of any JSON value.
    public static func json(options: GrammarOptions = GrammarOptions()) throws(GrammarError) -> CompiledGrammar {
        try jsonSchema(.bool(true), options: options)
    }

    /// Compiles the grammar of texts that an ECMAScript regular expression matches as a whole.
    ///
    /// - Throws: ``GrammarError`` if the pattern cannot be parsed or enforced (lookaround, back-references), or matches
    ///   nothing.
    public static func regex(_ pattern: String) throws(GrammarError) -> CompiledGrammar {
        var program = GrammarProgram()
        let term = try program.terms.matching(pattern)
        let cost = program.terms.cost(term)
        guard !program.terms.work.isExhausted else {
            throw GrammarError(
                .tooComplex,
                "the pattern needs more than \(WorkBudget.compiling) steps to compile; simplify its repetitions")
        }
        guard cost != TermStore.unreachable else {
            throw GrammarError(.unsatisfiable, "the pattern matches no text")
        }
        program.start = .text(term)
        return CompiledGrammar(program: program)
    }

    /// Compiles the grammar of texts that a GBNF grammar (llama.cpp's notation) derives.
    ///
    /// - Parameters:
    ///   - text: The rules.
    ///   - root: The start rule.
    /// - Throws: ``GrammarError`` with the pointer `line:column` if the grammar cannot be parsed, uses a rule that is
    ///   not defined, or never completes a text.
    public static func gbnf(_ text: String, root: String = "root") throws(GrammarError) -> CompiledGrammar {
        let program = try GBNFCompiler.program(of: text, root: root)
        if GrammarAutomaton(program).isUnusable {
            throw GrammarError(
                .tooComplex, at: "1:1",
                "the grammar has too many ways to begin a text: more than \(WorkBudget.matching) steps; join its "
                    + "alternatives")
        }
        return CompiledGrammar(program: program)
    }

    /// Creates a matcher at the start of the text.
    public func matcher(vocabulary: VocabularyIndex) -> GrammarMatcher {
        GrammarMatcher(grammar: self, vocabulary: vocabulary)
    }

    /// The automaton for a vocabulary, shared by all matchers.
    func engine(for vocabulary: VocabularyIndex) -> SharedEngine {
        engines.withLock { engines in
            let key = ObjectIdentifier(vocabulary)
            if let known = engines[key] { return known }
            let made = SharedEngine(program, vocabulary)
            engines[key] = made
            return made
        }
    }
}

/// An engine that a lock protects.
///
/// An automaton that has grown beyond its limit, or whose work one question took, is replaced; matchers then read their
/// text again.
final class SharedEngine: Sendable {
    private final class Box {
        var engine: GrammarAutomaton
        var generation = 0
        var byteLimit = SharedEngine.byteLimit
        /// Uses of the engine at hand.
        var uses = 0
        init(_ engine: GrammarAutomaton) { self.engine = engine }
    }

    /// Bytes an engine may take before a new one is begun.
    static let byteLimit = 14 << 20
    /// The limit in bytes where new engines keep growing as fast: reading the text again would take most of the time.
    private static let largestByteLimit = 112 << 20
    private static let usesBetweenChecks = 16
    private static let fewUses = 256

    let vocabulary: VocabularyIndex
    private let program: GrammarProgram
    private let box: Locked<Box?>

    init(_ program: GrammarProgram, _ vocabulary: VocabularyIndex) {
        self.program = program
        self.vocabulary = vocabulary
        box = Locked(nil)
    }

    /// Runs with the engine and its generation.
    ///
    /// - Returns: What `body` returns; nil where that took more than the work of one question, so that it is worthless.
    func withAutomaton<R>(_ body: (inout GrammarAutomaton, Int) -> R) -> R? {
        box.withLock { box in
            let current = box ?? Box(GrammarAutomaton(program))
            box = current
            current.uses += 1
            if current.uses.isMultiple(of: Self.usesBetweenChecks), current.engine.exceeds(current.byteLimit) {
                let isGrowingFast = current.uses < Self.fewUses
                current.byteLimit =
                    isGrowingFast ? min(current.byteLimit * 2, Self.largestByteLimit) : Self.byteLimit
                replace(current)
            }
            if current.engine.isUnusable { return nil }
            current.engine.terms.work = WorkBudget(WorkBudget.matching)
            let result = body(&current.engine, current.generation)
            guard current.engine.terms.work.isExhausted else { return result }
            replace(current)
            return nil
        }
    }

    private func replace(_ box: Box) {
        box.engine = GrammarAutomaton(program)
        box.generation += 1
        box.uses = 0
    }
}
