import LeapEngine
import LeapTokenizer

extension PictureInput {
    /// Where the parts of pictures are: at the negative tokens, in their order.
    static func inputs(_ parts: [PicturePart], in prompt: [TokenID]) -> [PictureInput] {
        var start = 0
        return parts.map { part in
            let first = prompt[min(start, prompt.count)...].firstIndex { $0 < 0 } ?? prompt.count
            start = first + part.tokenCount
            return PictureInput(positions: first..<start, patches: part.patches)
        }
    }
}

extension PictureReader {
    /// What the engine gets for the pictures of a prompt that another process made.
    ///
    /// - Throws: ``LeapGenerationException`` where the prompt is not one over these pictures: what is kept for a picture is found by its tokens,
    ///   so that other tokens would give one app's picture to another.
    func inputs(_ files: [PictureFile], in prompt: [TokenID]) throws -> [PictureInput] {
        let read = try files.map { try self.read($0) }
        guard prompt.filter({ $0 < 0 }) == read.flatMap({ $0.tokens.filter { $0 < 0 } }) else {
            throw LeapGenerationException("the tokens of a prompt are not those of its pictures")
        }
        return PictureInput.inputs(read.flatMap(\.parts), in: prompt)
    }
}
