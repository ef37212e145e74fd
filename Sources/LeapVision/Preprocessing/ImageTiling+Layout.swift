package import LeapBase

/// The layouts that a kind of tiling makes of images, and the pieces that stand for them in prompts; one file for each
/// kind.
package protocol ImageLayouts: Sendable {
    /// Returns the parts of an image of a size, without looking at its pixels.
    func layout(width: Int, height: Int) -> ImageLayout

    /// Returns the pieces that stand for an image in prompts, in order: each part once, and markers.
    func pieces(of layout: ImageLayout) -> [ImagePiece]

    /// Tokens of the largest number of parts, without markers.
    var maxImageTokens: Int { get }

    /// Sizes and tokens in words.
    var summary: String { get }

    /// Numbers that differ where an image's parts do.
    var fingerprint: [Int] { get }
}

extension ImageTiling: ImageLayouts {
    private var layouts: any ImageLayouts {
        switch self {
        case .native(let kind): kind
        case .squares(let kind): kind
        case .whole(let kind): kind
        case .filled(let kind): kind
        }
    }

    package func layout(width: Int, height: Int) -> ImageLayout { layouts.layout(width: width, height: height) }

    package func pieces(of layout: ImageLayout) -> [ImagePiece] { layouts.pieces(of: layout) }

    package var maxImageTokens: Int { layouts.maxImageTokens }

    package var summary: String { layouts.summary }

    package var fingerprint: [Int] { layouts.fingerprint }
}

/// A piece of what stands for a picture in a prompt.
package enum ImagePiece: Sendable, Equatable {
    /// A token of the vocabulary by its text; left out where there is none.
    case marker(String)
    /// Text of the format, in which control tokens count.
    case text(String)
    /// The vectors of a part, by its index.
    case part(Int)
}
