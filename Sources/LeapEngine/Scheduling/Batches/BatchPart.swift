import LeapCompute

/// A generation and the positions of its sequence that a step computes.
struct BatchPart {
    let generation: ActiveGeneration
    let segment: BatchSegment

    /// The next positions of a generation, at most so many.
    static func next(of generation: ActiveGeneration, budget: Int) -> BatchPart {
        BatchPart(generation: generation, segment: generation.nextSegment(budget: budget))
    }
}

extension [BatchPart] {
    /// The number of positions of all parts.
    var rows: Int { reduce(0) { $0 + $1.segment.count } }

    /// The number of tokens that the generations of all parts have put out.
    var generatedTokens: Int { reduce(0) { $0 + $1.generation.generated.count } }
}
