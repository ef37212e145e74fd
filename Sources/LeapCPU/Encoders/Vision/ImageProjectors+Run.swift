import LeapCompute
import LeapModel

/// A projector that the processor runs.
protocol RunnableProjector {
    /// Projects the vectors of a grid of patches, row by row.
    func project(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows
}

extension IdeficsProjector: RunnableProjector {
    func project(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let squares = try pass.squares(of: patches, rows: rows, columns: columns, side: tiling.downsampling)
        return try pass.project(squares, matrix, into: .branch)
    }
}

extension LFM2Projector: RunnableProjector {
    func project(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        try merger.run(patches, rows: rows, columns: columns, pass)
    }
}

extension LFM3Projector: RunnableProjector {
    func project(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        try merger.run(patches, rows: rows, columns: columns, pass)
    }
}

extension Qwen3VLProjector: RunnableProjector {
    func project(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        try merger.run(patches, rows: rows, columns: columns, pass)
    }
}

extension PatchMerger {
    /// The vectors of a grid's squares, row by row.
    func run(_ patches: Rows, rows: Int, columns: Int, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let squares = try pass.squares(of: patches, rows: rows, columns: columns, side: factor)
        if let norm { pass.kernels.norm(squares, norm, into: squares) }
        let inner = try pass.project(squares, first, into: .up)
        pass.kernels.gelu(inner)
        return try pass.project(inner, second, into: .branch)
    }
}
