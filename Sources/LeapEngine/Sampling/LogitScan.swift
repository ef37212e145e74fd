import LeapModel
import LeapTokenizer

/// One token that may be drawn, and its logit.
struct Candidate {
    var logit: Float
    var token: TokenID

    /// The more likely token first; of equally likely ones the smaller id, so that the order never depends on the
    /// search.
    static func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
        a.logit > b.logit || (a.logit == b.logit && a.token < b.token)
    }
}

/// Walks logits that pass a threshold and a mask, 16 at a time.
///
/// A vocabulary has 65 to 260 thousand entries and this runs for every token, so nothing here looks at single logits
/// unless one of their block passes. A NaN never passes a comparison and so is never a candidate.
struct LogitScan {
    let logits: UnsafeBufferPointer<Float>
    let allowed: TokenMask?
    /// Smaller logits are passed over.
    private var lowest = -Float.infinity

    /// Walks all logits, or the allowed ones.
    init(logits: UnsafeBufferPointer<Float>, allowed: TokenMask?) {
        self.logits = logits
        self.allowed = allowed
    }

    /// Passes over logits that are more than `deviations` standard deviations below the largest one.
    mutating func keep(within deviations: Float) {
        var (count, sum, squares, largest) = (0.0, 0.0, 0.0, -Float.infinity)
        var threshold = -Float.infinity
        forEach(above: &threshold) { _, logit, _ in
            count += 1
            sum += Double(logit)
            squares += Double(logit) * Double(logit)
            largest = max(largest, logit)
        }
        guard count > 0 else { return }
        let mean = sum / count
        lowest = largest - deviations * Float(max(squares / count - mean * mean, 0).squareRoot())
    }

    /// Calls `body` with the index and value of every allowed logit that is above `threshold`, which `body` may raise.
    @inline(__always)
    func forEach(above threshold: inout Float, _ body: (Int, Float, inout Float) -> Void) {
        let count = allowed.map { min($0.count, logits.count) } ?? logits.count
        guard count > 0, let base = logits.baseAddress else { return }
        if lowest > -.infinity { threshold = max(threshold, lowest.nextDown) }
        var index = 0
        while index < count {
            let end = min(index + 64, count)
            var bits: UInt64 = .max
            if let allowed { bits = allowed.words[index >> 6] }
            if bits == 0 {
                index = end
                continue
            }
            if end - index == 64 {
                for lane in stride(from: index, to: end, by: 16) {
                    let block = UnsafeRawPointer(base + lane).loadUnaligned(as: SIMD16<Float>.self)
                    guard any(block .> threshold) else { continue }
                    for i in lane..<lane + 16 where base[i] > threshold && bits >> UInt64(i & 63) & 1 != 0 {
                        body(i, base[i], &threshold)
                    }
                }
            } else {
                for i in index..<end where base[i] > threshold && bits >> UInt64(i & 63) & 1 != 0 {
                    body(i, base[i], &threshold)
                }
            }
            index = end
        }
    }

    /// The most likely allowed token, the first of equals; nil if nothing is allowed or no logit is a number.
    func maximum() -> Candidate? {
        var best: Candidate?
        var threshold = -Float.infinity
        forEach(above: &threshold) { index, logit, threshold in
            best = Candidate(logit: logit, token: TokenID(index))
            threshold = logit
        }
        return best
    }

    /// The k most likely allowed tokens, most likely first.
    func top(_ k: Int, into candidates: inout [Candidate]) {
        candidates.removeAll(keepingCapacity: true)
        let limit = k + max(k, 64)
        var threshold = -Float.infinity
        forEach(above: &threshold) { index, logit, threshold in
            candidates.append(Candidate(logit: logit, token: TokenID(index)))
            if candidates.count == limit {
                candidates.sort(by: Candidate.precedes)
                candidates.removeLast(limit - k)
                threshold = candidates[k - 1].logit
            }
        }
        candidates.sort(by: Candidate.precedes)
        if candidates.count > k { candidates.removeLast(candidates.count - k) }
    }

    /// Every allowed token whose logit is at least `minimum`, by id.
    func all(from minimum: Float, into candidates: inout [Candidate]) {
        candidates.removeAll(keepingCapacity: true)
        var threshold = minimum.nextDown
        forEach(above: &threshold) { index, logit, _ in
            candidates.append(Candidate(logit: logit, token: TokenID(index)))
        }
    }
}
