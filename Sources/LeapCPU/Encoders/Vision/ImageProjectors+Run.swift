import LeapBase
import LeapCompute
import LeapModel

/// A projector that the processor runs.
protocol RunnableProjector {
    /// Projects the vectors of a grid of patches, row by row.
    func project(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows
}

extension IdeficsProjector: RunnableProjector {
    func project(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.squares]) }
        let squares = try pass.squares(of: patches, rows: rows, columns: columns, side: tiling.downsampling)
        return try pass.project(squares, matrix, into: .mediaVectors)
    }
}

/// A projector that merges squares of patches, and does nothing else.
protocol MergingProjector: RunnableProjector {
    var merger: PatchMerger { get }
}

extension MergingProjector {
    func project(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        try merger.run(patches, rows: rows, columns: columns, pass)
    }
}

extension LFM2Projector: MergingProjector {}
extension LFM3Projector: MergingProjector {}
extension Qwen3VLProjector: MergingProjector {}

extension Gemma4Projector: RunnableProjector {
    func project(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.squares, .means]) }
        let squares = try pass.squares(of: patches, rows: rows, columns: columns, side: factor)
        // The patches, which may lie there, are all in the squares.
        pass.release([.normed])
        let means = try pass.rows(.means, squares.count, patches.length)
        let (bound, count) = (pass.kernels.bound, factor * factor)
        let scaling = sqrtf(Float(patches.length)) / Float(count)
        let (bias, scale) = (bias.map(bound.floats), scale.map(bound.floats))
        for row in 0..<means.count {
            let (from, to) = (squares.row(row), means.row(row))
            for index in 0..<means.length {
                var sum: Float = 0
                for patch in 0..<count { sum += from[patch * means.length + index] }
                to[index] = (sum * scaling - (bias?[index] ?? 0)) * (scale?[index] ?? 1)
            }
        }
        pass.kernels.rmsNorm(means, norm, into: means)
        return try pass.project(means, matrix, into: .mediaVectors)
    }
}

extension Gemma4UnifiedProjector: RunnableProjector {
    func project(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        pass.kernels.rmsNorm(patches, norm, into: patches)
        return try pass.project(patches, matrix, into: .mediaVectors)
    }
}

extension PatchMerger {
    /// The vectors of a grid's squares, row by row.
    func run(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.squares, .projectorInner]) }
        let squares = try pass.squares(of: patches, rows: rows, columns: columns, side: factor)
        if let norm { pass.kernels.norm(squares, norm, into: squares) }
        let inner = try pass.project(squares, first, into: .projectorInner)
        pass.kernels.gelu(inner)
        return try pass.project(inner, second, into: .mediaVectors)
    }
}
