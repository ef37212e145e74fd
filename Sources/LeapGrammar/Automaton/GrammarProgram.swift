/// A compiled schema, pattern or grammar at run time: numbered value nodes and shapes, immutable and shared.
struct GrammarProgram: Sendable {
    /// Values of one (sub)schema.
    struct ValueNode: Sendable {
        /// Node of `literals` with the spellings of null, true, false and single numbers; nil where there are none.
        var literal: Int32?
        var numbers: [Int32] = []
        var string: TermStore.ID = TermStore.empty
        var arrays: [Int32] = []
        var objects: [Int32] = []
        /// Bytes of the shortest value; `TermStore.unreachable` where there is none.
        var cost: Int32 = TermStore.unreachable
        /// The number of values that `literal` spells.
        var literalCount: Int32 = 0
    }

    /// A way to fill a place: the value and the obligations it meets.
    struct Choice: Sendable {
        var node: Int32
        var claims: Int32
        var cost: Int32 = TermStore.unreachable
    }

    /// `@unchecked Sendable`: written while the program is built, by one owner, and never again.
    final class ArrayProgram: @unchecked Sendable {
        struct Contains: Sendable {
            var start: Int32
            var minimum: Int32
            /// Nil: no limit.
            var maximum: Int32?
        }
        /// Choices per position; the last entry is for all positions after the prefix.
        var items: [[Choice]]
        var minimum: Int32
        /// Nil: no limit.
        var maximum: Int32?
        var contains: [Contains]
        /// `uniqueItems`: each choice's `claims` is the number of its value, used at most once.
        var isUnique: Bool
        /// `uniqueItems` over values of which no spelling begins another: their spellings in byte order.
        var spelled: [(value: Int32, bytes: [UInt8])] = []
        /// The value and the length in bytes of each spelling.
        var spelledValues: [(value: Int32, length: Int32)] = []
        /// `uniqueItems` over values of any kind: the ``Ledger`` keeps which were written.
        var isTracked = false
        var prefixCount: Int { items.count - 1 }

        init(minimum: Int32, maximum: Int32?) {
            items = []
            (self.minimum, self.maximum) = (minimum, maximum)
            contains = []
            isUnique = false
        }
    }

    struct Key: Sendable {
        /// Bytes between the opening quote and, included, the closing one; the second, if any, with `\u` for what is
        /// not ASCII.
        var spellings: [[UInt8]]
        var text: [UInt8]
        var choices: [Choice]
        var isRequired: Bool
        /// Bytes of `"key":value` at its shortest.
        var cost: Int32 = TermStore.unreachable
    }

    struct KeyClass: Sendable {
        var names: TermStore.ID
        var choices: [Choice]
        var cost: Int32 = TermStore.unreachable
    }

    /// `@unchecked Sendable`: as ``ArrayProgram``.
    final class ObjectProgram: @unchecked Sendable {
        var keys: [Key]
        var classes: [KeyClass]
        var minimum: Int32
        /// Nil: no limit.
        var maximum: Int32?
        /// Per key: the keys it needs.
        var dependencies: [(key: Int32, needs: [Int32])]
        /// Number of obligations ("some property such that …").
        var needCount: Int32
        /// Spellings in byte order, for matching: (key, spelling).
        var spelled: [(key: Int32, bytes: [UInt8])] = []
        /// Texts in byte order, to keep undeclared keys apart.
        var texts: [[UInt8]] = []
        var tracksSeen: Bool
        var tracksCount: Bool
        /// Declared order (else any).
        var isOrdered: Bool

        /// Undeclared keys may come: the ``Ledger`` keeps which were written.
        var tracksKeys: Bool { !classes.isEmpty }

        /// No key makes another one necessary or impossible.
        var isSimple: Bool { dependencies.isEmpty && needCount == 0 && !tracksCount }

        init(
            minimum: Int32, maximum: Int32?, needCount: Int32, tracksSeen: Bool, tracksCount: Bool, isOrdered: Bool
        ) {
            (keys, classes, dependencies) = ([], [], [])
            (self.minimum, self.maximum, self.needCount) = (minimum, maximum, needCount)
            (self.tracksSeen, self.tracksCount, self.isOrdered) = (tracksSeen, tracksCount, isOrdered)
        }
    }

    var nodes: [ValueNode] = []
    var numbers: [NumberAutomaton] = []
    var arrays: [ArrayProgram] = []
    var objects: [ObjectProgram] = []
    /// Byte tries of literals.
    var literals = LiteralTries(countsBytes: true)
    var terms = TermStore()
    var rules: [RuleProgram] = []
    var triggers: [TriggerSet] = []
    /// The place where parsing starts.
    var start: Start = .value(0)
    var whitespace: GrammarOptions.Whitespace = .bounded
    /// Token ids that the grammar names (index = symbol − 256).
    var specialTokens: [Int32] = []

    enum Start: Sendable {
        case value(Int32)
        case text(TermStore.ID)
        case rule(Int32)
    }

    /// Indentation after a line break, in characters, at most.
    static let maximumIndentation: Int32 = 64
}

/// A rule of a GBNF or composed grammar.
struct RuleProgram: Sendable {
    enum Symbol: Sendable {
        /// One character of a set (set id of the terms).
        case characters(Int32)
        /// Fixed bytes.
        case bytes([UInt8])
        case rule(Int32)
        case value(Int32)
        case text(TermStore.ID)
        /// A token named by id, as symbol 256 + index.
        case token(Int32)
        /// Free text up to and with a trigger, or up to the end of the rule's text. Index into `triggers`.
        case free(Int32)
    }

    var name: String
    var alternatives: [[Symbol]]
    /// Shortest spelling in bytes.
    var cost: Int32 = TermStore.unreachable
    /// Shortest spelling of the rest of each alternative from each of its symbols on, 0 after the last.
    var tailCosts: [[Int32]] = []
    /// True if the empty text is among its texts.
    var isNullable = false
    /// Rules that this one can begin with have a higher rank; where they can begin with this one too, the same.
    var rank: Int32 = 0

    init(name: String, alternatives: [[Symbol]]) {
        self.name = name
        self.alternatives = alternatives
    }
}

/// Words that end free text, as an Aho–Corasick automaton over bytes.
struct TriggerSet: Sendable {
    private static let complete: Int32 = -1
    /// Per state, 256 targets, or ``complete``.
    private var transitions: [Int32] = []
    /// Special tokens that end the free text too, as symbols.
    var tokens: [Int32]

    init(words: [[UInt8]], tokens: [Int32]) {
        self.tokens = tokens
        var prefixes: [[UInt8]] = [[]]
        for word in words { for length in 1..<max(word.count, 1) { prefixes.append(Array(word[..<length])) } }
        var index: [[UInt8]: Int32] = [:]
        var states: [[UInt8]] = []
        for prefix in prefixes where index[prefix] == nil {
            index[prefix] = Int32(states.count)
            states.append(prefix)
        }
        transitions = [Int32](repeating: 0, count: states.count * 256)
        for (number, state) in states.enumerated() {
            for byte in 0...255 {
                var text = state + [UInt8(byte)]
                if words.contains(where: { !$0.isEmpty && text.count >= $0.count && Array(text.suffix($0.count)) == $0 }
                ) {
                    transitions[number * 256 + byte] = Self.complete
                    continue
                }
                while !text.isEmpty, index[text] == nil { text.removeFirst() }
                transitions[number * 256 + byte] = index[text] ?? 0
            }
        }
    }

    /// The state after a byte; nil where a trigger is complete.
    func next(_ state: Int32, _ byte: Int) -> Int32? {
        let target = transitions[Int(state) * 256 + byte]
        return target == Self.complete ? nil : target
    }
}
