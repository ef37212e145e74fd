package import LeapBase

/// The projector of Idefics3 and SmolVLM: squares of patches side by side in one vector, and a product (transformers,
/// `modeling_idefics3.py`).
package struct IdeficsProjector: ImageProjector {
    package static let name = "idefics3"

    /// From the vectors of a square's patches.
    package let matrix: Matrix
    package let tiling: ImageTiling

    package init(_ reader: HyperparameterReader, _ binder: WeightBinder, tower: VisionTower) throws {
        let factor = try reader.optionalInt("projector.scale_factor", in: 1...16) ?? 2
        let side = try reader.int("image_size", in: 1...4096)
        // Files of older converters do not say it; the published models have four tiles' sides.
        let longest = try reader.optionalInt("preproc_image_size", in: 1...8192) ?? min(8192, 4 * side)
        let (patches, positions) = (side / tower.patchSize, tower.positions?.side ?? 0)
        guard patches > 0, patches % factor == 0, patches == positions else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("image_size")) is \(side), which is \(patches) patches of \(tower.patchSize) pixels: it has to be \(positions) patches, one for each position, and a multiple of \(factor)",
                field: reader.key("image_size"))
        }
        let output = try reader.int("projection_dim", in: 1...(1 << 20))
        matrix = try binder.matrix("mm.model.fc", rows: output, columns: tower.length * factor * factor, bias: true)
        tiling = .squares(
            .init(patchSize: tower.patchSize, downsampling: factor, tileSize: side, longestEdge: longest))
    }

    package var outputLength: Int { matrix.rows }
}
