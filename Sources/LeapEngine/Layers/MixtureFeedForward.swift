import CLeapKernels

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

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

    /// Runs the network on the normed stream in `pass.normed` and leaves the result in `pass.branch`.
    func run(_ pass: ForwardPass) throws(EngineError) {
        let rows = pass.rowCount
        let work = pass.workspace
        let experts = gates.count
        let scores = try work.floats(.scores, rows * experts)
        try pass.project(pass.normed, count: rows, [(router, scores, experts)])
        var routing = ExpertRouting(rows: rows, experts: experts, used: used)
        for row in 0..<rows { choose(row: row, scores: scores + row * experts, into: &routing) }
        routing.sortByExpert()

        let entries = rows * used
        let inner = gates[0].rows
        let gated = try work.floats(.gate, entries * inner)
        let lifted = try work.floats(.up, entries * inner)
        try pass.prepare(pass.normed, count: rows, for: gates[0])
        try pass.prepare(pass.normed, count: rows, for: ups[0])
        multiply([(gates, gated, inner), (ups, lifted, inner)], routing, gather: routing.entryRow, pass)
        pass.kernels.activate(.silu, gate: gated, up: lifted, length: inner, rows: entries)

        let width = downs[0].rows
        let results = try work.floats(.expertOutput, entries * width)
        try pass.prepare(gated, count: entries, for: downs[0])
        multiply([(downs, results, width)], routing, gather: routing.entryIndex, pass)
        combine(routing, results: results, width: width, into: pass.branch, pass.kernels)
    }

    /// Multiplies every entry with its expert's matrices: one product for each expert that any row chose.
    private func multiply(
        _ stacks: [(matrices: [WeightMatrix], out: UnsafeMutablePointer<Float>, stride: Int)], _ routing: ExpertRouting,
        gather: [Int32], _ pass: ForwardPass
    ) {
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
                            stack.matrices[expert], tokens: range.count, gather: base + range.lowerBound,
                            out: stack.out + range.lowerBound * stack.stride, stride: stack.stride))
                }
            }
            pass.kernels.multiply(jobs, count: jobs.count)
        }
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
    private func combine(
        _ routing: ExpertRouting, results: UnsafeMutablePointer<Float>, width: Int,
        into out: UnsafeMutablePointer<Float>,
        _ kernels: Kernels
    ) {
        let n = Int64(width)
        for row in 0..<routing.rows {
            let target = out + row * width
            target.update(repeating: 0, count: width)
            for slot in row * used..<(row + 1) * used {
                var weight = routing.weights[slot]
                let result = results + Int(routing.position[slot]) * width
                leap_add_scaled(kernels.pool, target, n, result, n, &weight, n, 1, target, n)
            }
        }
    }
}
