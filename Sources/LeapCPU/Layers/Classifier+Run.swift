import LeapCompute
import LeapModel

extension Classifier {
    /// The scores of vectors that stand for texts.
    func run(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        guard let dense else { return try pass.project(input, output, into: .transformedTexts) }
        defer { pass.release([.classifierInner]) }
        let inner = try pass.project(input, dense, into: .classifierInner)
        switch activation {
        case .tanh: pass.kernels.softcap(inner, 1)
        case .exactGELU: pass.kernels.gelu(inner)
        }
        if let norm { pass.kernels.norm(inner, norm, into: inner) }
        return try pass.project(inner, output, into: .transformedTexts)
    }
}
