import Foundation
import LeapCompute
import LeapModel
import LeapTokenizer

extension ActiveScoring {
    /// The likeliest tokens for some places of the text, from the vectors there.
    func fill(_ places: [Int], count: Int, _ executor: any Executor) throws(EngineError) -> [TokenLikelihood] {
        var words: [TokenLikelihood] = []
        for place in places {
            // One at a time: each has as many logits as the vocabulary has tokens.
            guard var logits = try executor.maskedWords([vectors[place]])?.first else { throw .outputIsNaN }
            for token in suppressed where Int(token) < logits.count { logits[Int(token)] = -.infinity }
            let largest = Double(logits.max() ?? 0)
            let normalizer = Float(largest + log(logits.reduce(0) { $0 + exp(Double($1) - largest) }))
            guard normalizer.isFinite else { throw .outputIsNaN }
            var candidates: [Candidate] = []
            logits.withUnsafeBufferPointer {
                LogitScan(logits: $0, allowed: sampleable).top(min(count, $0.count), into: &candidates)
            }
            guard let best = candidates.first else { throw .outputIsNaN }
            words.append(
                TokenLikelihood(
                    token: best.token, logProbability: best.logit - normalizer,
                    alternatives: candidates.map {
                        TokenLikelihood.Alternative(token: $0.token, logProbability: $0.logit - normalizer)
                    }))
        }
        return words
    }
}
