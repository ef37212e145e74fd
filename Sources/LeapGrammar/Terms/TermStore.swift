/// Regular languages over code points as hash-consed terms, stepped by Brzozowski derivatives.
///
/// A term is its own automaton state: the derivative by a character is the next state, so intersection, complement and
/// counted repetition cost nothing until they are walked, and nothing is ever determinised ahead of use.
struct TermStore {
    typealias ID = Int32

    enum Kind: UInt8 { case empty, epsilon, set, concat, or, and, not, `repeat`, trie }

    struct Term {
        var kind: Kind
        var isNullable: Bool
        /// True where no `and`/`not` is inside: then the language is not empty, by construction.
        var isPositive: Bool
        var a: Int32
        var b: Int32
        var c: Int32
        /// Caches, −1 while unknown: shortest spelling, first characters, characters that lead on.
        var cost: Int32 = -1
        var firstSet: Int32 = -1
        var liveSet: Int32 = -1
        /// Index into ``partitions``.
        var partition: Int32 = -1
        /// Terms inside one another.
        var depth: Int32 = 1
    }

    struct Key: Hashable {
        var kind: UInt8
        var a: Int32
        var b: Int32
        var c: Int32
    }

    static let empty: ID = 0
    static let epsilon: ID = 1
    /// One arbitrary character.
    static let anyCharacter: ID = 2
    /// Every text.
    static let all: ID = 3
    static let unreachable = Int32.max

    var terms: ContiguousArray<Term> = []
    private var index: [Key: ID] = [:]
    private var listIndex: [[Int32]: ID] = [:]
    private(set) var lists: ContiguousArray<Int32> = []
    private(set) var sets: [CodePointSet] = []
    private var setIndex: [CodePointSet: Int32] = [:]
    private var setBytes = 0
    var tries = LiteralTries()

    var derivatives = IntMap()
    var partitions = Partitions()
    var horizons: [Int64: ID] = [:]
    var alphabets: [ID: Int32] = [:]
    /// Numbers of texts, at least.
    var textCounts: [ID: Int32] = [:]
    /// Characters that any continuation needs at most, by language.
    var waysOut: [ID: Int32] = [:]
    /// The work that may still be done; when it is exhausted nothing is made any more, and all later answers are
    /// worthless.
    var work = WorkBudget(WorkBudget.compiling)

    init() {
        _ = add(Term(kind: .empty, isNullable: false, isPositive: true, a: 0, b: 0, c: 0))
        _ = add(Term(kind: .epsilon, isNullable: true, isPositive: true, a: 0, b: 0, c: 0))
        _ = set(.all)
        _ = repetition(Self.anyCharacter, 0, -1)
    }

    subscript(id: ID) -> Term {
        @inline(__always) get { terms[Int(id)] }
    }

    private mutating func add(_ term: Term) -> ID {
        let key = Key(kind: term.kind.rawValue, a: term.a, b: term.b, c: term.c)
        if let id = index[key] { return id }
        work.spend()
        if work.isExhausted { return Self.empty }
        let id = ID(terms.count)
        terms.append(term)
        switch term.kind {
        case .concat: terms[Int(id)].depth = 1 + max(self[term.a].depth, self[term.b].depth)
        case .not, .repeat: terms[Int(id)].depth = 1 + self[term.a].depth
        default: break
        }
        if term.isPositive { terms[Int(id)].cost = cost(of: term) }
        index[key] = id
        return id
    }

    // MARK: Building

    mutating func setID(_ set: CodePointSet) -> Int32 {
        if let id = setIndex[set] { return id }
        work.spend(1 + set.ranges.count >> 3)
        let id = Int32(sets.count)
        sets.append(set)
        setBytes += 96 + set.ranges.count * 8
        setIndex[set] = id
        return id
    }

    mutating func set(_ set: CodePointSet) -> ID {
        if set.isEmpty { return Self.empty }
        return add(Term(kind: .set, isNullable: false, isPositive: true, a: setID(set), b: 0, c: 0))
    }

    /// One of finitely many texts.
    mutating func oneOf(_ texts: some Sequence<String>) -> ID {
        trie(of: texts.map { $0.unicodeScalars.map(\.value) })
    }

    /// One of finitely many texts.
    mutating func trie(of texts: [[UInt32]]) -> ID {
        work.spend(texts.reduce(texts.count >> 3) { $0 + $1.count >> 1 })
        return work.isExhausted ? Self.empty : trie(tries.build(texts))
    }

    mutating func trie(_ node: Int32) -> ID {
        if node < 0 { return Self.empty }
        if tries[node].isLeaf { return Self.epsilon }
        return add(Term(kind: .trie, isNullable: tries[node].isTerminal, isPositive: true, a: node, b: 0, c: 0))
    }

    mutating func concat(_ a: ID, _ b: ID) -> ID {
        if a == Self.empty || b == Self.empty { return Self.empty }
        if a == Self.epsilon { return b }
        if b == Self.epsilon { return a }
        if a == Self.all, b == Self.all { return a }
        if self[a].kind == .concat {
            // Right-nested always; a long left side is taken apart without recursion.
            var parts: [ID] = []
            var rest = a
            while self[rest].kind == .concat {
                parts.append(self[rest].a)
                rest = self[rest].b
            }
            var result = concat(rest, b)
            for part in parts.reversed() { result = concat(part, result) }
            return result
        }
        let left = self[a]
        if a == Self.all, self[b].kind == .concat, self[b].a == Self.all { return b }
        return add(
            Term(
                kind: .concat, isNullable: left.isNullable && self[b].isNullable,
                isPositive: left.isPositive && self[b].isPositive, a: a, b: b, c: 0))
    }

    mutating func concat(_ parts: [ID]) -> ID {
        var result = Self.epsilon
        for part in parts.reversed() { result = concat(part, result) }
        return result
    }

    /// Between `minimum` and `maximum` (−1: no limit) repetitions.
    mutating func repetition(_ body: ID, _ minimum: Int32, _ maximum: Int32) -> ID {
        if maximum == 0 || body == Self.epsilon { return Self.epsilon }
        if body == Self.empty { return minimum == 0 ? Self.epsilon : Self.empty }
        if minimum == 1, maximum == 1 { return body }
        let term = self[body]
        let least = term.isNullable ? 0 : minimum
        if term.kind == .repeat, term.b == 0, term.c == -1 { return body }
        return add(
            Term(kind: .repeat, isNullable: least == 0, isPositive: term.isPositive, a: body, b: least, c: maximum))
    }

    func list(_ id: ID) -> ArraySlice<Int32> {
        let term = self[id]
        return ArraySlice(lists[Int(term.a)..<Int(term.a + term.b)])
    }

    private mutating func addList(_ kind: Kind, _ members: [Int32], nullable: Bool, positive: Bool) -> ID {
        work.spend(1 + members.count >> 2)
        if work.isExhausted { return Self.empty }
        let key = members + [Int32(kind.rawValue)]
        if let id = listIndex[key] { return id }
        work.spend()
        let id = ID(terms.count)
        terms.append(
            Term(
                kind: kind, isNullable: nullable, isPositive: positive, a: Int32(lists.count), b: Int32(members.count),
                c: 0))
        lists += members
        terms[Int(id)].depth = 1 + (members.map { self[$0].depth }.max() ?? 0)
        if positive || nullable { terms[Int(id)].cost = cost(of: terms[Int(id)]) }
        listIndex[key] = id
        return id
    }

    mutating func or(_ parts: [ID]) -> ID {
        var members: [ID] = []
        var classes = CodePointSet.none
        var hasClass = false
        func visit(_ id: ID) -> Bool {
            let term = self[id]
            switch term.kind {
            case .empty: break
            case .or:
                for member in list(id) where visit(member) { return true }
            case .set:
                classes = hasClass ? classes.union(sets[Int(term.a)]) : sets[Int(term.a)]
                hasClass = true
            default:
                if id == Self.all { return true }
                members.append(id)
            }
            return false
        }
        for part in parts where visit(part) { return Self.all }
        if hasClass { members.append(set(classes)) }
        members.sort()
        var unique: [ID] = []
        for member in members where unique.last != member { unique.append(member) }
        unique = mergeTries(unique)
        if unique.isEmpty { return Self.empty }
        if unique.count == 1 { return unique[0] }
        if unique.contains(Self.epsilon) {
            // ε ∪ r is r where r takes ε already.
            if unique.contains(where: { $0 != Self.epsilon && self[$0].isNullable }) {
                unique.removeAll { $0 == Self.epsilon }
                if unique.count == 1 { return unique[0] }
            }
        }
        return addList(
            .or, unique, nullable: unique.contains { self[$0].isNullable },
            positive: unique.allSatisfy { self[$0].isPositive })
    }

    private mutating func mergeTries(_ members: [ID]) -> [ID] {
        let nodes = members.filter { self[$0].kind == .trie }
        guard nodes.count > 1 else { return members }
        var node: Int32 = -1
        for member in nodes { node = tries.union(node, self[member].a, &work) }
        let merged = work.isExhausted ? Self.empty : trie(node)
        return (members.filter { self[$0].kind != .trie } + [merged]).sorted()
    }

    mutating func and(_ parts: [ID]) -> ID {
        var members: [ID] = []
        var classes: CodePointSet?
        func visit(_ id: ID) -> Bool {
            let term = self[id]
            switch term.kind {
            case .empty: return true
            case .and:
                for member in list(id) where visit(member) { return true }
            case .set: classes = classes?.intersection(sets[Int(term.a)]) ?? sets[Int(term.a)]
            default: if id != Self.all { members.append(id) }
            }
            return false
        }
        for part in parts where visit(part) { return Self.empty }
        if let classes {
            let single = set(classes)
            if single == Self.empty { return single }
            members.append(single)
        }
        members.sort()
        var unique: [ID] = []
        for member in members where unique.last != member { unique.append(member) }
        if unique.isEmpty { return Self.all }
        if unique.count == 1 { return unique[0] }
        if unique.contains(Self.epsilon) {
            return unique.allSatisfy { self[$0].isNullable } ? Self.epsilon : Self.empty
        }
        // Length bounds over any character: {a,b} ∧ {c,d} is one range.
        unique = mergeLengths(unique)
        if unique == [Self.empty] { return Self.empty }
        if unique.count == 1 { return unique[0] }
        // A finite operand makes the whole finite: test its texts one by one.
        if let finite = unique.first(where: { self[$0].kind == .trie }) {
            let others = unique.filter { $0 != finite }
            let texts = tries.texts(self[finite].a)
            work.spend(texts.reduce(texts.count >> 3) { $0 + $1.count >> 2 })
            let kept = texts.filter { text in others.allSatisfy { matches($0, text) } }
            return trie(of: kept)
        }
        if unique.contains(where: { self[$0].kind == .not && unique.contains(self[$0].a) }) { return Self.empty }
        return addList(.and, unique, nullable: unique.allSatisfy { self[$0].isNullable }, positive: false)
    }

    private mutating func mergeLengths(_ members: [ID]) -> [ID] {
        let ranges = members.filter { self[$0].kind == .repeat && self[$0].a == Self.anyCharacter }
        guard ranges.count > 1 else { return members }
        var low: Int32 = 0
        var high: Int32 = -1
        for id in ranges {
            low = max(low, self[id].b)
            if self[id].c >= 0 { high = high < 0 ? self[id].c : min(high, self[id].c) }
        }
        if high >= 0, high < low { return [Self.empty] }
        let merged = repetition(Self.anyCharacter, low, high)
        let rest = members.filter { !ranges.contains($0) }
        if merged == Self.epsilon {
            return rest.allSatisfy { self[$0].isNullable } ? [Self.epsilon] : [Self.empty]
        }
        return (rest + (merged == Self.all ? [] : [merged])).sorted()
    }

    mutating func not(_ id: ID) -> ID {
        let term = self[id]
        if term.kind == .not { return term.a }
        if id == Self.empty { return Self.all }
        if id == Self.all { return Self.empty }
        if term.kind == .repeat, term.a == Self.anyCharacter {
            // The complement of a length range is two length ranges.
            var parts: [ID] = []
            if term.b > 0 { parts.append(repetition(Self.anyCharacter, 0, term.b - 1)) }
            if term.c >= 0 { parts.append(repetition(Self.anyCharacter, term.c + 1, -1)) }
            return or(parts)
        }
        return add(Term(kind: .not, isNullable: !term.isNullable, isPositive: false, a: id, b: 0, c: 0))
    }

    // MARK: Stepping

    /// The language of what may follow `codePoint`.
    mutating func derivative(_ id: ID, _ character: UInt32) -> ID {
        if id <= Self.all { return id == Self.all ? id : id == Self.anyCharacter ? Self.epsilon : Self.empty }
        let codePoint = character < 0x80 ? character : representative(id, character)
        let key = UInt64(UInt32(bitPattern: id)) << 21 | UInt64(codePoint)
        if let known = derivatives[key] { return known }
        work.spend()
        if work.isExhausted { return Self.empty }
        let result = makeDerivative(id, codePoint)
        if work.isExhausted { return Self.empty }
        derivatives.set(key, result)
        return result
    }

    /// `left` then `right`, as a union of single ways where `left` is one: then the number of ways that a text leaves
    /// open is bounded by the size of the pattern.
    private mutating func distribute(_ left: ID, _ right: ID) -> ID {
        guard self[left].kind == .or else { return concat(left, right) }
        var parts: [ID] = []
        let (start, count) = (self[left].a, self[left].b)
        for offset in 0..<count { parts.append(concat(lists[Int(start + offset)], right)) }
        return or(parts)
    }

    /// One character for all that have the same derivative.
    private mutating func representative(_ id: ID, _ codePoint: UInt32) -> UInt32 {
        let bounds = bounds(id)
        var low = 0
        var high = bounds.count
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] <= codePoint { low = middle + 1 } else { high = middle }
        }
        return bounds[low - 1]
    }

    private mutating func makeDerivative(_ id: ID, _ codePoint: UInt32) -> ID {
        let term = self[id]
        switch term.kind {
        case .empty, .epsilon: return Self.empty
        case .set: return sets[Int(term.a)].contains(codePoint) ? Self.epsilon : Self.empty
        case .concat:
            let first = distribute(derivative(term.a, codePoint), term.b)
            if !self[term.a].isNullable { return first }
            return or([first, derivative(term.b, codePoint)])
        case .or:
            var parts: [ID] = []
            for offset in 0..<term.b { parts.append(derivative(lists[Int(term.a + offset)], codePoint)) }
            return or(parts)
        case .and:
            var parts: [ID] = []
            for offset in 0..<term.b {
                let part = derivative(lists[Int(term.a + offset)], codePoint)
                if part == Self.empty { return part }
                parts.append(part)
            }
            return and(parts)
        case .not: return not(derivative(term.a, codePoint))
        case .repeat:
            let step = derivative(term.a, codePoint)
            if step == Self.empty { return step }
            return distribute(step, repetition(term.a, max(term.b - 1, 0), term.c < 0 ? -1 : term.c - 1))
        case .trie: return trie(tries.child(term.a, codePoint))
        }
    }

    /// True if a text belongs to the language.
    mutating func matches(_ id: ID, _ text: some Sequence<UInt32>) -> Bool {
        var state = id
        for codePoint in text {
            state = derivative(state, codePoint)
            if state == Self.empty { return false }
        }
        return self[state].isNullable
    }

    mutating func matches(_ id: ID, _ text: String) -> Bool { matches(id, text.unicodeScalars.lazy.map(\.value)) }

    /// True for languages that only limit the length: these take every JSON escape.
    func isLengthOnly(_ id: ID) -> Bool {
        id == Self.all || id == Self.anyCharacter || self[id].kind == .repeat && self[id].a == Self.anyCharacter
    }

    var byteCount: Int {
        terms.count * 150 + lists.count * 12 + derivatives.byteCount
            + setBytes + partitions.byteCount + tries.byteCount
    }
}
