/// Objects: which keys may come, reading them, and what follows.
extension GrammarAutomaton {
    mutating func makeObjectMoves(_ state: LocalState, _ byte: UInt8, into out: inout [Move]) {
        func go(_ next: LocalState) { out.append(Move(local: local(next))) }
        let canClose = state.kind != .objectComma && objects.canClose(state.a)
        // After a value and white space only the brace may come, so the one needs the other.
        if state.kind != .objectNext || canClose, let next = objectSpace(state.b, byte) {
            go(LocalState(kind: state.kind, a: state.a, b: next))
        }
        switch byte {
        case UInt8(ascii: "}"):
            if canClose { go(LocalState(kind: .done)) }
        case UInt8(ascii: ","):
            if state.kind == .objectNext, state.b == 0, objects.hasKey(state.a, &terms.work) {
                go(LocalState(kind: .objectComma, a: state.a))
            }
        case UInt8(ascii: "\""):
            if state.kind == .objectNext { return }
            let description = objects.program(state.a)
            if objects.firstAdmissibleKey(state.a, &terms.work) != nil {
                let count = Int32(description.spelled.count)
                go(LocalState(kind: .declaredKey, a: state.a, b: 0, c: count, d: 0))
            }
            for index in objects.admissibleClasses(state.a, &terms.work) {
                let names = description.classes[index].names
                let texts = Int32(description.texts.count)
                go(
                    LocalState(
                        kind: .freeKey, a: state.a, b: Int32(index), c: names, d: 0, e: 0, f: texts, g: 0))
            }
        default: break
        }
    }

    private mutating func objectSpace(_ position: Int32, _ byte: UInt8) -> Int32? {
        guard program.whitespace == .bounded else { return nil }
        switch byte {
        case 0x20 where position == 0: return 1
        case 0x0A where position == 0: return 2
        case 0x20, 0x09: return position >= 2 && position < 2 + GrammarProgram.maximumIndentation ? position + 1 : nil
        default: return nil
        }
    }

    /// Bytes after a comma: the cheapest admissible key, then the rest.
    mutating func commaCost(_ id: Int32) -> Int32 {
        let completion = objects[id].completion
        if completion.isPossible, completion.count > 0 { return completion.afterValue - 1 }
        let description = objects.program(id)
        // Any admissible key will do for a bound.
        if let key = objects.firstAdmissibleKey(id, &terms.work) {
            let name = Int32(description.keys[key].spellings[0].count + 2)
            for choice in description.keys[key].choices {
                let after = objects.costAfter(key, claims: choice.claims, id, &terms.work)
                if after == TermStore.unreachable { continue }
                return TermStore.sum(TermStore.sum(after, choice.cost), name)
            }
        }
        var best = TermStore.unreachable
        for index in objects.admissibleClasses(id, &terms.work) {
            let item = description.classes[index]
            let texts = Int32(description.texts.count)
            let key = LocalState(kind: .freeKey, a: id, b: Int32(index), c: item.names, d: 0, e: 0, f: texts, g: 0)
            best = min(best, TermStore.sum(localCost(local(key)), 1))
        }
        return best
    }

    // MARK: Bytes

    mutating func objectBytes(_ state: LocalState) -> ByteSet {
        let canClose = state.kind != .objectComma && objects.canClose(state.a)
        var result = state.kind != .objectNext || canClose ? spaceBytes(state.b) : ByteSet()
        let hasKey = objects.hasKey(state.a, &terms.work)
        if state.kind == .objectNext {
            if hasKey, state.b == 0 { result.insert(UInt8(ascii: ",")) }
        } else if hasKey {
            result.insert(UInt8(ascii: "\""))
        }
        if canClose { result.insert(UInt8(ascii: "}")) }
        return result
    }

    func spaceBytes(_ position: Int32) -> ByteSet {
        var result = ByteSet()
        guard program.whitespace == .bounded else { return result }
        if position == 0 {
            result.insert(0x20)
            result.insert(0x0A)
        } else if position >= 2, position < 2 + GrammarProgram.maximumIndentation {
            result.insert(0x20)
            result.insert(0x09)
        }
        return result
    }

    /// First bytes of the undeclared key's text, without a quote that would make it a declared one.
    mutating func freeKeyBytes(_ state: LocalState) -> ByteSet {
        var result: ByteSet
        if state.d == 0 {
            result = terms.firstBytes(state.c, isJSON: true)
            if objects.isDeclared(state) { result.words.0 &= ~(1 << 0x22) }
        } else {
            result = terms.interiorBytes(state.c, state.d, isJSON: true)
        }
        return result
    }

    // MARK: Keys

    mutating func makeDeclaredKeyMoves(_ state: LocalState, _ byte: UInt8, into out: inout [Move]) {
        let range = objects.narrowed(state, byte, &terms.work)
        guard !range.isEmpty else { return }
        let description = objects.program(state.a)
        if description.spelled[range.lowerBound].bytes.count == Int(state.d) + 1 {
            // The closing quote: one key, one colon state per way to take it.
            let key = Int(description.spelled[range.lowerBound].key)
            for choice in description.keys[key].choices {
                if let next = objects.taking(key, claims: choice.claims, state.a, &terms.work) {
                    out.append(Move(local: local(LocalState(kind: .colon, a: next, b: choice.node))))
                }
            }
            return
        }
        let next = LocalState(
            kind: .declaredKey, a: state.a, b: Int32(range.lowerBound), c: Int32(range.upperBound), d: state.d + 1)
        out.append(Move(local: local(next)))
    }

    mutating func makeFreeKeyMoves(_ state: LocalState, _ byte: UInt8, into out: inout [Move]) {
        switch terms.stringStep(state.c, state.d, byte) {
        case .dead: return
        case .closed:
            if objects.isDeclared(state) || state.b == LocalState.textOnly { return }
            for choice in objects.program(state.a).classes[Int(state.b)].choices {
                if let next = objects.takingFree(claims: choice.claims, state.a, &terms.work) {
                    out.append(Move(local: local(LocalState(kind: .colon, a: next, b: choice.node))))
                }
            }
        case .inside(let term, let position):
            var next = state
            next.c = term
            next.d = position
            if state.e < state.f {
                // Plain text counts byte by byte, an escape when it is complete.
                let isPlain = state.d == 0 ? byte != UInt8(ascii: "\\") : state.d >> 24 >= 5
                if isPlain {
                    (next.e, next.f, next.g) = objects.exclusion(state, [byte])
                } else if position == 0 {
                    (next.e, next.f, next.g) = objects.exclusion(
                        state, character: terms.character(read: byte, after: state.d))
                }
            }
            // A language of which only the declared keys are left is a dead end.
            if next.e < next.f, freeTextCost(next) == TermStore.unreachable { return }
            // A text alone, with no declared one to differ from, is like that of any other string.
            if next.b == LocalState.textOnly, next.e >= next.f {
                next = LocalState(kind: .string, a: next.c, b: next.d)
            }
            out.append(Move(local: local(next)))
        }
    }

    mutating func freeKeyCost(_ state: LocalState) -> Int32 {
        // With the quote only, as a string's.
        if state.b == LocalState.textOnly { return TermStore.sum(freeTextCost(state), 1) }
        return TermStore.sum(TermStore.sum(objects.freeValueCost(state, &terms.work), freeTextCost(state)), 2)
    }

    /// Bytes to the end of an undeclared key's text: the nearest that is not a declared one.
    private mutating func freeTextCost(_ state: LocalState) -> Int32 {
        if state.e >= state.f { return terms.cost(state.c, position: state.d) }
        if state.d != 0 {
            // Inside a character: what it will be is open; count one more character to leave the declared keys.
            return TermStore.sum(terms.cost(state.c, position: state.d), 4)
        }
        if terms[state.c].isNullable, !objects.isDeclared(state) { return 0 }
        let floor = terms.cost(state.c)
        if floor == TermStore.unreachable { return floor }
        var best = TermStore.unreachable
        var inside: [LocalState] = []
        let live = terms.live(state.c)
        for cell in terms.cells(state.c) where live.intersects(cell) {
            var codePoint = cell.lowerBound
            if cell.contains(0x61) { codePoint = 0x61 } else if cell.contains(0x30) { codePoint = 0x30 }
            var tries = 0
            while tries < 200, codePoint <= cell.upperBound {
                let derived = terms.derivative(state.c, codePoint)
                let (low, high, depth) = objects.exclusion(state, character: codePoint)
                if low >= high {
                    let spelling = Int32(CodePointSet.spellingCost(of: codePoint))
                    best = min(best, TermStore.sum(terms.cost(derived), spelling))
                    break
                }
                var next = state
                next.c = derived
                (next.e, next.f, next.g) = (low, high, depth)
                inside.append(next)
                codePoint += 1
                tries += 1
            }
        }
        if best <= TermStore.sum(floor, 1) { return best }
        for next in inside.prefix(64) { best = min(best, TermStore.sum(freeTextCost(next), 1)) }
        return best
    }
}
