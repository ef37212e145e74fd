/// Rules of GBNF and composed grammars.
extension GrammarAutomaton {
    /// Any special token that the grammar does not name, as a symbol: only free text takes it.
    static let otherSpecial = 4_095

    mutating func ruleStarts(_ rule: Int32) -> [Int32] {
        program.rules[Int(rule)].alternatives.indices.map { position(rule, Int32($0), 0) }
    }

    private mutating func position(_ rule: Int32, _ alternative: Int32, _ symbol: Int32) -> Int32 {
        let symbols = program.rules[Int(rule)].alternatives[Int(alternative)]
        if Int(symbol) < symbols.count, case .free(let triggers) = symbols[Int(symbol)] {
            return local(LocalState(kind: .free, a: triggers, b: 0, c: rule, d: alternative, e: symbol))
        }
        return local(LocalState(kind: .rule, a: rule, b: alternative, c: symbol))
    }

    private mutating func symbol(_ state: LocalState) -> RuleProgram.Symbol? {
        let symbols = program.rules[Int(state.a)].alternatives[Int(state.b)]
        return Int(state.c) < symbols.count ? symbols[Int(state.c)] : nil
    }

    /// Returns the position after a symbol; nil where the alternative ends with it (then nothing needs to be returned
    /// to).
    private mutating func after(_ state: LocalState) -> Int32? {
        let isLast = Int(state.c) + 1 >= program.rules[Int(state.a)].alternatives[Int(state.b)].count
        return isLast ? nil : position(state.a, state.b, state.c + 1)
    }

    /// The symbol at a position of a rule, as far as it begins something.
    enum Nonterminal {
        case rule(Int32)
        /// A value or text, by its first local state.
        case local(Int32)
        /// Something that takes bytes or tokens itself.
        case terminal
        /// Nothing: the alternative has ended.
        case end
    }

    /// Returns what a position stands for, and the position after it; nil where there is none.
    mutating func nonterminal(_ id: Int32) -> (called: Nonterminal, next: Int32?) {
        let state = locals[id]
        switch symbol(state) {
        case .rule(let rule): return (.rule(rule), after(state))
        case .value(let node): return (.local(local(LocalState(kind: .value, a: node))), after(state))
        case .text(let term): return (.local(local(LocalState(kind: .text, a: term))), after(state))
        case nil: return (.end, nil)
        default: return (.terminal, nil)
        }
    }

    mutating func ruleCanEnd(_ state: LocalState) -> Bool { state.kind == .free || symbol(state) == nil }

    /// Special symbols that a position takes.
    mutating func specials(of state: LocalState) -> [Int32] {
        if state.kind == .free { return program.triggers[Int(state.a)].tokens + [Int32(Self.otherSpecial)] }
        if case .token(let index) = symbol(state) { return [index] }
        return []
    }

    mutating func makeRuleMoves(_ state: LocalState, _ symbol: Int, into out: inout [Move]) {
        func advance() {
            out.append(Move(local: after(state) ?? 0))
        }
        if state.kind == .free {
            let triggers = program.triggers[Int(state.a)]
            if symbol >= Self.firstSpecial {
                if triggers.tokens.contains(Int32(symbol)) {
                    var origin = LocalState(kind: .rule, a: state.c, b: state.d, c: state.e)
                    origin.c += 1
                    out.append(Move(local: position(origin.a, origin.b, origin.c)))
                } else if symbol == Self.otherSpecial {
                    var next = state
                    next.b = 0
                    out.append(Move(local: local(next)))
                }
                return
            }
            guard let target = triggers.next(state.b, symbol) else {
                out.append(Move(local: position(state.c, state.d, state.e + 1)))
                return
            }
            var next = state
            next.b = target
            out.append(Move(local: local(next)))
            return
        }
        switch self.symbol(state) {
        case .token(let index): if symbol == Int(index) { advance() }
        case .bytes(let bytes):
            guard symbol < 256, bytes[Int(state.d)] == UInt8(symbol) else { return }
            if Int(state.d) + 1 == bytes.count {
                advance()
            } else {
                var next = state
                next.d += 1
                out.append(Move(local: local(next)))
            }
        case .characters(let set):
            guard symbol < 256 else { return }
            let term = terms.set(terms.sets[Int(set)])
            if case .inside(_, let position) = terms.textStep(term, state.d, UInt8(symbol)) {
                if position == 0 {
                    advance()
                } else {
                    var next = state
                    next.d = position
                    out.append(Move(local: local(next)))
                }
            }
        default: break
        }
    }

    mutating func ruleBytes(_ state: LocalState) -> ByteSet {
        var result = ByteSet()
        if state.kind == .free {
            result.words = (.max, .max, .max, .max)
            return result
        }
        switch symbol(state) {
        case .bytes(let bytes): result.insert(bytes[Int(state.d)])
        case .characters(let set):
            let term = terms.set(terms.sets[Int(set)])
            if state.d == 0 { return terms.firstBytes(term, isJSON: false) }
            for byte: UInt8 in 0x80...0xBF {
                if case .inside = terms.textStep(term, state.d, byte) { result.insert(byte) }
            }
        default: break
        }
        return result
    }

    mutating func ruleCost(_ state: LocalState) -> Int32 {
        if state.kind == .free { return 0 }
        let rule = program.rules[Int(state.a)]
        let total = rule.tailCosts[Int(state.b)][Int(state.c)]
        guard state.d != 0, case .some(let symbol) = symbol(state) else { return total }
        let rest = rule.tailCosts[Int(state.b)][Int(state.c) + 1]
        switch symbol {
        case .bytes: return total - state.d
        case .characters(let set):
            return TermStore.sum(terms.cost(terms.set(terms.sets[Int(set)]), position: state.d), rest)
        default: return total
        }
    }
}
