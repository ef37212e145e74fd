import Foundation
import LeapCompute
import LeapGGUF
import LeapModel
import LeapTestSupport
import Testing

/// Encoders of pictures with random weights, of the kinds and layers that the fixtures have, in lengths that kernels
/// take.
enum MadeTower: String, CaseIterable, CustomTestStringConvertible {
    case sigLIP = "vision"
    case smolVLM = "smolvlm"
    case qwen3VL = "qwen3vl"
    case qwen3VLMoE = "qwen3vlmoe"
    case qwen35 = "qwen35vl"
    case gemma4 = "gemma4vl"
    case lfm3 = "lfm3vl"

    var testDescription: String { rawValue }

    /// The fixture itself, whose rows of 48 weights have no kernels.
    func fixture() throws -> VisionEncoder {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try VisionEncoder.load(
            path: folder.appending(path: "Fixtures/\(rawValue)/mmproj-\(rawValue).gguf").path)
    }

    /// The length of vectors in the fixtures, and the one that they get here.
    private static let (fixtureLength, length) = (48, 64)
    /// The same within networks: those without gates keep theirs, which is no multiple of 32.
    private static let fixtureInner = 80
    private var inner: Int { [.gemma4, .lfm3].contains(self) ? 96 : Self.fixtureInner }

    /// An encoder.
    ///
    /// - Parameters:
    ///   - type: the type of the layers' matrices; those whose rows are no blocks of it have halves.
    ///   - isUnpacked: whether the file has the same numbers in single precision.
    func encoder(_ type: GGUFTensorType = .f32, isUnpacked: Bool = false) throws -> VisionEncoder {
        let file = try fixture().file
        var writer = GGUFWriter(copyingMetadataOf: file), random = SeededGenerator(seed: 40)
        writer.set("clip.vision.embedding_length", .uint32(UInt32(Self.length)))
        writer.set("clip.vision.feed_forward_length", .uint32(UInt32(inner)))
        for tensor in file.tensors {
            let isBound = tensor.name.hasSuffix("_min") || tensor.name.hasSuffix("_max")
            guard !isBound else {
                try writer.add(tensor)
                continue
            }
            let shape = tensor.shape.map(size), count = shape.reduce(1, *)
            let isMatrix = tensor.name.hasPrefix("v.blk.") && shape.count == 2 && tensor.name.hasSuffix(".weight")
            if isMatrix, type != .f32 {
                let own = shape[0] % type.blockSize == 0 ? type : .f16
                let matrix = TestMatrix(own, rows: shape[1], columns: shape[0], scale: 1.0 / 16, using: &random)
                if isUnpacked {
                    try writer.add(tensor: tensor.name, shape: shape, floats: matrix.elements)
                } else {
                    try writer.add(tensor: tensor.name, type: own, shape: shape, bytes: matrix.bytes)
                }
                continue
            }
            let isGain = tensor.name.hasSuffix(".weight") && shape.count == 1
            let spread: Float = isGain || shape.count == 1 ? 0.3 : 1 / Float(shape[0]).squareRoot()
            try writer.add(
                tensor: tensor.name, shape: shape,
                floats: (0..<count).map { _ in Float.random(in: -spread...spread, using: &random) + (isGain ? 1 : 0) })
        }
        return try VisionEncoder(file: try writer.file())
    }

    /// A dimension of a fixture's tensor in the longer encoder.
    private func size(_ size: Int) -> Int {
        if size == Self.fixtureInner { return inner }
        // One head, or two.
        if size == Self.fixtureLength / 4 { return Self.length / 4 }
        if size == Self.fixtureLength / 2 { return Self.length / 2 }
        return size % Self.fixtureLength == 0 ? size / Self.fixtureLength * Self.length : size
    }

    /// A picture of so many patches.
    static func picture(rows: Int, columns: Int, seed: UInt64 = 7) -> ImagePatches {
        var random = SeededGenerator(seed: seed)
        return ImagePatches(rows: rows, columns: columns, values: random.floats(rows * columns * 3 * 16 * 16))
    }

    /// Pictures of two sizes, the second with more than a page of patches.
    var pictures: [ImagePatches] {
        switch self {
        case .smolVLM: [Self.picture(rows: 6, columns: 6)]
        case .gemma4: [Self.picture(rows: 6, columns: 12)]
        default: [Self.picture(rows: 2, columns: 4), Self.picture(rows: 8, columns: 10)]
        }
    }
}
