import LeapBase

/// Reading keys byte by byte.
extension ObjectStates {
    /// The declared texts that begin like an undeclared key as far as it was read.
    ///
    /// A range of them, and the number of bytes that were read; all are 0 where no declared text begins so.
    typealias Exclusion = (first: Int32, end: Int32, depth: Int32)

    // MARK: Declared keys

    /// Returns the bytes with which a declared key goes on, of those whose keys may come now.
    mutating func declaredKeyBytes(_ state: LocalState, _ work: inout WorkBudget) -> ByteSet {
        var result = ByteSet()
        let spelled = program(state.a).spelled
        let limit = orderLimit(state.a)
        for index in Int(state.b)..<Int(state.c) {
            let byte = spelled[index].bytes[Int(state.d)]
            if result.contains(byte) { continue }
            let key = Int(spelled[index].key)
            if key < limit, isAdmissible(key, state.a, &work) { result.insert(byte) }
        }
        return result
    }

    /// Returns the spellings of a range that go on with a byte; empty where no key of them may come now.
    mutating func narrowed(_ state: LocalState, _ byte: UInt8, _ work: inout WorkBudget) -> Range<Int> {
        let program = program(state.a)
        let depth = Int(state.d)
        var low = Int(state.b)
        var high = Int(state.c)
        program.spelled.withUnsafeBufferPointer { spelled in
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
        let limit = orderLimit(state.a)
        for index in low..<max(low, high) {
            let key = Int(program.spelled[index].key)
            if key < limit, isAdmissible(key, state.a, &work) { return low..<high }
        }
        return low..<low
    }

    /// Returns the number of bytes to the end of the object by way of the cheapest declared key that goes on so.
    mutating func declaredKeyCost(_ state: LocalState, _ work: inout WorkBudget) -> Int32 {
        let program = program(state.a)
        let limit = orderLimit(state.a)
        var best = TermStore.unreachable
        for index in Int(state.b)..<Int(state.c) {
            let (key, bytes) = program.spelled[index]
            guard key < limit, isAdmissible(Int(key), state.a, &work) else { continue }
            for choice in program.keys[Int(key)].choices {
                let after = costAfter(Int(key), claims: choice.claims, state.a, &work)
                let rest = TermStore.sum(after, choice.cost)
                best = min(best, TermStore.sum(rest, Int32(bytes.count) - state.d + 1))
            }
        }
        return best
    }

    // MARK: Undeclared keys

    /// The bytes after which an undeclared key may still become a declared one: those of the declared texts, the one of
    /// an escape, and the quotation mark.
    func declaredBytes(_ state: LocalState) -> ByteSet {
        var result = ByteSet()
        result.insert(UInt8(ascii: "\""))
        result.insert(UInt8(ascii: "\\"))
        let texts = program(state.a).texts
        for index in Int(state.e)..<Int(state.f) where texts[index].count > Int(state.g) {
            result.insert(texts[index][Int(state.g)])
        }
        return result
    }

    /// The declared texts that still begin like an undeclared key after more bytes of it.
    func exclusion(_ state: LocalState, _ bytes: [UInt8]) -> Exclusion {
        var low = Int(state.e)
        var high = Int(state.f)
        var depth = Int(state.g)
        guard low < high else { return (0, 0, 0) }
        program(state.a).texts.withUnsafeBufferPointer { texts in
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

    /// The declared texts that still begin like an undeclared key after one more character of it.
    func exclusion(_ state: LocalState, character: UInt32) -> Exclusion {
        var bytes: [UInt8] = []
        UTF8Bytes.append(character, to: &bytes)
        return exclusion(state, bytes)
    }

    /// True if the text that was read of an undeclared key is that of a declared one.
    func isDeclared(_ state: LocalState) -> Bool {
        guard state.e < state.f else { return false }
        return program(state.a).texts[Int(state.e)].count == Int(state.g)
    }

    /// Returns the number of bytes to the end of the object after an undeclared key and its colon.
    mutating func freeValueCost(_ state: LocalState, _ work: inout WorkBudget) -> Int32 {
        var best = TermStore.unreachable
        for choice in program(state.a).classes[Int(state.b)].choices {
            guard let next = takingFree(claims: choice.claims, state.a, &work) else { continue }
            best = min(best, TermStore.sum(self[next].completion.afterValue, choice.cost))
        }
        return best
    }
}
