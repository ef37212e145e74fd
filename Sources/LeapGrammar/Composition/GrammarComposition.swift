package import LeapJSON

/// A grammar put together from fixed text, tokens, JSON values and free text: what function calls are made of.
package struct GrammarComposition: Sendable {
    /// A piece of text.
    package indirect enum Piece: Sendable {
        /// This text.
        case text(String)
        /// This token, which stands for no text.
        case token(Int32)
        /// A value of a schema, by its place in `schemas`.
        case value(Int)
        /// A value of a schema, by its place in `schemas`, that is written as it is where it is a string, without
        /// quotes and escapes and without a word in it, and as JSON where it is something else.
        case plain(Int, without: String)
        /// A value of a schema, by its place in `schemas`, that is not an array or object: a string stands between
        /// quotes, without escapes and without a word in it, everything else is JSON. There is none where the schema
        /// has arrays and objects alone.
        case marked(Int, quote: Piece, without: String)
        /// A rule, by its place in `rules`.
        case rule(Int)
        /// One after the other; nothing at all where empty.
        case sequence([Piece])
        /// One of them.
        case choice([Piece])
        /// Any text up to the first of these words or tokens, which are part of it. The text may end before they come.
        case free(words: [String], tokens: [Int32])
    }

    /// Schemas with the names that error messages point to.
    package var schemas: [(name: String, schema: JSONValue)] = []
    /// Rules; the first is what the text follows.
    package var rules: [Piece] = []

    /// An empty composition.
    package init() {}

    /// The grammar.
    ///
    /// - Throws: ``GrammarError``; its pointer begins with the schema's name.
    package func compile(options: GrammarOptions) throws(GrammarError) -> CompiledGrammar {
        var composer = try Composer(self, options: options)
        return CompiledGrammar(program: try composer.program(of: self), notes: composer.notes)
    }
}

/// Turns the pieces of a composition into rules of a program.
private struct Composer {
    private var program: GrammarProgram
    /// Per schema: its values as JSON; -1 where there are none.
    private var nodes: [Int32] = []
    /// Per schema of plain values: its strings.
    private var texts: [Int: TermStore.ID] = [:]
    /// Schemas of which arrays and objects are written by other pieces.
    private var marked: Set<Int> = []
    let notes: [GrammarNote]

    init(_ composition: GrammarComposition, options: GrammarOptions) throws(GrammarError) {
        let compiler = SchemaCompiler(.bool(true), options: options)
        var builder = ProgramBuilder(compiler)
        var expressions: [ExpressionID] = []
        do {
            let words = composition.plainWords
            for (index, (name, schema)) in composition.schemas.enumerated() {
                let expression = compiler.location(compiler.document.embedded(name, schema))
                expressions.append(expression)
                guard let (word, isMarked) = words[index] else {
                    nodes.append(try builder.node(expression))
                    continue
                }
                var set = try compiler.evaluate(expression)
                let wordAlone = compiler.terms.oneOf([word])
                let holdsWord = compiler.terms.concat([TermStore.all, wordAlone, TermStore.all])
                texts[index] = compiler.terms.and([set.strings, compiler.terms.not(holdsWord)])
                set.strings = TermStore.empty
                if isMarked {
                    set.arrays = []
                    set.objects = []
                    marked.insert(index)
                }
                nodes.append(set.isEmpty ? -1 : try builder.node(compiler.expression(set)))
            }
            try builder.finish()
        } catch let error as GrammarError {
            throw error
        } catch {
            throw GrammarError(.tooComplex, "the schemas could not be compiled: \(error)")
        }
        program = builder.program
        notes = compiler.notes
        for index in nodes.indices {
            if let text = texts[index], program.terms.cost(text) == TermStore.unreachable {
                texts[index] = TermStore.empty
            }
            if nodes[index] >= 0, program.nodes[Int(nodes[index])].cost == TermStore.unreachable { nodes[index] = -1 }
            guard !marked.contains(index), nodes[index] < 0, texts[index] ?? TermStore.empty == TermStore.empty else {
                continue
            }
            // (Where the schema is `false` its expression has no place.)
            throw builder.contradiction(in: expressions[index]).placed(at: "/" + composition.schemas[index].name)
        }
    }

    mutating func program(of composition: GrammarComposition) throws(GrammarError) -> GrammarProgram {
        for index in composition.rules.indices {
            program.rules.append(RuleProgram(name: "rule \(index)", alternatives: []))
        }
        for (index, piece) in composition.rules.enumerated() {
            program.rules[index].alternatives = alternatives(piece)
        }
        do { try RuleCosts.settle(&program) } catch {
            throw GrammarError(.tooComplex, "the shortest text of the grammar has more than \(Int32.max) bytes")
        }
        program.start = .rule(0)
        guard let first = program.rules.first, first.cost != TermStore.unreachable else {
            throw GrammarError(.unsatisfiable, "no text ever completes the grammar")
        }
        return program
    }

    private mutating func alternatives(_ piece: GrammarComposition.Piece) -> [[RuleProgram.Symbol]] {
        guard case .choice(let pieces) = piece else { return [symbols(piece)] }
        var result: [[RuleProgram.Symbol]] = []
        for piece in pieces { result.append(symbols(piece)) }
        return result
    }

    private mutating func symbols(_ piece: GrammarComposition.Piece) -> [RuleProgram.Symbol] {
        switch piece {
        case .text(let text): return text.isEmpty ? [] : [.bytes(Array(text.utf8))]
        case .token(let token): return [.token(symbol(of: token))]
        case .value(let index): return [.value(nodes[index])]
        case .plain(let index, _):
            var spellings: [[RuleProgram.Symbol]] = []
            if let text = texts[index], text != TermStore.empty {
                spellings.append(text == TermStore.epsilon ? [] : [.text(text)])
            }
            if nodes[index] >= 0 { spellings.append([.value(nodes[index])]) }
            return spellings.count == 1 ? spellings[0] : [.rule(rule(of: spellings))]
        case .marked(let index, let quote, _):
            var spellings: [[RuleProgram.Symbol]] = []
            if let text = texts[index], text != TermStore.empty {
                let quote = symbols(quote)
                spellings.append(quote + (text == TermStore.epsilon ? [] : [.text(text)]) + quote)
            }
            if nodes[index] >= 0 { spellings.append([.value(nodes[index])]) }
            return spellings.count == 1 ? spellings[0] : [.rule(rule(of: spellings))]
        case .rule(let index): return [.rule(Int32(index))]
        case .sequence(let pieces):
            var result: [RuleProgram.Symbol] = []
            for piece in pieces { result += symbols(piece) }
            return result
        case .choice: return [.rule(rule(of: alternatives(piece)))]
        case .free(let words, let tokens):
            let symbols = tokens.map { symbol(of: $0) }
            program.triggers.append(TriggerSet(words: words.map { Array($0.utf8) }, tokens: symbols))
            return [.free(Int32(program.triggers.count - 1))]
        }
    }

    /// A new rule.
    private mutating func rule(of alternatives: [[RuleProgram.Symbol]]) -> Int32 {
        let rule = Int32(program.rules.count)
        program.rules.append(RuleProgram(name: "choice \(rule)", alternatives: alternatives))
        return rule
    }

    private mutating func symbol(of token: Int32) -> Int32 {
        let index = program.specialTokens.firstIndex(of: token) ?? program.specialTokens.count
        if index == program.specialTokens.count { program.specialTokens.append(token) }
        return Int32(GrammarAutomaton.firstSpecial + index)
    }
}

extension GrammarComposition {
    /// The words that plain values may not hold, and whether these are marked, by the places of their schemas.
    fileprivate var plainWords: [Int: (word: String, isMarked: Bool)] {
        var words: [Int: (word: String, isMarked: Bool)] = [:]
        func visit(_ piece: Piece) {
            switch piece {
            case .plain(let index, let word): words[index] = (word, false)
            case .marked(let index, _, let word): words[index] = (word, true)
            case .sequence(let pieces), .choice(let pieces): for piece in pieces { visit(piece) }
            case .text, .token, .value, .rule, .free: break
            }
        }
        for rule in rules { visit(rule) }
        return words
    }
}
