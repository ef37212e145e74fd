import LeapTokenizer

/// The latest tokens of a sequence and how often each occurs among them.
struct RecentTokens: Sendable {
    /// The maximum number of tokens.
    let window: Int
    private var ring: [TokenID] = []
    private var oldest = 0
    /// Occurrences of each token that is in the window.
    private(set) var counts: [TokenID: Int] = [:]

    /// A window over the last `window` tokens; 0 remembers nothing.
    init(window: Int) {
        self.window = window
    }

    /// Puts a token in; the one that falls out of the window is forgotten.
    mutating func append(_ token: TokenID) {
        guard window > 0 else { return }
        if ring.count < window {
            ring.append(token)
        } else {
            let old = ring[oldest]
            if let count = counts[old] { counts[old] = count > 1 ? count - 1 : nil }
            ring[oldest] = token
            oldest = oldest + 1 == window ? 0 : oldest + 1
        }
        counts[token, default: 0] += 1
    }
}
