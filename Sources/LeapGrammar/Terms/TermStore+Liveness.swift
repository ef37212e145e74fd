/// Liveness: whether terms can be completed, at what cost, and by which characters.
extension TermStore {
    /// Bytes of the shortest JSON spelling of a text of the language; ``unreachable`` where it is empty.
    mutating func cost(_ id: ID) -> Int32 {
        let known = terms[Int(id)].cost
        if known >= 0 { return known }
        let kind = terms[Int(id)].kind
        guard kind == .concat || kind == .or || kind == .repeat else { return search(id) }
        let result = cost(of: terms[Int(id)])
        terms[Int(id)].cost = result
        return result
    }

    /// The cost by structure; exact for all kinds but `and` and `not`.
    mutating func cost(of term: Term) -> Int32 {
        if term.isNullable { return 0 }
        switch term.kind {
        case .set: return Int32(sets[Int(term.a)].spellingCost)
        case .concat: return Self.sum(cost(term.a), cost(term.b))
        case .or:
            var best = Self.unreachable
            for offset in 0..<term.b { best = min(best, cost(lists[Int(term.a + offset)])) }
            return best
        case .repeat:
            if term.b == 0 { return 0 }
            let body = cost(term.a)
            let (product, overflow) = body.multipliedReportingOverflow(by: term.b)
            return body == Self.unreachable || overflow ? Self.unreachable : product
        case .trie: return tries[term.a].cost
        default: return Self.unreachable
        }
    }

    static func sum(_ a: Int32, _ b: Int32) -> Int32 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow || a == unreachable || b == unreachable ? unreachable : sum
    }

    /// A bound from below on ``cost(_:)`` that needs no search.
    private mutating func lowerBound(_ id: ID) -> Int32 {
        let term = self[id]
        if term.isNullable { return 0 }
        if term.isPositive { return cost(id) }
        switch term.kind {
        case .and:
            var bound: Int32 = 0
            for offset in 0..<term.b { bound = max(bound, lowerBound(lists[Int(term.a + offset)])) }
            return bound
        case .or:
            var bound = Self.unreachable
            for offset in 0..<term.b { bound = min(bound, lowerBound(lists[Int(term.a + offset)])) }
            return bound
        case .concat: return Self.sum(lowerBound(term.a), lowerBound(term.b))
        default: return 0
        }
    }

    /// A* over derivatives to the nearest term that takes ε, or that is known.
    private mutating func search(_ start: ID) -> Int32 {
        var queue = CostQueue()
        var distance: [ID: Int32] = [start: 0]
        var parent: [ID: ID] = [:]
        var closed: Set<ID> = []
        queue.push(Int(lowerBound(start)), start)
        while let (_, id) = queue.pop() {
            if !closed.insert(id).inserted { continue }
            let reached = distance[id] ?? 0
            let known = self[id].isNullable ? 0 : self[id].cost
            if known >= 0, known != Self.unreachable {
                var node = id
                var left = known
                terms[Int(node)].cost = left
                while let previous = parent[node] {
                    left += (distance[node] ?? 0) - (distance[previous] ?? 0)
                    terms[Int(previous)].cost = left
                    node = previous
                }
                return left
            }
            if known == Self.unreachable { continue }
            let cells = cells(id)
            work.spend(4 + cells.count >> 2)
            if work.isExhausted { return Self.unreachable }
            for cell in cells {
                let next = derivative(id, cell.lowerBound)
                if next == Self.empty || closed.contains(next) { continue }
                let step = Self.sum(reached, Int32(CodePointSet(sorted: [cell]).spellingCost))
                if step < distance[next] ?? Self.unreachable {
                    distance[next] = step
                    parent[next] = id
                    let exact = self[next].isNullable ? 0 : self[next].cost
                    let bound = exact >= 0 ? exact : lowerBound(next)
                    if bound != Self.unreachable { queue.push(Int(step) + Int(bound), next) }
                }
            }
        }
        if work.isExhausted { return Self.unreachable }
        // Nothing reaches an end from anything that was seen.
        for id in closed { terms[Int(id)].cost = Self.unreachable }
        terms[Int(start)].cost = Self.unreachable
        return Self.unreachable
    }

    /// The characters after which the text can still be completed.
    mutating func liveSet(_ id: ID) -> Int32 {
        if self[id].liveSet >= 0 { return self[id].liveSet }
        let result: Int32
        if self[id].isPositive {
            result = firstSet(id)
        } else {
            var ranges: [ClosedRange<UInt32>] = []
            let cells = cells(id)
            work.spend(cells.count >> 3)
            for cell in cells {
                let next = derivative(id, cell.lowerBound)
                if cost(next) != Self.unreachable { ranges.append(cell) }
            }
            result = setID(CodePointSet(ranges))
        }
        if work.isExhausted { return result }
        terms[Int(id)].liveSet = result
        return result
    }

    /// The first characters of a positive term's texts.
    private mutating func firstSet(_ id: ID) -> Int32 {
        let term = self[id]
        if term.firstSet >= 0 { return term.firstSet }
        let result: Int32
        switch term.kind {
        case .set: result = term.a
        case .concat:
            let first = firstSet(term.a)
            if self[term.a].isNullable {
                let second = firstSet(term.b)
                result = setID(sets[Int(first)].union(sets[Int(second)]))
            } else {
                result = first
            }
        case .repeat: result = firstSet(term.a)
        case .or:
            var distinct: Set<Int32> = []
            for offset in 0..<term.b { distinct.insert(firstSet(lists[Int(term.a + offset)])) }
            let ranges = distinct.sorted().flatMap { sets[Int($0)].ranges }
            work.spend(ranges.count >> 4)
            result = setID(CodePointSet(ranges))
        case .trie: result = setID(CodePointSet(tries.points(term.a).map { $0...$0 }))
        default: result = setID(.none)
        }
        terms[Int(id)].firstSet = result
        return result
    }

    /// Ranges of characters that all have one derivative.
    mutating func cells(_ id: ID) -> [ClosedRange<UInt32>] {
        let bounds = bounds(id)
        var result: [ClosedRange<UInt32>] = []
        result.reserveCapacity(bounds.count)
        for index in bounds.indices where bounds[index] != 0xD800 {
            let end = index + 1 < bounds.count ? bounds[index + 1] - 1 : 0x10FFFF
            result.append(bounds[index]...end)
        }
        return result
    }

    /// Starts of the ranges on which the derivative is constant; the surrogates are a range of their own.
    mutating func bounds(_ id: ID) -> [UInt32] {
        let number = partition(id)
        return partitions[number]
    }

    /// The number of a term's partition.
    ///
    /// Parts share theirs with what is made of them, however often they occur in it.
    private mutating func partition(_ id: ID) -> Int32 {
        let term = self[id]
        if term.partition >= 0 { return term.partition }
        var result = Partitions.whole
        switch term.kind {
        case .empty, .epsilon: break
        case .set: result = partitions.of(sets[Int(term.a)], &work)
        case .concat:
            result = partition(term.a)
            if self[term.a].isNullable { result = partitions.merged(result, partition(term.b), &work) }
        case .or, .and:
            var distinct: Set<Int32> = []
            for offset in 0..<term.b { distinct.insert(partition(lists[Int(term.a + offset)])) }
            for other in distinct.sorted() { result = partitions.merged(result, other, &work) }
        case .not, .repeat: result = partition(term.a)
        case .trie: result = partitions.of(CodePointSet(tries.points(term.a).map { $0...$0 }), &work)
        }
        terms[Int(id)].partition = result
        return result
    }
}
