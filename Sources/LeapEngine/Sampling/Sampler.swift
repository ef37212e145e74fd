import LeapBase
package import LeapModel
package import LeapTokenizer

/// Draws tokens from logits: biases, penalties, top-nσ, top-k, top-p, min-p, temperature, seeded draw, in llama.cpp's
/// order.
///
/// The cost is one pass over the logits with 16 compared at a time (two where top-k is off and top-p is on), and sorts
/// of what is left only.
package struct Sampler: Sendable {
    private let temperature: Float
    private let topK: Int
    private let topP: Float
    private let minP: Float
    private let bias: [TokenID: Float]
    private let penalties: Penalties
    private let topNSigma: Float
    private var random: RandomGenerator
    /// The random numbers that were taken.
    package private(set) var drawCount = 0
    private var recent: RecentTokens
    private var candidates: [Candidate] = []
    private var weights: [Double] = []

    /// Logits this far below the largest one have no say in a sum of probabilities (e⁻⁴⁰ is 4·10⁻¹⁸).
    private static let reach: Float = 40
    private static let bucketCount = 512

    /// Makes a sampler; without a seed in the values it takes one from the system.
    ///
    /// - Parameter bias: what is added to the logits of tokens before the penalties.
    package init(_ values: SamplingValues, bias: [TokenID: Float] = [:]) {
        self.bias = bias
        func float(_ parameter: SamplingParameter) -> Float { Float(values.value(of: parameter)) }
        func int(_ parameter: SamplingParameter) -> Int { Int(clamping: Int64(values.value(of: parameter))) }
        temperature = float(.temperature)
        topK = int(.topK)
        topP = float(.topP)
        minP = float(.minP)
        penalties = Penalties(
            repetition: float(.repetitionPenalty), frequency: float(.frequencyPenalty),
            presence: float(.presencePenalty))
        topNSigma = float(.topNSigma)
        random = RandomGenerator(seed: values.seed ?? UInt64.random(in: .min ... .max))
        recent = RecentTokens(window: penalties.areOff ? 0 : int(.repetitionWindow))
    }

    /// Takes random numbers that an interrupted output has used.
    package mutating func skip(draws count: Int) {
        for _ in 0..<max(0, count) { _ = random.nextUnit() }
        drawCount += max(0, count)
    }

    /// Tells the sampler that a token is part of the sequence now: prompt tokens in order first, then each sampled one.
    package mutating func accept(_ token: TokenID) {
        recent.append(token)
    }

    /// Tells the sampler of a whole prompt.
    package mutating func accept(prompt: [TokenID]) {
        // Negative ones stand for pictures, which no output repeats.
        for token in prompt.suffix(recent.window) where token >= 0 { recent.append(token) }
    }

    /// Draws the next token.
    ///
    /// - Parameters:
    ///   - logits: one value per id; changed in place by the penalties.
    ///   - allowed: the ids that may be drawn, nil for all.
    /// - Returns: the id, or nil where nothing is allowed, no logit is a number or the largest one is infinite.
    package mutating func sample(logits: UnsafeMutableBufferPointer<Float>, allowed: TokenMask? = nil) -> TokenID? {
        for (token, bias) in bias where token >= 0 && Int(token) < logits.count { logits[Int(token)] += bias }
        penalties.apply(to: logits, recent: recent.counts)
        var scan = LogitScan(logits: UnsafeBufferPointer(logits), allowed: allowed)
        guard temperature > 0 else { return Self.finite(scan.maximum())?.token }
        if topNSigma > 0 { scan.keep(within: topNSigma) }

        if topK > 0, topK < logits.count {
            if topK == 1 { return Self.finite(scan.maximum())?.token }
            scan.top(topK, into: &candidates)
            if topP < 1 { cutToTopP() }
        } else if topP < 1 {
            guard let best = Self.finite(scan.maximum()) else { return nil }
            gatherTopP(scan, maximum: best.logit)
        } else {
            guard let best = Self.finite(scan.maximum()) else { return nil }
            let lowest = minP > 0 ? best.logit + logf(minP) : -.greatestFiniteMagnitude
            scan.all(from: lowest, into: &candidates)
        }
        guard var maximum = candidates.first?.logit else { return nil }
        for candidate in candidates where candidate.logit > maximum { maximum = candidate.logit }
        guard maximum.isFinite else { return nil }
        if minP > 0 {
            let lowest = maximum + logf(minP)
            candidates.removeAll { $0.logit < lowest }
        }
        return draw(maximum: maximum)
    }

    private static func finite(_ candidate: Candidate?) -> Candidate? {
        candidate.flatMap { $0.logit.isFinite ? $0 : nil }
    }

    /// Keeps the head of sorted candidates whose probability among them reaches top-p.
    private mutating func cutToTopP() {
        guard let maximum = candidates.first?.logit else { return }
        let sum = candidates.reduce(0) { $0 + Double(expf($1.logit - maximum)) }
        let target = Double(topP) * sum
        var cumulative = 0.0
        for index in candidates.indices {
            cumulative += Double(expf(candidates[index].logit - maximum))
            if cumulative >= target {
                candidates.removeLast(candidates.count - index - 1)
                return
            }
        }
    }

    /// The same over the whole vocabulary.
    ///
    /// Probabilities are summed in buckets of equal logit width first. That tells in which bucket top-p is reached:
    /// those above it stay whole, and it alone is sorted.
    private mutating func gatherTopP(_ scan: LogitScan, maximum: Float) {
        let scale = Float(Self.bucketCount) / Self.reach
        func bucket(_ logit: Float) -> Int { min(Int((maximum - logit) * scale), Self.bucketCount - 1) }
        var sums = [Double](repeating: 0, count: Self.bucketCount)
        var threshold = maximum - Self.reach
        scan.forEach(above: &threshold) { _, logit, _ in
            sums[bucket(logit)] += Double(expf(logit - maximum))
        }
        let target = Double(topP) * sums.reduce(0, +)
        var last = 0
        var cumulative = 0.0
        while last < Self.bucketCount - 1, cumulative + sums[last] < target {
            cumulative += sums[last]
            last += 1
        }
        var edge: [Candidate] = []
        candidates.removeAll(keepingCapacity: true)
        threshold = maximum - Float(last + 2) / scale
        scan.forEach(above: &threshold) { index, logit, _ in
            let candidate = Candidate(logit: logit, token: TokenID(index))
            let place = bucket(logit)
            if place < last { candidates.append(candidate) } else if place == last { edge.append(candidate) }
        }
        edge.sort(by: Candidate.precedes)
        for candidate in edge {
            candidates.append(candidate)
            cumulative += Double(expf(candidate.logit - maximum))
            if cumulative >= target { return }
        }
    }

    private mutating func draw(maximum: Float) -> TokenID? {
        weights.removeAll(keepingCapacity: true)
        // No choice takes no random number: forced tokens, however they are computed, leave the numbers to the others.
        if candidates.count == 1 { return candidates.first?.token }
        var sum = 0.0
        for candidate in candidates {
            let weight = Double(expf((candidate.logit - maximum) / temperature))
            weights.append(weight)
            sum += weight
        }
        drawCount += 1
        var remaining = random.nextUnit() * sum
        for (candidate, weight) in zip(candidates, weights) {
            remaining -= weight
            if remaining < 0 { return candidate.token }
        }
        return candidates.last?.token
    }
}
