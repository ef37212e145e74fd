/// A position in a text: the automaton's state, and the items and keys that later ones must differ from.
struct Position {
    var state: Int32
    /// Nil outside of arrays of unique items and objects with undeclared keys.
    var ledger: Ledger?
}

/// Stepping with a ``Ledger``: an item or key like an earlier one has no way on.
extension GrammarAutomaton {
    /// The position after a symbol; its state is ``dead`` where the symbol may not come.
    ///
    /// A position may still be one from which only repetitions follow: ``isAlive(_:)`` tells.
    mutating func advance(_ position: inout Position, _ symbol: Int) {
        position.state = step(position.state, symbol)
        guard distinctness.needsLedger, position.state >= 0 else { return }
        if position.ledger == nil {
            guard symbol == 0x5B || symbol == 0x7B, opensTracked(position.state) else { return }
            position.ledger = Ledger()
        }
        guard symbol < 256 else {
            position.ledger = nil
            return
        }
        read(&position, UInt8(symbol))
    }

    private mutating func read(_ position: inout Position, _ byte: UInt8) {
        // (In place: a copy of the ledger takes longer than most bytes.)
        let isTracked = (byte == 0x5B || byte == 0x7B) && opensTracked(position.state)
        position.ledger?.read(byte, isTracked: isTracked)
        if position.ledger?.isFinished ?? true {
            position.ledger = nil
        } else if position.ledger?.repeatsItem ?? false {
            position.state = withoutItemEnd(position.state)
        } else if position.ledger?.repeatsKey ?? false {
            position.state = withoutKeyEnd(position.state)
        }
    }

    /// A state less the ways on that end an item of an array of unique items.
    private mutating func withoutItemEnd(_ state: Int32) -> Int32 {
        var kept: [(local: Int32, cont: Int32)] = []
        for (local, cont) in configurations(state) {
            let place = locals[local]
            if place.kind != .arrayNext || !arrays.isTracked(place.a) { kept.append((local, cont)) }
        }
        return self.state(state, keeping: kept)
    }

    /// A state less the ways on after a key.
    private mutating func withoutKeyEnd(_ state: Int32) -> Int32 {
        var kept: [(local: Int32, cont: Int32)] = []
        for (local, cont) in configurations(state) where locals[local].kind != .colon {
            kept.append((local, cont))
        }
        return self.state(state, keeping: kept)
    }

    /// True if a container has just opened whose items or keys must differ.
    ///
    /// (Mutating, so that the engine is never copied for the question.)
    private mutating func opensTracked(_ state: Int32) -> Bool {
        for (local, _) in configurations(state) {
            let local = locals[local]
            switch local.kind {
            case .arrayOpen: if local.b == 0, arrays.isTracked(local.a) { return true }
            case .objectOpen:
                if local.b == 0, objects.program(local.a).tracksKeys { return true }
            default: break
            }
        }
        return false
    }

    // MARK: Ways on

    /// True if some text can follow that repeats nothing.
    mutating func isAlive(_ position: Position) -> Bool {
        if position.state < 0 { return false }
        if isRoomy(position) { return true }
        return hasWayOn(position)
    }

    /// True if more values can be made from here than there are to differ from.
    private mutating func isRoomy(_ position: Position) -> Bool {
        guard let ledger = position.ledger, ledger.usedCount > 0 else { return true }
        if ledger.isDirect, !ledger.isConsistent, ledger.usedFrames <= 1 { return true }
        return Int(room(position.state)) > ledger.usedCount
    }

    /// Looks for a way to a roomy position, depth first, by counted steps.
    ///
    /// The order depends on the state alone, so whatever lies on the way that is found is found alive as well.
    private mutating func hasWayOn(_ start: Position) -> Bool {
        var stack: [(position: Position, bytes: [UInt8])] = [(start, orderedBytes(start.state))]
        var steps = 0
        // Zeros that add nothing to a number, and white space, lead to no other position.
        var visited: Set<ValueMark> = []
        while let last = stack.indices.last {
            guard let byte = stack[last].bytes.popLast() else {
                stack.removeLast()
                continue
            }
            steps += 1
            if steps > Self.maximumSearch { return false }
            var next = stack[last].position
            advance(&next, Int(byte))
            if next.state < 0 { continue }
            if isRoomy(next) { return true }
            guard let ledger = next.ledger, visited.insert(ledger.mark(with: next.state)).inserted else { continue }
            stack.append((next, orderedBytes(next.state)))
        }
        return false
    }

    private static let maximumSearch = 2_000

    /// The bytes of a state, the likeliest to end a value last, so that they are taken first.
    func orderedBytes(_ state: Int32) -> [UInt8] {
        var first: [UInt8] = []
        var last: [UInt8] = []
        bytes(ofState: state).forEach { byte in
            switch byte {
            case 0x20, 0x0A, 0x09, UInt8(ascii: "\\"), UInt8(ascii: "."), UInt8(ascii: "E"), UInt8(ascii: "+"):
                last.append(byte)
            default: first.append(byte)
            }
        }
        let enders = Array("\"}]:,".utf8)
        let (ending, others) = (first.filter(enders.contains), first.filter { !enders.contains($0) })
        return last + others.reversed() + ending.reversed()
    }
}
