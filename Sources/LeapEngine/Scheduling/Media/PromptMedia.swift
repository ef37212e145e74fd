import LeapCompute
import LeapModel
import LeapTokenizer

/// The pictures and sounds of one generation's prompt, as its passes need them.
final class PromptMedia: InputVectors {
    private let inputs: [MediaInput]
    private let prompt: [TokenID]
    /// Floats of a vector.
    private let length: Int
    /// The number of vectors that follow each of an image.
    private let additionCount: Int
    /// True if each picture has to be computed in one piece.
    private let keepsImagesWhole: Bool
    private var vectors: [Int: AlignedMemory] = [:]
    /// The contents for the encoder, of inputs that have no vectors yet.
    private var contents: [Int: MediaLoad] = [:]

    init(
        _ inputs: [MediaInput], prompt: [TokenID], length: Int, additionCount: Int = 0, keepsImagesWhole: Bool = false
    ) {
        self.inputs = inputs
        self.prompt = prompt
        self.length = length
        self.additionCount = additionCount
        self.keepsImagesWhole = keepsImagesWhole
    }

    /// Begins to make what the encoder reads at some of the prompt's positions; gives back what belongs to the
    /// positions before.
    ///
    /// - Parameter whenDone: called on another thread when what was not there is.
    /// - Returns: whether all of it is there.
    /// - Throws: ``EngineError`` with code `outOfMemory` if the system starts no thread.
    func begin(
        _ positions: Range<Int>, _ encoder: PromptEncoder, whenDone: @escaping @Sendable () -> Void
    ) throws(EngineError) -> Bool {
        for (index, input) in inputs.enumerated() {
            guard input.positions.overlaps(positions) else {
                if input.positions.upperBound <= positions.lowerBound { (vectors[index], contents[index]) = (nil, nil) }
                continue
            }
            if vectors[index] == nil { vectors[index] = encoder.keptVectors(for: prompt[input.positions]) }
            guard vectors[index] == nil else { continue }
            let content = contents[index] ?? MediaLoad()
            contents[index] = content
            guard try content.begin(input, whenDone) else { return false }
        }
        return true
    }

    /// Has the vectors for some of the prompt's positions, of which ``begin(_:_:whenDone:)`` said that all is there.
    ///
    /// - Returns: false if it was stopped, or if what was kept is no longer.
    /// - Throws: what making the content threw, or ``EngineError``.
    func prepare(_ positions: Range<Int>, _ encoder: PromptEncoder, shouldContinue: () -> Bool) throws -> Bool {
        for (index, input) in inputs.enumerated() where input.positions.overlaps(positions) && vectors[index] == nil {
            guard let content = try contents[index]?.content(),
                let made = try encoder.vectors(
                    for: prompt[input.positions], input.medium, content, shouldContinue: shouldContinue)
            else { return false }
            (vectors[index], contents[index]) = (made, nil)
        }
        return true
    }

    /// Has all vectors; what the encoder reads is made here.
    ///
    /// - Returns: false if it was stopped.
    /// - Throws: what making the content threw, or ``EngineError``.
    func prepare(with encoder: PromptEncoder, shouldContinue: () -> Bool) throws -> Bool {
        for (index, input) in inputs.enumerated() where vectors[index] == nil {
            let tokens = prompt[input.positions]
            guard
                let made = try encoder.keptVectors(for: tokens)
                    ?? encoder.vectors(
                        for: tokens, input.medium, input.content(), shouldContinue: shouldContinue)
            else { return false }
            vectors[index] = made
        }
        return true
    }

    /// Returns the end of a piece of the prompt; where pictures have to stay whole, of one that holds no part of a
    /// picture without the rest.
    ///
    /// That is before the picture that `end` is within, or behind it where nothing else is in the piece.
    func pieceEnd(from start: Int, to end: Int) -> Int {
        guard keepsImagesWhole,
            let picture = inputs.first(where: {
                $0.medium == .image && $0.positions.dropFirst().contains(end)
            })?.positions
        else {
            return end
        }
        return picture.lowerBound > start ? picture.lowerBound : picture.upperBound
    }

    func vector(at position: Int) -> UnsafePointer<Float> { vectors(at: position).first }

    func addition(at position: Int, layer: Int) -> UnsafePointer<Float>? {
        let (first, count) = vectors(at: position)
        return layer < count ? first + (1 + layer) * length : nil
    }

    /// The vector at a position, and how many more follow it.
    private func vectors(at position: Int) -> (first: UnsafePointer<Float>, additionCount: Int) {
        guard let index = inputs.firstIndex(where: { $0.positions.contains(position) }), let memory = vectors[index]
        else { preconditionFailure("prepare(_:_:shouldContinue:) has made the vectors of a segment") }
        let row = position - inputs[index].positions.lowerBound
        let count = inputs[index].medium == .image ? additionCount : 0
        return (
            UnsafePointer(memory.base.assumingMemoryBound(to: Float.self) + row * length * (1 + count)), count
        )
    }
}
