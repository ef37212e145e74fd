/// Makes tokens less likely that occurred lately.
struct Penalties: Sendable {
    /// Divides positive logits and multiplies negative ones; 1 is off.
    let repetition: Float
    /// Subtracted once for each occurrence; 0 is off.
    let frequency: Float
    /// Subtracted once; 0 is off.
    let presence: Float

    /// True if nothing changes.
    var areOff: Bool { repetition == 1 && frequency == 0 && presence == 0 }

    /// Changes the logits of tokens by how often each occurs.
    func apply(to logits: UnsafeMutableBufferPointer<Float>, recent counts: [Int32: Int]) {
        guard !areOff else { return }
        for (token, count) in counts where token >= 0 && Int(token) < logits.count {
            let logit = logits[Int(token)]
            let repeated = logit > 0 ? logit / repetition : logit * repetition
            logits[Int(token)] = repeated - Float(count) * frequency - presence
        }
    }
}
