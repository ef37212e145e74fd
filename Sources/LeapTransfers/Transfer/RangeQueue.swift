import LeapBase

/// The parts of a file that no connection has fetched yet, handed out to the connections that fetch them.
final class RangeQueue: Sendable {
    private let state: Locked<State>
    private let connections: Int64
    private let shortest: Int64
    private let longest: Int64

    private struct State {
        var gaps: [Range<Int64>]
        var workers: Int
    }

    init(missing: [Range<Int64>], connections: Int, shortest: Int64, longest: Int64) {
        state = Locked(State(gaps: missing, workers: connections))
        self.connections = Int64(clamping: connections)
        self.shortest = max(1, shortest)
        self.longest = max(1, longest)
    }

    /// The next part to fetch; nil when none is left.
    ///
    /// Parts grow shorter towards the end, so that all connections finish at about the same time.
    func claim() -> Range<Int64>? {
        state.withLock { state in
            guard let first = state.gaps.first else { return nil }
            let left = state.gaps.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
            let length = min(longest, max(shortest, left / (connections * 4)))
            guard first.upperBound - first.lowerBound > length else {
                state.gaps.removeFirst()
                return first
            }
            state.gaps[0] = (first.lowerBound + length)..<first.upperBound
            return first.lowerBound..<(first.lowerBound + length)
        }
    }

    /// Gives a part back that was not fetched.
    func give(back range: Range<Int64>) {
        guard !range.isEmpty else { return }
        state.withLock { state in
            let index = state.gaps.firstIndex { $0.lowerBound >= range.upperBound } ?? state.gaps.count
            state.gaps.insert(range, at: index)
        }
    }

    /// Lets a connection stop, unless it is the last.
    func retire() -> Bool {
        state.withLock { state in
            guard state.workers > 1 else { return false }
            state.workers -= 1
            return true
        }
    }
}
