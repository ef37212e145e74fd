import LeapTokenizer

/// The pictures and sounds of one generation's prompt, as its passes need them.
final class PromptMedia: InputVectors {
    private let inputs: [MediaInput]
    private let prompt: [TokenID]
    /// Floats of a vector.
    private let length: Int
    private var vectors: [Int: AlignedMemory] = [:]

    init(_ inputs: [MediaInput], prompt: [TokenID], length: Int) {
        self.inputs = inputs
        self.prompt = prompt
        self.length = length
    }

    /// Has the vectors for some of the prompt's positions; gives back those of the positions before.
    ///
    /// - Returns: false if it was stopped.
    func prepare(_ positions: Range<Int>, _ encoder: PromptEncoder, shouldContinue: () -> Bool) throws -> Bool {
        for (index, input) in inputs.enumerated() {
            guard input.positions.overlaps(positions) else {
                if input.positions.upperBound <= positions.lowerBound { vectors[index] = nil }
                continue
            }
            guard vectors[index] == nil else { continue }
            guard
                let made = try encoder.vectors(
                    for: prompt[input.positions], input, shouldContinue: shouldContinue)
            else { return false }
            vectors[index] = made
        }
        return true
    }

    func vector(at position: Int) -> UnsafePointer<Float> {
        guard let index = inputs.firstIndex(where: { $0.positions.contains(position) }), let memory = vectors[index]
        else { preconditionFailure("prepare(_:_:shouldContinue:) has made the vectors of a segment") }
        let row = position - inputs[index].positions.lowerBound
        return UnsafePointer(memory.base.assumingMemoryBound(to: Float.self) + row * length)
    }
}
