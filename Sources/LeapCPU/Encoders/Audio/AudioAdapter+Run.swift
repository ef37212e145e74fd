import LeapCompute
import LeapModel

extension AudioAdapter {
    /// Projects an encoder's vectors.
    func project(_ vectors: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.normed, .projectorInner]) }
        let inner = try pass.project(try pass.norm(vectors, norm), first, into: .projectorInner)
        pass.kernels.gelu(inner)
        return try pass.project(inner, second, into: .mediaVectors)
    }
}
