/// The rules by which a family of models has its pictures sized and cut, and marked in prompts; one file for each
/// family.
package protocol PictureRules: Sendable {
    /// Pixels of a patch's side.
    var patchSize: Int { get }

    /// Returns the parts that a picture becomes, without looking at its pixels.
    func layout(width: Int, height: Int) -> ImageLayout

    /// Returns the pieces of a prompt that stand for a picture, in order: each part once, and markers.
    func pieces(of layout: ImageLayout) -> [PicturePiece]

    /// Tokens of the largest number of parts, without markers.
    var maxPictureTokens: Int { get }

    /// Sizes and tokens in words.
    var summary: String { get }

    /// Numbers that differ where a picture's parts do.
    var fingerprint: [Int] { get }
}

/// A piece of what stands for a picture in a prompt.
package enum PicturePiece: Sendable, Equatable {
    /// A token of the vocabulary by its text; left out where there is none.
    case marker(String)
    /// Text of the format, in which control tokens count.
    case text(String)
    /// The vectors of a part, by its index.
    case part(Int)
}
