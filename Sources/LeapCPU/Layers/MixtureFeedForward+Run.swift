import CLeapKernels
import LeapBase
import LeapCompute
import LeapModel

extension MixtureFeedForward {
    /// Runs the network on the normed stream.
    func run(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        try run(input, scores: try pass.project(input, router.matrix, into: .scores), pass)
    }

    /// Runs the experts that the router's logits choose.
    ///
    /// - Parameter scores: the logits, `[rows][experts]`, which are changed.
    func run(_ input: Rows, scores: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.scores]) }
        let used = router.used
        var routing = ExpertRouting(rows: input.count, experts: count, used: used)
        let bias = router.choiceBias.map { pass.kernels.bound.floats($0) }
        for row in 0..<input.count {
            router.choose(
                row: row, scores: UnsafeMutableBufferPointer(start: scores.row(row), count: scores.length), bias: bias,
                into: &routing)
        }
        if let scales = router.expertScales {
            let scales = pass.kernels.bound.floats(scales)
            for slot in routing.weights.indices { routing.weights[slot] *= scales[Int(routing.experts[slot])] }
        }
        routing.sortByExpert()

        let entries = input.count * used
        let inner = try lift(input, routing, pass)
        let results = try pass.rows(.expertOutput, entries, downs[0].rows)
        try pass.prepare(inner, for: WeightMatrix(downs[0]))
        try multiply(inner, [(downs, results)], routing, gather: routing.entryIndex, pass)
        let branch = try pass.rows(.branch, input.count, results.length)
        combine(routing, results: results, into: branch, pass.kernels)
        pass.release([.gate, .up, .expertOutput])
        if let shared { try shared.add(input, to: branch, pass) }
        return branch
    }

    /// Returns the inner values of each entry's expert: gated, or not where experts have no gates.
    private func lift(_ input: Rows, _ routing: ExpertRouting, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let entries = input.count * router.used
        let lifted = try pass.rows(.up, entries, ups[0].rows)
        try pass.prepare(input, for: WeightMatrix(ups[0]))
        guard let gate = gates.first else {
            try multiply(input, [(ups, lifted)], routing, gather: routing.entryRow, pass)
            pass.kernels.activate(plainActivation, lifted)
            return lifted
        }
        let gated = try pass.rows(.gate, entries, gate.rows)
        try pass.prepare(input, for: WeightMatrix(gate))
        try multiply(input, [(gates, gated), (ups, lifted)], routing, gather: routing.entryRow, pass)
        pass.kernels.activate(activation, gate: gated, up: lifted)
        return gated
    }

    /// Multiplies every entry with its expert's matrices: one product for each expert that any row chose.
    private func multiply(
        _ input: Rows, _ stacks: [(matrices: [Matrix], out: Rows)], _ routing: ExpertRouting, gather: [Int32],
        _ pass: ForwardPass
    ) throws(EngineError) {
        gather.withUnsafeBufferPointer { gather in
            guard let base = gather.baseAddress else { return }
            var jobs: [leap_matmul_job] = []
            jobs.reserveCapacity(stacks.count * count)
            for expert in ups.indices {
                let range = routing.entries(of: expert)
                guard !range.isEmpty else { continue }
                for stack in stacks {
                    jobs.append(
                        pass.job(
                            WeightMatrix(stack.matrices[expert]), gather: base + range.lowerBound,
                            out: stack.out.slice(range)))
                }
            }
            pass.kernels.multiply(jobs, count: jobs.count)
        }
        for stack in stacks {
            for (expert, matrix) in stack.matrices.enumerated() where matrix.scale != 1 || matrix.bias != nil {
                let range = routing.entries(of: expert)
                guard !range.isEmpty else { continue }
                if matrix.scale != 1 { pass.kernels.scale(stack.out.slice(range), by: matrix.scale) }
                if let bias = matrix.bias { pass.kernels.addBias(bias, to: stack.out.slice(range)) }
            }
        }
        try pass.adapt(input, stacks, routing, gather: gather)
        pass.forgetPrepared()
    }

    /// Adds up each row's results in the order in which its experts were chosen, whatever else is in the batch.
    private func combine(_ routing: ExpertRouting, results: Rows, into out: Rows, _ kernels: Kernels) {
        let n = Int64(out.length)
        for row in 0..<routing.rows {
            let target = out.row(row)
            target.update(repeating: 0, count: out.length)
            for slot in row * routing.used..<(row + 1) * routing.used {
                var weight = routing.weights[slot]
                let result = results.row(Int(routing.position[slot]))
                leap_add_scaled(kernels.pool, target, n, result, n, &weight, n, 1, target, n)
            }
        }
    }
}

extension MixtureFeedForward.SharedExpert {
    /// Adds what the network makes of rows.
    func add(_ input: Rows, to out: Rows, _ pass: ForwardPass) throws(EngineError) {
        defer { pass.release([.sharedExpert, .factors]) }
        let result =
            switch network {
            case .dense(let network): try network.run(input, pass, into: .sharedExpert)
            case .plain(let network): try network.run(input, pass, into: .sharedExpert)
            }
        guard let gate else { return pass.kernels.add(result, to: out) }
        let factors = try pass.project(input, gate, into: .factors)
        for row in 0..<factors.count { factors.base[row] = 1 / (1 + expf(-factors.base[row])) }
        pass.kernels.add(result, times: factors, to: out)
    }
}
