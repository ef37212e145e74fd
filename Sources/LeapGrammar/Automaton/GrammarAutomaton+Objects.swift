import LeapBase

/// Objects: which keys may come, reading them, and what follows.
extension GrammarAutomaton {
    mutating func objectState(_ object: Int32, _ state: ObjectState) -> Int32 {
        let (id, isNew) = objectTable.intern([object] + state.encoded)
        if isNew {
            terms.work.spend(ObjectCompletion.steps(program.objects[Int(object)]))
            objectStates.append((object, state, ObjectCompletion(program.objects[Int(object)], state)))
        }
        return id
    }

    /// The state after a declared key with a choice of its value; −1 where the object could not end.
    mutating func objectState(_ id: Int32, taking key: Int, claims: Int32) -> Int32 {
        let memo = Int64(id) << 32 | Int64(key) << 8 | Int64(claims)
        if let known = objectNexts[memo] { return known }
        let (object, state, _) = objectStates[Int(id)]
        let next = objectState(object, state.taking(key, claims: claims, program.objects[Int(object)]))
        let result = objectStates[Int(next)].completion.isPossible ? next : -1
        objectNexts[memo] = result
        return result
    }

    private mutating func objectStateTakingFree(_ id: Int32, claims: Int32) -> Int32 {
        let (object, state, _) = objectStates[Int(id)]
        let next = objectState(object, state.takingFree(claims: claims, program.objects[Int(object)]))
        return objectStates[Int(next)].completion.isPossible ? next : -1
    }

    /// Bytes to the end of the object after the value of a declared key that may come now.
    ///
    /// In simple objects it follows from the state before, so the state after need not be made for the question.
    private mutating func costAfter(_ id: Int32, taking key: Int, claims: Int32) -> Int32 {
        let description = program.objects[Int(objectStates[Int(id)].object)]
        guard description.isSimple else {
            let next = objectState(id, taking: key, claims: claims)
            return next >= 0 ? objectStates[Int(next)].completion.afterValue : TermStore.unreachable
        }
        let completion = objectStates[Int(id)].completion
        guard completion.isPossible else { return TermStore.unreachable }
        if !description.keys[key].isRequired { return completion.afterValue }
        return completion.afterValue - description.keys[key].cost - 1
    }

    /// Whether a declared key may come now.
    private mutating func isAdmissible(_ id: Int32, _ key: Int) -> Bool {
        let description = program.objects[Int(objectStates[Int(id)].object)]
        guard objectStates[Int(id)].state.isAvailable(key, description) else { return false }
        if description.isSimple { return true }
        return description.keys[key].choices.contains { objectState(id, taking: key, claims: $0.claims) >= 0 }
    }

    /// In declared order no key after a required one may come before it: the first such position.
    private mutating func orderLimit(_ id: Int32) -> Int {
        let (object, state, _) = objectStates[Int(id)]
        let description = program.objects[Int(object)]
        guard description.isOrdered else { return description.keys.count }
        var key = Int(state.cursor)
        while key < description.keys.count {
            if description.keys[key].isRequired { return key + 1 }
            key += 1
        }
        return key
    }

    /// The first declared key that may come now; nil where none may.
    private mutating func firstAdmissibleKey(_ id: Int32) -> Int? {
        if let known = firstKeys[id] { return known < 0 ? nil : Int(known) }
        let isOrdered = program.objects[Int(objectStates[Int(id)].object)].isOrdered
        let first = isOrdered ? Int(objectStates[Int(id)].state.cursor) : 0
        let limit = orderLimit(id)
        var result: Int?
        if first < limit { result = (first..<limit).first { isAdmissible(id, $0) } }
        firstKeys[id] = Int32(result ?? -1)
        return result
    }

    /// The classes of undeclared keys that may come now.
    private mutating func admissibleClasses(_ id: Int32) -> [Int] {
        let (object, state, _) = objectStates[Int(id)]
        let description = program.objects[Int(object)]
        if description.classes.isEmpty { return [] }
        if description.isOrdered, !description.tracksSeen {
            let rest = Int(state.cursor)..<max(description.keys.count, Int(state.cursor))
            if rest.contains(where: { description.keys[$0].isRequired }) { return [] }
        }
        if description.isSimple { return Array(description.classes.indices) }
        return description.classes.indices.filter { index in
            description.classes[index].choices.contains { objectStateTakingFree(id, claims: $0.claims) >= 0 }
        }
    }

    mutating func makeObjectMoves(_ state: LocalState, _ byte: UInt8, into out: inout [Move]) {
        func go(_ next: LocalState) { out.append(Move(local: local(next), push: -1)) }
        let completion = objectStates[Int(state.a)].completion
        let canClose = state.kind != .objectComma && completion.isPossible && completion.count == 0
        // After a value and white space only the brace may come, so the one needs the other.
        if state.kind != .objectNext || canClose, let next = objectSpace(state.b, byte) {
            go(LocalState(kind: state.kind, a: state.a, b: next))
        }
        switch byte {
        case UInt8(ascii: "}"):
            if canClose { go(LocalState(kind: .done)) }
        case UInt8(ascii: ","):
            if state.kind == .objectNext, state.b == 0,
                firstAdmissibleKey(state.a) != nil || !admissibleClasses(state.a).isEmpty
            {
                go(LocalState(kind: .objectComma, a: state.a))
            }
        case UInt8(ascii: "\""):
            if state.kind == .objectNext { return }
            let object = objectStates[Int(state.a)].object
            if firstAdmissibleKey(state.a) != nil {
                let count = Int32(program.objects[Int(object)].spelled.count)
                go(LocalState(kind: .declaredKey, a: state.a, b: 0, c: count, d: 0))
            }
            for index in admissibleClasses(state.a) {
                let names = program.objects[Int(object)].classes[index].names
                let texts = Int32(program.objects[Int(object)].texts.count)
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
        let (object, _, completion) = objectStates[Int(id)]
        if completion.isPossible, completion.count > 0 { return completion.afterValue - 1 }
        let description = program.objects[Int(object)]
        // Any admissible key will do for a bound.
        if let key = firstAdmissibleKey(id) {
            let name = Int32(description.keys[key].spellings[0].count + 2)
            for choice in description.keys[key].choices {
                let after = costAfter(id, taking: key, claims: choice.claims)
                if after == TermStore.unreachable { continue }
                return TermStore.sum(TermStore.sum(after, choice.cost), name)
            }
        }
        var best = TermStore.unreachable
        for index in admissibleClasses(id) {
            let item = description.classes[index]
            let texts = Int32(description.texts.count)
            let key = LocalState(kind: .freeKey, a: id, b: Int32(index), c: item.names, d: 0, e: 0, f: texts, g: 0)
            best = min(best, TermStore.sum(localCost(local(key)), 1))
        }
        return best
    }

    // MARK: Bytes

    mutating func objectBytes(_ state: LocalState) -> ByteSet {
        let completion = objectStates[Int(state.a)].completion
        let canClose = state.kind != .objectComma && completion.isPossible && completion.count == 0
        var result = state.kind != .objectNext || canClose ? spaceBytes(state.b) : ByteSet()
        let hasKey = firstAdmissibleKey(state.a) != nil || !admissibleClasses(state.a).isEmpty
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

    mutating func declaredKeyBytes(_ state: LocalState) -> ByteSet {
        var result = ByteSet()
        let spelled = program.objects[Int(objectStates[Int(state.a)].object)].spelled
        let limit = orderLimit(state.a)
        for index in Int(state.b)..<Int(state.c) {
            let byte = spelled[index].bytes[Int(state.d)]
            if result.contains(byte) { continue }
            let key = Int(spelled[index].key)
            if key < limit, isAdmissible(state.a, key) { result.insert(byte) }
        }
        return result
    }

    /// The bytes after which an undeclared key may still become a declared one: those of the declared texts, of an escape, and the quotation
    /// mark.
    mutating func declaredBytes(_ state: LocalState) -> ByteSet {
        var result = ByteSet()
        result.insert(UInt8(ascii: "\""))
        result.insert(UInt8(ascii: "\\"))
        let texts = program.objects[Int(objectStates[Int(state.a)].object)].texts
        for index in Int(state.e)..<Int(state.f) where texts[index].count > Int(state.g) {
            result.insert(texts[index][Int(state.g)])
        }
        return result
    }

    /// First bytes of the undeclared key's text, without a quote that would make it a declared one.
    mutating func freeKeyBytes(_ state: LocalState) -> ByteSet {
        var result: ByteSet
        if state.d == 0 {
            result = terms.firstBytes(state.c, isJSON: true)
            if isDeclared(state) { result.words.0 &= ~(1 << 0x22) }
        } else {
            result = terms.interiorBytes(state.c, state.d, isJSON: true)
        }
        return result
    }

    // MARK: Keys

    /// Narrows a range of spellings by one more byte.
    private mutating func narrowed(_ state: LocalState, _ byte: UInt8) -> Range<Int> {
        let object = program.objects[Int(objectStates[Int(state.a)].object)]
        let depth = Int(state.d)
        var low = Int(state.b)
        var high = Int(state.c)
        object.spelled.withUnsafeBufferPointer { spelled in
            // The first of at least the byte, then the first beyond it.
            var end = high
            while low < end {
                let middle = (low + end) / 2
                if spelled[middle].bytes[depth] < byte { low = middle + 1 } else { end = middle }
            }
            end = low
            while end < high {
                let middle = (end + high) / 2
                if spelled[middle].bytes[depth] <= byte { end = middle + 1 } else { high = middle }
            }
        }
        return low..<max(low, high)
    }

    mutating func makeDeclaredKeyMoves(_ state: LocalState, _ byte: UInt8, into out: inout [Move]) {
        let range = narrowed(state, byte)
        guard !range.isEmpty else { return }
        let description = program.objects[Int(objectStates[Int(state.a)].object)]
        let limit = orderLimit(state.a)
        let isPossible = range.contains { index in
            let key = Int(description.spelled[index].key)
            return key < limit && isAdmissible(state.a, key)
        }
        guard isPossible else { return }
        if description.spelled[range.lowerBound].bytes.count == Int(state.d) + 1 {
            // The closing quote: one key, one colon state per way to take it.
            let key = Int(description.spelled[range.lowerBound].key)
            for choice in description.keys[key].choices {
                let next = objectState(state.a, taking: key, claims: choice.claims)
                if next >= 0 {
                    out.append(Move(local: local(LocalState(kind: .colon, a: next, b: choice.node)), push: -1))
                }
            }
            return
        }
        let next = LocalState(
            kind: .declaredKey, a: state.a, b: Int32(range.lowerBound), c: Int32(range.upperBound), d: state.d + 1)
        out.append(Move(local: local(next), push: -1))
    }

    mutating func declaredKeyCost(_ state: LocalState) -> Int32 {
        let description = program.objects[Int(objectStates[Int(state.a)].object)]
        let limit = orderLimit(state.a)
        var best = TermStore.unreachable
        for index in Int(state.b)..<Int(state.c) {
            let (key, bytes) = description.spelled[index]
            guard key < limit, isAdmissible(state.a, Int(key)) else { continue }
            for choice in description.keys[Int(key)].choices {
                let after = costAfter(state.a, taking: Int(key), claims: choice.claims)
                let rest = TermStore.sum(after, choice.cost)
                best = min(best, TermStore.sum(rest, Int32(bytes.count) - state.d + 1))
            }
        }
        return best
    }

    /// The declared texts that go on like this: (first, end, depth) after more bytes; all 0 for none.
    private func exclusion(_ state: LocalState, _ bytes: [UInt8]) -> (Int32, Int32, Int32) {
        var low = Int(state.e)
        var high = Int(state.f)
        var depth = Int(state.g)
        guard low < high else { return (0, 0, 0) }
        program.objects[Int(objectStates[Int(state.a)].object)].texts.withUnsafeBufferPointer { texts in
            for byte in bytes {
                while low < high, texts[low].count <= depth || texts[low][depth] < byte { low += 1 }
                var end = low
                while end < high, texts[end].count > depth, texts[end][depth] == byte { end += 1 }
                high = end
                depth += 1
            }
        }
        return low < high ? (Int32(low), Int32(high), Int32(depth)) : (0, 0, 0)
    }

    private func exclusion(_ state: LocalState, character: UInt32) -> (Int32, Int32, Int32) {
        var bytes: [UInt8] = []
        UTF8Bytes.append(character, to: &bytes)
        return exclusion(state, bytes)
    }

    /// Whether the text read is a declared key.
    private mutating func isDeclared(_ state: LocalState) -> Bool {
        guard state.e < state.f else { return false }
        let texts = program.objects[Int(objectStates[Int(state.a)].object)].texts
        return texts[Int(state.e)].count == Int(state.g)
    }

    mutating func makeFreeKeyMoves(_ state: LocalState, _ byte: UInt8, into out: inout [Move]) {
        switch terms.stringStep(state.c, state.d, byte) {
        case .dead: return
        case .closed:
            if isDeclared(state) || state.b == LocalState.textOnly { return }
            let object = objectStates[Int(state.a)].object
            for choice in program.objects[Int(object)].classes[Int(state.b)].choices {
                let next = objectStateTakingFree(state.a, claims: choice.claims)
                if next >= 0 {
                    out.append(Move(local: local(LocalState(kind: .colon, a: next, b: choice.node)), push: -1))
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
                    (next.e, next.f, next.g) = exclusion(state, [byte])
                } else if position == 0 {
                    (next.e, next.f, next.g) = exclusion(
                        state, character: terms.character(read: byte, after: state.d))
                }
            }
            // A language of which only the declared keys are left is a dead end.
            if next.e < next.f, freeTextCost(next) == TermStore.unreachable { return }
            // A text alone, with no declared one to differ from, is like that of any other string.
            if next.b == LocalState.textOnly, next.e >= next.f {
                next = LocalState(kind: .string, a: next.c, b: next.d)
            }
            out.append(Move(local: local(next), push: -1))
        }
    }

    mutating func freeKeyCost(_ state: LocalState) -> Int32 {
        // With the quote only, as a string's.
        if state.b == LocalState.textOnly { return TermStore.sum(freeTextCost(state), 1) }
        return TermStore.sum(TermStore.sum(freeValueCost(state), freeTextCost(state)), 2)
    }

    /// Bytes to the end of the object after an undeclared key and its colon.
    mutating func freeValueCost(_ state: LocalState) -> Int32 {
        let object = objectStates[Int(state.a)].object
        var best = TermStore.unreachable
        for choice in program.objects[Int(object)].classes[Int(state.b)].choices {
            let next = objectStateTakingFree(state.a, claims: choice.claims)
            guard next >= 0 else { continue }
            best = min(best, TermStore.sum(objectStates[Int(next)].completion.afterValue, choice.cost))
        }
        return best
    }

    /// Bytes to the end of an undeclared key's text: the nearest that is not a declared one.
    private mutating func freeTextCost(_ state: LocalState) -> Int32 {
        if state.e >= state.f { return terms.cost(state.c, position: state.d) }
        if state.d != 0 {
            // Inside a character: what it will be is open; count one more character to leave the declared keys.
            return TermStore.sum(terms.cost(state.c, position: state.d), 4)
        }
        if terms[state.c].isNullable, !isDeclared(state) { return 0 }
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
                let (low, high, depth) = exclusion(state, character: codePoint)
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
