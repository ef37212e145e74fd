/// The moves, bytes and costs of each kind of local state.
extension GrammarAutomaton {
    mutating func canEnd(_ state: LocalState) -> Bool {
        switch state.kind {
        case .done: true
        case .literal: program.literals[state.a].isTerminal
        case .number: program.numbers[Int(state.a)].isAccepting(state.b)
        case .text: state.b == 0 && terms[state.a].isNullable
        case .rule, .free: ruleCanEnd(state)
        default: false
        }
    }

    mutating func takesSpecials(_ local: Int32) -> Bool {
        let kind = locals[local].kind
        return (kind == .rule || kind == .free) && !specials(of: locals[local]).isEmpty
    }

    /// The white-space position after a byte; nil where the byte is none or no more may come.
    private mutating func space(_ position: Int32, _ byte: Int) -> Int32? {
        guard program.whitespace == .bounded else { return nil }
        switch byte {
        case 0x20:
            if position == 0 { return 1 }
            return position >= 2 && position < 2 + GrammarProgram.maximumIndentation ? position + 1 : nil
        case 0x09: return position >= 2 && position < 2 + GrammarProgram.maximumIndentation ? position + 1 : nil
        case 0x0A: return position == 0 ? 2 : nil
        default: return nil
        }
    }

    mutating func makeMoves(_ state: LocalState, _ symbol: Int, into out: inout [Move]) {
        if state.kind == .rule || state.kind == .free {
            makeRuleMoves(state, symbol, into: &out)
            return
        }
        guard symbol < 256 else { return }
        let byte = UInt8(symbol)
        func go(_ next: LocalState) { out.append(Move(local: local(next))) }
        switch state.kind {
        case .done, .rule, .free: break
        case .value: begin(state.a, byte, returningTo: nil, into: &out)
        case .literal:
            let child = program.literals.child(state.a, UInt32(byte))
            if child >= 0 { go(LocalState(kind: .literal, a: child)) }
        case .number:
            let next = program.numbers[Int(state.a)].next(state.b, byte)
            if next >= 0 { go(LocalState(kind: .number, a: state.a, b: next)) }
        case .string:
            switch terms.stringStep(state.a, state.b, byte) {
            case .dead: break
            case .closed: go(LocalState(kind: .done))
            case .inside(let term, let position): go(LocalState(kind: .string, a: term, b: position))
            }
        case .text:
            if case .inside(let term, let position) = terms.textStep(state.a, state.b, byte) {
                go(LocalState(kind: .text, a: term, b: position))
            }
        case .objectOpen, .objectComma, .objectNext: makeObjectMoves(state, byte, into: &out)
        case .declaredKey: makeDeclaredKeyMoves(state, byte, into: &out)
        case .freeKey: makeFreeKeyMoves(state, byte, into: &out)
        case .colon:
            if byte == UInt8(ascii: ":") { go(LocalState(kind: .propertyValue, a: state.a, b: state.b)) }
        case .propertyValue:
            if state.c == 0, byte == 0x20, program.whitespace == .bounded {
                go(LocalState(kind: .propertyValue, a: state.a, b: state.b, c: 1))
            }
            begin(state.b, byte, returningTo: local(LocalState(kind: .objectNext, a: state.a)), into: &out)
        case .arrayOpen, .arrayComma:
            if let next = space(state.b, symbol) { go(LocalState(kind: state.kind, a: state.a, b: next)) }
            if arrays.isSpelled(state.a) {
                makeUniqueMoves(arrays.uniqueStart(state.a), byte, into: &out)
            } else {
                makeItemMoves(state.a, byte, into: &out)
            }
            if state.kind == .arrayOpen, byte == UInt8(ascii: "]"), arrays.canClose(state.a) {
                go(LocalState(kind: .done))
            }
        case .uniqueItem: makeUniqueMoves(state, byte, into: &out)
        case .arrayNext:
            // After white space only the bracket may come, so the one needs the other.
            if arrays.canClose(state.a) {
                if let next = space(state.b, symbol) { go(LocalState(kind: .arrayNext, a: state.a, b: next)) }
                if byte == UInt8(ascii: "]") { go(LocalState(kind: .done)) }
            }
            if byte == UInt8(ascii: ","), state.b == 0, arrays.canContinue(state.a, &terms.work) {
                go(LocalState(kind: .arrayComma, a: state.a))
            }
        }
    }

    /// The first byte of a value.
    mutating func begin(_ node: Int32, _ byte: UInt8, returningTo target: Int32?, into out: inout [Move]) {
        let value = program.nodes[Int(node)]
        func go(_ next: LocalState) { out.append(Move(local: local(next), push: target)) }
        switch byte {
        case UInt8(ascii: "\""):
            if value.string != TermStore.empty { go(LocalState(kind: .string, a: value.string)) }
        case UInt8(ascii: "{"):
            for id in value.objects {
                go(LocalState(kind: .objectOpen, a: objects.start(id, &terms.work)))
            }
        case UInt8(ascii: "["):
            for id in value.arrays {
                go(LocalState(kind: .arrayOpen, a: arrays.start(id, &terms.work)))
            }
        default:
            for id in value.numbers {
                let next = program.numbers[Int(id)].next(0, byte)
                if next >= 0 { go(LocalState(kind: .number, a: id, b: next)) }
            }
            if let literal = value.literal {
                let child = program.literals.child(literal, UInt32(byte))
                if child >= 0 { go(LocalState(kind: .literal, a: child)) }
            }
        }
    }

    mutating func makeBytes(_ id: Int32) -> ByteSet {
        let state = locals[id]
        var result = ByteSet()
        switch state.kind {
        case .done: break
        case .string, .text:
            let isJSON = state.kind == .string
            return state.b == 0
                ? terms.firstBytes(state.a, isJSON: isJSON) : terms.interiorBytes(state.a, state.b, isJSON: isJSON)
        case .freeKey:
            result = freeKeyBytes(state)
            guard state.e < state.f, state.c != TermStore.all else { return result }
            // A language of which only declared keys are left has fewer ways on. A byte that leaves them is none of
            // these.
            let uncertain = state.d == 0 ? result.intersection(objects.declaredBytes(state)) : result
            var impossible = ByteSet()
            uncertain.forEach { byte in
                if moveRange(id, Int(byte)).isEmpty { impossible.insert(byte) }
            }
            return result.subtracting(impossible)
        case .literal: for point in program.literals.points(state.a) { result.insert(UInt8(point)) }
        case .number: return numberBytes(state.a, state.b)
        case .declaredKey: return objects.declaredKeyBytes(state, &terms.work)
        case .value: return nodeBytes(state.a)
        case .propertyValue:
            result = nodeBytes(state.b)
            if state.c == 0, program.whitespace == .bounded { result.insert(0x20) }
        case .colon: result.insert(UInt8(ascii: ":"))
        case .objectOpen, .objectComma, .objectNext: return objectBytes(state)
        case .arrayOpen, .arrayComma, .arrayNext:
            let canClose = state.kind != .arrayComma && arrays.canClose(state.a)
            if state.kind != .arrayNext || canClose { result = spaceBytes(state.b) }
            if canClose { result.insert(UInt8(ascii: "]")) }
            if state.kind == .arrayNext {
                if state.b == 0, arrays.canContinue(state.a, &terms.work) { result.insert(UInt8(ascii: ",")) }
            } else if arrays.isSpelled(state.a) {
                result.formUnion(arrays.uniqueBytes(arrays.uniqueStart(state.a)))
            } else {
                for choice in arrays.choices(state.a, &terms.work) { result.formUnion(nodeBytes(choice.node)) }
            }
        case .uniqueItem: return arrays.uniqueBytes(state)
        case .rule, .free: return ruleBytes(state)
        }
        return result
    }

    private func numberBytes(_ automaton: Int32, _ state: Int32) -> ByteSet {
        var result = ByteSet()
        for byte in Self.numeric where program.numbers[Int(automaton)].next(state, byte) >= 0 { result.insert(byte) }
        return result
    }

    private static let numeric: [UInt8] = Array("0123456789-+.eE".utf8)

    /// First bytes of a node's values.
    private func nodeBytes(_ node: Int32) -> ByteSet {
        let value = program.nodes[Int(node)]
        var result = ByteSet()
        if value.string != TermStore.empty { result.insert(UInt8(ascii: "\"")) }
        if !value.objects.isEmpty { result.insert(UInt8(ascii: "{")) }
        if !value.arrays.isEmpty { result.insert(UInt8(ascii: "[")) }
        for id in value.numbers { result.formUnion(numberBytes(id, 0)) }
        if let literal = value.literal { for point in program.literals.points(literal) { result.insert(UInt8(point)) } }
        return result
    }

    mutating func makeCost(_ state: LocalState) -> Int32 {
        switch state.kind {
        case .done: return 0
        case .value: return program.nodes[Int(state.a)].cost
        case .literal: return program.literals[state.a].cost
        case .number: return program.numbers[Int(state.a)].cost(state.b)
        case .string: return TermStore.sum(terms.cost(state.a, position: state.b), 1)
        case .text: return terms.cost(state.a, position: state.b)
        case .objectOpen: return objects[state.a].completion.afterOpening
        case .objectComma: return commaCost(state.a)
        case .objectNext: return state.b == 0 ? objects[state.a].completion.afterValue : 1
        case .declaredKey: return objects.declaredKeyCost(state, &terms.work)
        case .freeKey: return freeKeyCost(state)
        case .colon, .propertyValue:
            let rest = TermStore.sum(
                objects[state.a].completion.afterValue, program.nodes[Int(state.b)].cost)
            return TermStore.sum(rest, state.kind == .colon ? 1 : 0)
        case .arrayOpen: return arrays[state.a].completion.afterOpening
        case .arrayNext: return state.b == 0 ? arrays[state.a].completion.afterItem : 1
        case .arrayComma:
            if arrays.isSpelled(state.a) { return arrays.uniqueCost(arrays.uniqueStart(state.a)) }
            return arrays.itemCost(state.a, &terms.work)
        case .uniqueItem: return arrays.uniqueCost(state)
        case .rule, .free: return ruleCost(state)
        }
    }

    // MARK: Arrays

    private mutating func makeItemMoves(_ id: Int32, _ byte: UInt8, into out: inout [Move]) {
        for choice in arrays.choices(id, &terms.work) {
            let target = local(LocalState(kind: .arrayNext, a: choice.next))
            begin(choice.node, byte, returningTo: target, into: &out)
        }
    }

    private mutating func makeUniqueMoves(_ state: LocalState, _ byte: UInt8, into out: inout [Move]) {
        switch arrays.uniqueStep(state, byte, &terms.work) {
        case .inside(let next): out.append(Move(local: local(next)))
        case .ended(let next): out.append(Move(local: local(LocalState(kind: .arrayNext, a: next))))
        case nil: break
        }
    }
}
