import CLeapKernels
import LeapBase

/// A mixture of experts: each token goes through the few networks that its router chooses.
///
/// LFM2-MoE's router scores experts with a sigmoid, chooses by score plus a learned bias, and weighs by the score without
/// the bias, normalised over the chosen ones.
struct MixtureFeedForward: Sendable {
    var router: WeightMatrix
    /// Added to the scores for the choice only.
    var choiceBias: FloatVector?
    var gates: [WeightMatrix]
    var ups: [WeightMatrix]
    var downs: [WeightMatrix]
    /// Experts for each token.
    var used: Int

    /// Added to the sum that weights are divided by, as in the reference implementation.
    private static let smallest: Float = 1e-6

    /// Runs the network on the normed stream.
    func run(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let scores = try pass.project(input, router, into: .scores)
        var routing = ExpertRouting(rows: input.count, experts: gates.count, used: used)
        for row in 0..<input.count { choose(row: row, scores: scores.row(row), into: &routing) }
        routing.sortByExpert()

        let entries = input.count * used
        let gated = try pass.rows(.gate, entries, gates[0].rows)
        let lifted = try pass.rows(.up, entries, ups[0].rows)
        try pass.prepare(input, for: gates[0])
        try pass.prepare(input, for: ups[0])
        try multiply(input, [(gates, gated), (ups, lifted)], routing, gather: routing.entryRow, pass)
        pass.kernels.activate(.silu, gate: gated, up: lifted)

        let results = try pass.rows(.expertOutput, entries, downs[0].rows)
        try pass.prepare(gated, for: downs[0])
        try multiply(gated, [(downs, results)], routing, gather: routing.entryIndex, pass)
        let branch = try pass.rows(.branch, input.count, results.length)
        combine(routing, results: results, into: branch, pass.kernels)
        return branch
    }

    /// Multiplies every entry with its expert's matrices: one product for each expert that any row chose.
    private func multiply(
        _ input: Rows, _ stacks: [(matrices: [WeightMatrix], out: Rows)], _ routing: ExpertRouting, gather: [Int32],
        _ pass: ForwardPass
    ) throws(EngineError) {
        gather.withUnsafeBufferPointer { gather in
            guard let base = gather.baseAddress else { return }
            var jobs: [leap_matmul_job] = []
            jobs.reserveCapacity(stacks.count * gates.count)
            for expert in gates.indices {
                let range = routing.entries(of: expert)
                guard !range.isEmpty else { continue }
                for stack in stacks {
                    jobs.append(
                        pass.job(
                            stack.matrices[expert], gather: base + range.lowerBound, out: stack.out.slice(range)))
                }
            }
            pass.kernels.multiply(jobs, count: jobs.count)
        }
        try pass.adapt(input, stacks, routing, gather: gather)
        pass.forgetPrepared()
    }

    /// Chooses a row's experts; equal scores go to the expert with the smaller index.
    private func choose(row: Int, scores: UnsafeMutablePointer<Float>, into routing: inout ExpertRouting) {
        for e in 0..<gates.count { scores[e] = 1 / (1 + expf(-scores[e])) }
        var sum: Float = 0
        let first = row * used
        for slot in 0..<used {
            var best = -1
            var bestScore = -Float.infinity
            for e in 0..<gates.count {
                let score = scores[e] + (choiceBias.map { $0.pointer[e] } ?? 0)
                guard best < 0 || score > bestScore else { continue }
                if routing.experts[first..<first + slot].contains(Int32(e)) { continue }
                best = e
                bestScore = score
            }
            routing.experts[first + slot] = Int32(best)
            routing.weights[first + slot] = scores[best]
            sum += scores[best]
        }
        for slot in 0..<used { routing.weights[first + slot] /= sum + Self.smallest }
    }

    /// Adds up each row's results in the order in which its experts were chosen, whatever else is in the batch.
    private func combine(_ routing: ExpertRouting, results: Rows, into out: Rows, _ kernels: Kernels) {
        let n = Int64(out.length)
        for row in 0..<routing.rows {
            let target = out.row(row)
            target.update(repeating: 0, count: out.length)
            for slot in row * used..<(row + 1) * used {
                var weight = routing.weights[slot]
                let result = results.row(Int(routing.position[slot]))
                leap_add_scaled(kernels.pool, target, n, result, n, &weight, n, 1, target, n)
            }
        }
    }
}
