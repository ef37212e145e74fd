import LeapJSON

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
    package var schemas: [(name: String, text: String)] = []
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
    private var nodes: [Int32] = []
    let notes: [GrammarNote]

    init(_ composition: GrammarComposition, options: GrammarOptions) throws(GrammarError) {
        var values: [(name: String, schema: JSONValue)] = []
        for (name, text) in composition.schemas {
            do throws(GrammarError) {
                values.append((name, try JSONValue(schemaText: Array(text.utf8))))
            } catch {
                throw GrammarError(error.code, at: "/" + name + error.pointer, error.reason)
            }
        }
        let compiler = SchemaCompiler(.bool(true), options: options)
        var builder = ProgramBuilder(compiler)
        do {
            for (name, schema) in values {
                let location = compiler.document.embedded(name, schema)
                nodes.append(try builder.node(compiler.location(location)))
            }
            try builder.finish()
        } catch let error as GrammarError {
            throw error
        } catch {
            throw GrammarError(.tooComplex, "the schemas could not be compiled: \(error)")
        }
        program = builder.program
        notes = compiler.notes
        for (value, node) in zip(values, nodes) where program.nodes[Int(node)].cost == TermStore.unreachable {
            throw GrammarError(.unsatisfiable, at: "/" + value.name, "no value satisfies the schema")
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
        case .rule(let index): return [.rule(Int32(index))]
        case .sequence(let pieces):
            var result: [RuleProgram.Symbol] = []
            for piece in pieces { result += symbols(piece) }
            return result
        case .choice:
            let rule = Int32(program.rules.count)
            program.rules.append(RuleProgram(name: "choice \(rule)", alternatives: []))
            program.rules[Int(rule)].alternatives = alternatives(piece)
            return [.rule(rule)]
        case .free(let words, let tokens):
            let symbols = tokens.map { symbol(of: $0) }
            program.triggers.append(TriggerSet(words: words.map { Array($0.utf8) }, tokens: symbols))
            return [.free(Int32(program.triggers.count - 1))]
        }
    }

    private mutating func symbol(of token: Int32) -> Int32 {
        let index = program.specialTokens.firstIndex(of: token) ?? program.specialTokens.count
        if index == program.specialTokens.count { program.specialTokens.append(token) }
        return Int32(Engine.firstSpecial + index)
    }
}
