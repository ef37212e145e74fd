import LeapModel
import LeapTokenizer

/// Draws the codes of one generation's frames.
///
/// Codes that are written one after the other come from one generator of random numbers, and earlier ones have no effect
/// on them. Codes that are written in passes come from one for each codebook, with penalties for its own latest codes.
struct CodeSampler {
    private let form: SpeechForm
    private var samplers: [Sampler]
    /// Draws the order of codebooks; nil where it is always the same.
    private var orders: RandomGenerator?
    /// In codebooks behind the first, an end of all codes is no code.
    private let audioCodes: TokenMask?

    init(_ decoder: SpeechDecoder, _ values: SamplingValues) {
        form = decoder.form
        guard case .inPasses = decoder.depth.order else {
            samplers = [Sampler(values)]
            var mask = TokenMask(count: form.codeCount, allowed: true)
            mask[TokenID(form.endCode)] = false
            audioCodes = mask
            return
        }
        audioCodes = nil
        var seeds = RandomGenerator(seed: values.seed ?? UInt64.random(in: .min ... .max))
        if values.value(of: .temperature) > 0 { orders = RandomGenerator(seed: seeds.next()) }
        samplers = (0..<form.codebookCount).map { _ in
            var values = values
            values.seed = seeds.next()
            return Sampler(values)
        }
    }

    /// Returns the codebooks in the order in which the next frame's codes are drawn: a random one, but for codes that
    /// are always the most likely ones.
    mutating func nextOrder() -> [Int] {
        var order = Array(0..<form.codebookCount)
        guard orders != nil else { return order }
        for place in stride(from: order.count - 1, to: 0, by: -1) {
            let other = Int((orders?.next() ?? 0) % UInt64(place + 1))
            order.swapAt(place, other)
        }
        return order
    }

    /// Returns the code to write next; nil where no logit is a number.
    mutating func draw(codebook: Int, from logits: UnsafeMutableBufferPointer<Float>) -> Int? {
        let index = samplers.count == 1 ? 0 : codebook
        return samplers[index].sample(logits: logits, allowed: codebook == 0 ? nil : audioCodes).map { Int($0) }
    }

    /// Takes note of a frame that became part of the output.
    mutating func accept(_ frame: SpeechFrame) {
        guard samplers.count == frame.codes.count else { return }
        for (codebook, code) in frame.codes.enumerated() { samplers[codebook].accept(TokenID(code)) }
    }
}
