/// The share of proposals that are right: an estimate from counts, of which older ones fade.
struct AcceptanceRate: Sendable {
    /// The counts that are assumed before anything was proposed: 3.5 of 5 right.
    private static let assumed = (right: 3.5, judged: 5.0)
    /// The maximum number of tokens that have a say.
    private static let memory = 40.0

    private var right = 0.0
    private var judged = 0.0

    /// The share of proposed tokens that are right, of those whose predecessors were.
    var share: Double { (Self.assumed.right + right) / (Self.assumed.judged + judged) }

    /// Takes note of how many of the proposed tokens were right; those behind the first wrong one say nothing.
    mutating func note(proposed: Int, accepted: Int) {
        right += Double(accepted)
        judged += Double(accepted) + (accepted < proposed ? 1 : 0)
        if judged > Self.memory { fade(Self.memory / judged) }
    }

    /// Gives what was counted less weight.
    mutating func fade(_ factor: Double) {
        right *= factor
        judged *= factor
    }
}

/// The shares of proposals that are right by their place behind the output: those of a chain get worse with each step.
struct PlaceAcceptance: Sendable {
    /// The weight of the share of all places together, in tokens, before one was proposed at a place.
    private static let assumed = 4.0
    private static let memory = 40.0

    private var right = [Double](repeating: 0, count: DraftLength.limit)
    private var judged = [Double](repeating: 0, count: DraftLength.limit)

    /// The share of tokens proposed at a place that are right, of those whose predecessors were.
    func share(of place: Int, overall: Double) -> Double {
        guard judged.indices.contains(place) else { return overall }
        return (Self.assumed * overall + right[place]) / (Self.assumed + judged[place])
    }

    /// Takes note of how many of the proposed tokens were right.
    mutating func note(proposed: Int, accepted: Int) {
        for place in 0..<min(proposed, accepted + 1, judged.count) {
            judged[place] += 1
            if place < accepted { right[place] += 1 }
            guard judged[place] > Self.memory else { continue }
            right[place] *= Self.memory / judged[place]
            judged[place] = Self.memory
        }
    }

    /// Gives what was counted less weight.
    mutating func fade(_ factor: Double) {
        for place in judged.indices {
            right[place] *= factor
            judged[place] *= factor
        }
    }
}
