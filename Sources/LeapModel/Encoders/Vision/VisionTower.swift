import LeapBase

/// The vision transformer of a projector file: patches become vectors that have seen all the others.
///
/// Each family has a file next to this one that describes it.
package struct VisionTower: Sendable {
    /// Pixels of a patch's side.
    package let patchSize: Int
    /// Length of the vectors between the layers.
    package let length: Int
    /// A norm of the patches' pixels.
    package var pixelNorm: Norm?
    /// Three colours of a patch to the vector's elements; its bias is added.
    package let patches: Matrix
    /// The same for the second of two frames, of towers that read video: a picture is both of them.
    package var secondPatches: Matrix?
    /// A norm of the patches' vectors.
    package var patchNorm: Norm?
    /// Learned positions, on a square grid.
    package var positions: PositionGrid?
    /// Learned positions of columns and rows.
    package var axisPositions: AxisPositions?
    /// The layers and the norm after them.
    package let stack: LayerStack

    /// True if a layer has a feed-forward network without gates.
    var hasPlainNetworks: Bool {
        stack.layers.contains { layer in
            if case .plain? = layer.feedForward { true } else { false }
        }
    }
}

/// The numbers that all towers have.
struct TowerHyperparameters {
    let layers: Int
    let length: Int
    let inner: Int
    let heads: Int
    let epsilon: Float
    let patchSize: Int

    /// Elements of a head.
    var head: Int { length / heads }

    init(_ reader: HyperparameterReader) throws {
        layers = try reader.int("block_count", in: 1...1024)
        length = try reader.int("embedding_length", in: 1...65_536)
        inner = try reader.int("feed_forward_length", in: 1...(1 << 20))
        heads = try reader.int("attention.head_count", in: 1...4096)
        epsilon = try reader.float("attention.layer_norm_epsilon", in: 0...1)
        patchSize = try reader.int("patch_size", in: 1...256)
        guard length % heads == 0, length / heads <= AttentionBlock.largestHead else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.head_count")) is \(heads) and \(reader.key("embedding_length")) is \(length): the first has to divide the second, into at most \(AttentionBlock.largestHead) each",
                field: reader.key("attention.head_count"))
        }
    }

    /// Refuses heads whose pairs cannot be shared by rows and columns.
    func checkGrid(_ reader: HyperparameterReader) throws(EngineError) {
        guard head % 4 == 0 else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.head_count")) is \(heads), which makes heads of \(head) elements: rotations by rows and columns need a multiple of 4",
                field: reader.key("attention.head_count"))
        }
    }
}
