import LeapBase
import LeapJSON

/// A schema, pattern or grammar, ready to constrain generation.
///
/// Compile once, share between requests and threads.
///
/// ```swift
/// let grammar = try CompiledGrammar.jsonSchema(text)
/// let matcher = grammar.matcher(vocabulary: index)
/// matcher.computeMask(into: words)     // which tokens may come
/// _ = matcher.accept(token)
/// ```
public final class CompiledGrammar: Sendable {
    let program: GrammarProgram
    /// What a schema says without effect, 100 notes at most; empty for patterns and GBNF.
    public let notes: [GrammarNote]
    private let engines: Locked<[ObjectIdentifier: SharedEngine]>

    /// Bytes of a schema's text, at most.
    private static let maximumSchemaSize = 4 << 20

    init(program: GrammarProgram, notes: [GrammarNote] = []) {
        self.program = program
        self.notes = notes
        engines = Locked([:])
    }

    /// The grammar of a JSON Schema.
    ///
    /// - Parameter text: The schema, drafts 4 to 2020-12 by its `$schema` (2020-12 where there is none). What its draft
    ///   ignores is in ``notes``.
    /// - Throws: ``GrammarError`` with a JSON Pointer where something cannot be enforced exactly, is malformed, or
    ///   admits no value. At most about two seconds pass before it throws.
    public static func jsonSchema(
        _ text: String, options: GrammarOptions = GrammarOptions()
    ) throws(GrammarError) -> CompiledGrammar {
        try jsonSchema(utf8: Array(text.utf8), options: options)
    }

    /// The grammar of a JSON Schema in UTF-8.
    ///
    /// - Throws: As the other overload.
    public static func jsonSchema(
        utf8: [UInt8], options: GrammarOptions = GrammarOptions()
    ) throws(GrammarError) -> CompiledGrammar {
        guard utf8.count <= maximumSchemaSize else {
            throw GrammarError(
                .tooComplex, at: "",
                "the schema has \(utf8.count) bytes, more than the \(maximumSchemaSize) that are read; "
                    + "leave out what the answer does not need")
        }
        let root = try JSONValue(schemaText: utf8)
        return try jsonSchema(root, options: options)
    }

    /// The grammar of a schema that is parsed already.
    package static func jsonSchema(
        _ schema: JSONValue, options: GrammarOptions = GrammarOptions()
    ) throws(GrammarError) -> CompiledGrammar {
        let (program, notes) = try ProgramBuilder.program(of: schema, options: options)
        return CompiledGrammar(program: program, notes: notes)
    }

    /// Any JSON value.
    public static func json(options: GrammarOptions = GrammarOptions()) throws(GrammarError) -> CompiledGrammar {
        try jsonSchema(.bool(true), options: options)
    }

    /// Texts that an ECMAScript regular expression matches as a whole.
    ///
    /// - Throws: ``GrammarError`` for what cannot be read or enforced (lookaround, back-references), and where nothing
    ///   matches.
    public static func regex(_ pattern: String) throws(GrammarError) -> CompiledGrammar {
        var program = GrammarProgram()
        let term = try program.terms.matching(pattern)
        guard program.terms.cost(term) != TermStore.unreachable else {
            throw GrammarError(.unsatisfiable, "the pattern matches no text")
        }
        program.start = .text(term)
        return CompiledGrammar(program: program)
    }

    /// Texts that a GBNF grammar (llama.cpp's notation) derives.
    ///
    /// - Parameters:
    ///   - text: The rules.
    ///   - root: The rule to begin with.
    /// - Throws: ``GrammarError`` whose pointer is `line:column` for what cannot be read, for rules that are used but
    ///   not defined, for left recursion, and where no text is ever complete.
    public static func gbnf(_ text: String, root: String = "root") throws(GrammarError) -> CompiledGrammar {
        CompiledGrammar(program: try GBNFCompiler.program(of: text, root: root))
    }

    /// A cursor at the beginning of the text.
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

/// An engine behind a lock.
///
/// Where it has grown beyond its limit it is replaced; matchers then read their text again.
final class SharedEngine: Sendable {
    private final class Box {
        var engine: Engine
        var generation = 0
        /// Uses since the size was looked at.
        var uses = 0
        init(_ engine: Engine) { self.engine = engine }
    }

    /// Bytes an engine may take before a new one is begun.
    static let byteLimit = 14 << 20
    private static let usesBetweenChecks = 16

    let vocabulary: VocabularyIndex
    private let program: GrammarProgram
    private let box: Locked<Box?>

    init(_ program: GrammarProgram, _ vocabulary: VocabularyIndex) {
        self.program = program
        self.vocabulary = vocabulary
        box = Locked(nil)
    }

    func withEngine<R>(_ body: (inout Engine, Int) -> R) -> R {
        box.withLock { box in
            let current = box ?? Box(Engine(program))
            current.uses += 1
            if current.uses == Self.usesBetweenChecks {
                current.uses = 0
                if current.engine.exceeds(Self.byteLimit) {
                    current.engine = Engine(program)
                    current.generation += 1
                }
            }
            box = current
            return body(&current.engine, current.generation)
        }
    }
}
