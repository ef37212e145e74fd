import LeapCompute
import LeapTokenizer

extension Rows {
    /// Sets the logits of tokens that the model never writes to minus infinity, in every row.
    func suppress(_ tokens: [TokenID]) {
        guard !tokens.isEmpty else { return }
        for index in 0..<count {
            let logits = row(index)
            for token in tokens where Int(token) < length { logits[Int(token)] = -.infinity }
        }
    }
}
