import LeapCompute
import LeapModel

extension AudioAdapter {
    /// Projects an encoder's vectors, which are normed in place.
    func project(_ vectors: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.projectorInner]) }
        pass.kernels.norm(vectors, norm, into: vectors)
        let inner = try pass.project(vectors, first, into: .projectorInner)
        pass.kernels.gelu(inner)
        let projected = try pass.project(inner, second, into: .mediaVectors)
        if let residual { try residual.add(to: projected, pass) }
        return projected
    }
}

extension AudioAdapter.Residual {
    /// Adds what it makes of vectors to them.
    fileprivate func add(to vectors: Rows, _ pass: ForwardPass) throws(EngineError) {
        defer { pass.release([.normed, .mixed]) }
        let inner = try pass.project(try pass.norm(vectors, norm), down, into: .projectorInner)
        pass.kernels.gelu(inner)
        pass.kernels.add(try pass.project(inner, up, into: .mixed), to: vectors)
    }
}
