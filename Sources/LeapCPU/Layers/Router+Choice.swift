import LeapBase
import LeapModel

extension Router {
    /// Chooses a row's experts; of equal scores the expert with the smaller index comes first.
    ///
    /// - Parameters:
    ///   - scores: the router's logits, one for each expert, which are changed.
    ///   - bias: see ``choiceBias``.
    func choose(
        row: Int, scores: UnsafeMutableBufferPointer<Float>, bias: UnsafePointer<Float>?,
        into routing: inout ExpertRouting
    ) {
        makeScores(scores)
        let first = row * used
        var sum: Float = 0
        let isOpen = groups.map { open($0, scores: scores, bias: bias) }
        for slot in 0..<used {
            var best = -1
            var bestScore = -Float.infinity
            for e in 0..<scores.count where isOpen?[e] ?? true {
                let score = scores[e] + (bias.map { $0[e] } ?? 0)
                guard best < 0 || score > bestScore else { continue }
                if routing.experts[first..<first + slot].contains(Int32(e)) { continue }
                best = e
                bestScore = score
            }
            routing.experts[first + slot] = Int32(best)
            routing.weights[first + slot] = scores[best]
            sum += scores[best]
        }
        let slots = first..<first + used
        if score == .softmaxOfChosen {
            let largest = slots.reduce(-Float.infinity) { max($0, routing.weights[$1]) }
            sum = 0
            for slot in slots {
                routing.weights[slot] = expf(routing.weights[slot] - largest)
                sum += routing.weights[slot]
            }
            for slot in slots { routing.weights[slot] /= sum }
        } else if let normalization {
            for slot in slots { routing.weights[slot] /= sum + normalization }
        }
        if scale != 1 { for slot in slots { routing.weights[slot] *= scale } }
    }

    private func makeScores(_ scores: UnsafeMutableBufferPointer<Float>) {
        switch score {
        case .sigmoid:
            for e in 0..<scores.count { scores[e] = 1 / (1 + expf(-scores[e])) }
        case .softmax:
            let largest = scores.reduce(-Float.infinity) { max($0, $1) }
            var sum: Float = 0
            for e in 0..<scores.count {
                scores[e] = expf(scores[e] - largest)
                sum += scores[e]
            }
            for e in 0..<scores.count { scores[e] /= sum }
        case .softmaxOfChosen:
            break
        }
    }

    /// Returns the experts of the groups with the best scores; a group's is the sum of its two best experts'.
    private func open(
        _ groups: Groups, scores: UnsafeMutableBufferPointer<Float>, bias: UnsafePointer<Float>?
    ) -> [Bool] {
        let size = scores.count / groups.count
        var sums: [Float] = []
        for group in 0..<groups.count {
            var (best, second) = (-Float.infinity, -Float.infinity)
            for e in group * size..<(group + 1) * size {
                let score = scores[e] + (bias.map { $0[e] } ?? 0)
                if score > best {
                    (best, second) = (score, best)
                } else if score > second {
                    second = score
                }
            }
            sums.append(size > 1 ? best + second : best)
        }
        let order = sums.indices.sorted { sums[$0] > sums[$1] || (sums[$0] == sums[$1] && $0 < $1) }
        var isOpen = [Bool](repeating: false, count: scores.count)
        for group in order.prefix(groups.used) {
            for e in group * size..<(group + 1) * size { isOpen[e] = true }
        }
        return isOpen
    }
}
