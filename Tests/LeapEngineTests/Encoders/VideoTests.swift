import Foundation
import LeapBase
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import LeapVision
import Testing

@testable import LeapCPU
@testable import LeapEngine
@testable import LeapModel

/// Two frames at once.
@Suite(.inTurns)
struct VideoTests {
    private struct Reference: Decodable {
        let width: Int
        let height: Int
        /// Vectors of the two frames.
        let count: Int
        /// Those that are listed.
        let rows: [Int]
        let vectors: [Float]
    }

    private static let families: [VisionFixture.Family] = [.lfm3, .qwen3VL]

    private static func reference(_ family: VisionFixture.Family) throws -> Reference {
        let path = Fixture.folder.appendingPathComponent("video/\(family.rawValue).json")
        return try JSONDecoder().decode(Reference.self, from: Data(contentsOf: path))
    }

    /// The patches of the picture that the script makes, and of another one made of its bytes.
    private static func frames(width: Int, height: Int) -> (first: [Float], second: [Float]) {
        let bytes = PatternImage.bytes(width: width, height: height)
        func patches(_ bytes: [UInt8]) -> [Float] {
            RGBImage(width: width, height: height, bytes: bytes).patchValues(patchSize: 16)
        }
        return (patches(bytes), patches(bytes.map { UInt8((Int($0) * 7 + 13) % 256) }))
    }

    private static func patches(_ width: Int, _ height: Int, _ first: [Float], _ second: [Float]?) -> ImagePatches {
        ImagePatches(rows: height / 16, columns: width / 16, values: first, secondValues: second)
    }

    @Test("The vectors of two different frames are those of numpy", arguments: families)
    func vectors(family: VisionFixture.Family) throws {
        let encoder = try VisionFixture.encoder(family)
        let pass = VisionPass(encoder, kernels: try Kernels(threads: 2))
        let reference = try Self.reference(family)
        let frames = Self.frames(width: reference.width, height: reference.height)
        let patches = Self.patches(reference.width, reference.height, frames.first, frames.second)
        let all = try #require(try pass.encode(patches))
        let length = encoder.outputLength
        #expect(all.count == reference.count * length)
        let ours = reference.rows.flatMap { all[$0 * length..<($0 + 1) * length] }
        let largest = reference.vectors.map { abs($0) }.max() ?? 0
        let difference = zip(ours, reference.vectors).map { abs($0 - $1) }.max() ?? .infinity
        print("largest difference of \(family) with two frames: \(difference / largest) of the largest value")
        #expect(ours.count == reference.vectors.count && difference <= 1e-5 * largest)
        // The order of the frames counts.
        let turned = Self.patches(reference.width, reference.height, frames.second, frames.first)
        #expect(try pass.encode(turned) != all)
    }

    @Test("Two equal frames have the vectors of a picture, to the bit", arguments: families)
    func equalFrames(family: VisionFixture.Family) throws {
        let pass = VisionPass(try VisionFixture.encoder(family), kernels: try Kernels(threads: 1))
        let frames = Self.frames(width: 64, height: 96)
        let still = try pass.encode(Self.patches(64, 96, frames.first, nil))
        #expect(try pass.encode(Self.patches(64, 96, frames.first, frames.second)) != still)
        #expect(try pass.encode(Self.patches(64, 96, frames.first, frames.first)) == still)
    }

    @Test("A tower of one filter refuses two frames")
    func pictureTower() throws {
        let pass = VisionPass(try VisionFixture.encoder(.lfm2), kernels: try Kernels(threads: 1))
        let frames = Self.frames(width: 64, height: 64)
        let error = #expect(throws: EngineError.self) {
            try pass.encode(Self.patches(64, 64, frames.first, frames.second))
        }
        #expect(error?.code == .unsupportedTask && error?.message.contains("video") == true)
    }

    private static func video(
        _ family: VisionFixture.Family, _ keys: [(key: String, value: GGUFValue)] = []
    ) throws -> ImageTiling.Video? {
        let plain = try VisionFixture.encoder(family).file
        var writer = GGUFWriter()
        for (key, value) in plain.metadata.pairs { writer.set(key, value) }
        for (key, value) in keys { writer.set(key, value) }
        for tensor in plain.tensors {
            try writer.add(tensor: tensor.name, type: tensor.type, shape: tensor.shape, bytes: Array(tensor.data))
        }
        return try VisionEncoder(file: try writer.file()).tiling.video
    }

    @Test("A file's keys bound the pixels of videos; without them they are those of Qwen3-VL")
    func keys() throws {
        let (smallest, largest) = ("clip.vision.video_min_pixels", "clip.vision.video_max_pixels")
        for (family, frames) in [(VisionFixture.Family.lfm3, 384), (.qwen3VL, 768), (.qwen35, 768)] {
            #expect(try Self.video(family) == .init(minPixels: 4096, maxPixels: 25_165_824, maxFrames: frames))
            #expect(
                try Self.video(family, [(smallest, .uint32(8192)), (largest, .uint32(1 << 20))])
                    == .init(minPixels: 8192, maxPixels: 1 << 20, maxFrames: frames))
            #expect(throws: EngineError.self) {
                try Self.video(family, [(smallest, .uint32(8192)), (largest, .uint32(4096))])
            }
        }
        for family in [VisionFixture.Family.lfm2, .smolVLM, .gemma4] {
            #expect(try VisionFixture.encoder(family).tiling.video == nil)
        }
    }
}
