import Foundation
import LeapBase
import LeapTestSupport
import LeapTokenizer
import LeapVision

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// A tiny projector of Gemma 4 12B with random weights, with what numpy makes of pictures and sounds with it in double
/// precision; its language model is that of `gemma4vl-large`.
struct Gemma4UnifiedFixture: Decodable {
    struct Image: Decodable {
        let width: Int
        let height: Int
        /// Vectors of all.
        let count: Int
        /// Those that are listed.
        let rows: [Int]
        let vectors: [Float]
    }

    struct Audio: Decodable {
        let samples: Int
        let count: Int
        let rows: [Int]
        let vectors: [Float]
    }

    let pictures: [Image]
    let sounds: [Audio]

    /// Pixels of a token's side.
    static let side = 12
    static let path = "gemma4u/mmproj-gemma4u.gguf"

    static func load() throws -> Gemma4UnifiedFixture {
        let url = Fixture.folder.appendingPathComponent("gemma4u/gemma4u.json")
        return try JSONDecoder().decode(Gemma4UnifiedFixture.self, from: Data(contentsOf: url))
    }

    static func pictures() throws -> VisionEncoder {
        try VisionEncoder.load(path: Fixture.folder.appendingPathComponent(path).path)
    }

    /// The picture that the script makes too, at a budget of tokens.
    static func patches(width: Int, height: Int, tokens: Int) throws -> ImagePatches? {
        let image = RGBImage(
            width: width, height: height, bytes: PatternImage.bytes(width: width, height: height))
        let tiling = ImageTiling.filled(.init(patchSize: side, downsampling: 1, tokens: tokens))
        return tiling.layout(width: width, height: height).parts(of: image).first.map { part in
            ImagePatches(
                rows: part.height / side, columns: part.width / side, values: part.patchValues(patchSize: side))
        }
    }
}
