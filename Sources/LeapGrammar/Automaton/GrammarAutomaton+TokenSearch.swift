/// Ways out looked for token by token: the shortest in bytes may have more tokens than another one.
extension GrammarAutomaton {
    /// States that are followed after each token.
    private static let followedStates = 3

    /// Tokens of a way out of a state; where none with at most `limit` of them is found, those of the shortest in
    /// bytes.
    ///
    /// After each token the few states are followed that are nearest to an end in bytes. What a state leads to does not
    /// depend on how it was reached, so every state on the way that is found leads to the end as well.
    mutating func searchedTokensToFinish(_ start: Int32, _ vocabulary: VocabularyIndex, limit: Int) -> Int {
        let known = tokensToFinish(start, vocabulary)
        let limit = min(limit, Self.longestExit)
        // No token takes the text further than its own bytes; costs are bounds from above, so twice as far here.
        guard known > limit, limit > 0, Int(cost(ofState: start)) <= limit * max(vocabulary.longestToken, 1) * 2 else {
            return known
        }
        var reached: [(state: Int32, before: Int?)] = [(start, nil)]
        var frontier = [0]
        var seen: Set<Int32> = [start]
        for count in 1...limit {
            var next: [(state: Int32, before: Int?)] = []
            for place in frontier {
                guard terms.work.left > WorkBudget.matching / 4 else { return known }
                for state in statesAfterTokens(reached[place].state, vocabulary) where seen.insert(state).inserted {
                    let rest = isAccepting(state) ? 0 : exits[state] ?? .max
                    if rest <= limit - count {
                        keep(reached, place, state, rest: rest)
                        return count + rest
                    }
                    next.append((state, place))
                }
            }
            let nearest = next.sorted {
                let (a, b) = (cost(ofState: $0.state), cost(ofState: $1.state))
                return a != b ? a < b : $0.state < $1.state
            }
            frontier = []
            for item in nearest.prefix(Self.followedStates) {
                frontier.append(reached.count)
                reached.append(item)
            }
            if frontier.isEmpty { return known }
        }
        return known
    }

    /// Keeps the numbers of tokens of all states of a way.
    private mutating func keep(
        _ reached: [(state: Int32, before: Int?)], _ last: Int, _ state: Int32, rest: Int
    ) {
        exits.lower(state, to: rest)
        var place: Int? = last
        var count = rest
        while let current = place {
            count += 1
            exits.lower(reached[current].state, to: count)
            place = reached[current].before
        }
    }

    /// The states that single tokens lead to, in the order of the tree.
    private mutating func statesAfterTokens(_ start: Int32, _ vocabulary: VocabularyIndex) -> [Int32] {
        let trie = vocabulary.trie
        var result: [Int32] = []
        var isListed: Set<Int32> = []
        func add(_ state: Int32) { if isListed.insert(state).inserted { result.append(state) } }
        var stack = [Int32](repeating: start, count: trie.maximumDepth + 2)
        var index = 1
        var visited = 0
        while index < trie.nodes.count {
            let node = trie.nodes[index]
            let next = step(stack[Int(node.depth) - 1], Int(node.byte))
            visited += 1
            if next < 0 {
                index = Int(node.end)
                continue
            }
            stack[Int(node.depth)] = next
            if node.token >= 0 { add(next) }
            index += 1
        }
        terms.work.spend(visited >> 5)
        for symbol in program.specialTokens.indices {
            let next = step(start, Self.firstSpecial + symbol)
            if next >= 0 { add(next) }
        }
        return result
    }
}
