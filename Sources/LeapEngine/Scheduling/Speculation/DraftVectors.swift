import LeapCompute

/// The model's vectors of the latest positions that it has computed for their logits, as a drafter keeps them.
struct DraftVectors {
    /// The position of the first.
    let start: Int
    private let values: [Float]
    private let length: Int

    /// Copies vectors.
    init(_ computed: ComputedVectors) {
        start = computed.start
        values = Array(computed.vectors.values)
        length = computed.vectors.length
    }

    /// The vector of a position; nil where it is not among them.
    func vector(at position: Int) -> ArraySlice<Float>? {
        let first = (position - start) * length
        return first >= 0 && first < values.count ? values[first..<first + length] : nil
    }
}
