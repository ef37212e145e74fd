/// Leaves out the oldest turns of a history until it fits.
package enum HistoryTrimmer {
    /// A history cut into what may only be left out as a whole.
    ///
    /// The system message is not among the turns. A turn begins with a message of the user and goes on to the next one,
    /// so a call, its results and the answer stay together.
    package struct Turns {
        package let system: [ChatMessage]
        package let turns: [[ChatMessage]]

        package init(_ messages: [ChatMessage]) {
            let start = messages.firstIndex { $0.role != .system } ?? messages.count
            system = Array(messages[..<start])
            var turns: [[ChatMessage]] = []
            for message in messages[start...] {
                let isContinuation = turns.last.map { HistoryRules.isContinuation(message, after: $0) } ?? false
                if turns.isEmpty || (message.role == .user && !isContinuation) {
                    turns.append([message])
                } else {
                    turns[turns.count - 1].append(message)
                }
            }
            self.turns = turns
        }

        /// The history without its first `count` turns.
        package func dropping(_ count: Int) -> [ChatMessage] {
            system + turns.dropFirst(count).joined()
        }

        /// Returns the number of the first turns that hold exactly these messages; 0 where they are others, or all
        /// turns.
        package func count(of messages: [ChatMessage]) -> Int {
            var rest = messages[...]
            for (index, turn) in turns.dropLast().enumerated() where !rest.isEmpty {
                guard rest.starts(with: turn) else { return 0 }
                rest = rest.dropFirst(turn.count)
                if rest.isEmpty { return index + 1 }
            }
            return 0
        }
    }

    /// The fewest turns to leave out so that a history's tokens are at most `limit`, found by halving; nil if even the
    /// last turn alone is too long.
    ///
    /// - Parameter measure: the tokens of a history.
    package static func turnsToDrop(
        from turns: Turns, limit: Int, measure: ([ChatMessage]) throws -> Int
    ) rethrows -> Int? {
        let most = max(0, turns.turns.count - 1)
        guard try measure(turns.dropping(most)) <= limit else { return nil }
        var low = 0
        var high = most
        while low < high {
            let middle = (low + high) / 2
            if try measure(turns.dropping(middle)) <= limit { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
