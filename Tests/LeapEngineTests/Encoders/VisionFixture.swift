import Foundation
import LeapBase
import LeapTestSupport
import LeapTokenizer
import LeapVision

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// A tiny model with random weights that reads pictures, with what transformers makes of pictures with it.
struct VisionFixture: Decodable {
    /// The families, by their folder and the names of the files in it.
    enum Family: String, CaseIterable {
        case lfm2 = "vision"
        case smolVLM = "smolvlm"
        case gemma4 = "gemma4vl"
        case gemma4Large = "gemma4vl-large"
        case lfm3 = "lfm3vl"
        case qwen3VL = "qwen3vl"
        case qwen3VLMoE = "qwen3vlmoe"
        case qwen35 = "qwen35vl"

        var isGemma4: Bool { self == .gemma4 || self == .gemma4Large }

        var folder: URL { Fixture.folder.appendingPathComponent(rawValue) }

        /// The tiling of its pictures.
        var tiling: ImageTiling {
            switch self {
            case .lfm2: .native(.init())
            case .smolVLM: .squares(.init(patchSize: 16, downsampling: 3, tileSize: 100, longestEdge: 400))
            case .gemma4, .gemma4Large: .filled(.init(patchSize: 16, downsampling: 3, tokens: 70))
            case .lfm3, .qwen3VL, .qwen3VLMoE, .qwen35:
                .whole(.init(patchSize: 16, downsampling: 2, minPixels: 4096, maxPixels: 32768))
            }
        }
    }

    struct Image: Decodable {
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

        /// The ids with places that tell rows and columns apart, where the family's pictures have such.
        ///
        /// - Parameter content: what the places of pictures differ in from those of others.
        func tokens(_ family: Family, content: UInt32 = 0) -> [TokenID] {
            let layout = family.tiling.layout(width: width, height: height)
            // Gemma 4 takes no notice of columns, but its pictures are told apart by them too.
            let other = family.isGemma4 ? layout.whole.width / layout.tileSize : nil
            guard let columns = layout.columnsOfWhole ?? other else { return ids }
            var place = 0
            return ids.map { id in
                guard id < 0 else {
                    place = 0
                    return id
                }
                defer { place += 1 }
                let step: PlaceToken.Step = place == 0 ? .grid : place % columns == 0 ? .row : .column
                return PlaceToken.make(step, content: content + UInt32(place))
            }
        }
    }

    let pictures: [Image]
    let chats: [Chat]

    static let folder = Family.lfm2.folder

    static func load(_ family: Family = .lfm2) throws -> VisionFixture {
        try JSONDecoder().decode(
            VisionFixture.self,
            from: Data(contentsOf: family.folder.appendingPathComponent("\(family.rawValue).json")))
    }

    static func encoder(_ family: Family = .lfm2) throws -> VisionEncoder {
        try VisionEncoder.load(path: family.folder.appendingPathComponent("mmproj-\(family.rawValue).gguf").path)
    }

    static func model(_ family: Family = .lfm2) throws -> Model {
        try Model.load(path: family.folder.appendingPathComponent("\(family.rawValue).gguf").path)
    }

    /// The parts of the picture that the script makes too.
    static func parts(width: Int, height: Int, _ family: Family = .lfm2) -> [ImagePatches] {
        let image = RGBImage(
            width: width, height: height, bytes: PatternImage.bytes(width: width, height: height))
        return family.tiling.layout(width: width, height: height).parts(of: image).map { part in
            ImagePatches(
                rows: part.height / 16, columns: part.width / 16, values: part.patchValues(patchSize: 16))
        }
    }
}
