import LeapCompute
import LeapModel

extension AudioAdapter {
    /// Projects an encoder's vectors, which are normed in place.
    func project(_ vectors: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.projectorInner]) }
        pass.kernels.norm(vectors, norm, into: vectors)
        let inner = try pass.project(vectors, first, into: .projectorInner)
        pass.kernels.gelu(inner)
        return try pass.project(inner, second, into: .mediaVectors)
    }
}
