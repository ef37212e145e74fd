import Foundation
import LeapTestSupport
import LeapTokenizer
import LeapVision

@testable import LeapEngine

/// A tiny LFM2-VL with random weights, with what transformers makes of pictures with it.
struct VisionFixture: Decodable {
    struct Picture: Decodable {
        let width: Int
        let height: Int
        /// Vectors of all parts.
        let count: Int
        /// Those that are listed.
        let rows: [Int]
        let vectors: [Float]
    }

    struct Chat: Decodable {
        let width: Int
        let height: Int
        /// -1 where a vector comes in a token's place.
        let ids: [TokenID]
        /// Of the last two positions.
        let logits: [Float]
    }

    let pictures: [Picture]
    let chats: [Chat]

    static let folder = Fixture.folder.appendingPathComponent("vision")

    static func load() throws -> VisionFixture {
        try JSONDecoder().decode(
            VisionFixture.self, from: Data(contentsOf: folder.appendingPathComponent("vision.json")))
    }

    static func encoder() throws -> VisionEncoder {
        try VisionEncoder.load(path: folder.appendingPathComponent("mmproj-vision.gguf").path)
    }

    static func model() throws -> Model {
        try Model.load(path: folder.appendingPathComponent("vision.gguf").path)
    }

    /// The parts of the picture that the script makes too.
    static func parts(width: Int, height: Int) -> [VisionPass.Patches] {
        let image = RGBImage(
            width: width, height: height, bytes: PatternPicture.bytes(width: width, height: height))
        return TilingRules().layout(width: width, height: height).parts(of: image).map { part in
            VisionPass.Patches(
                rows: part.height / 16, columns: part.width / 16, values: part.patchValues(patchSize: 16))
        }
    }
}
