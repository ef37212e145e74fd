import LeapBase
import LeapCompute
import LeapGGUF
import LeapModel

extension SelfTest {
    /// Tries what the mixtures of experts of a model take.
    mutating func checkMixtures(_ model: GPUModel) throws(GPUError) {
        var types: Set<GGUFTensorType> = []
        for layer in model.layers {
            guard let network = layer.mixture else { continue }
            if types.isEmpty {
                try checkChoice(network.router)
                try checkCombination(used: network.router.used)
                if case .clamped(let limit) = network.activation { try checkClampedSilu(limit: limit) }
            }
            for stack in network.stacks where types.insert(stack.matrices.type).inserted {
                try checkExperts(stack, count: network.router.experts, model.weights)
            }
        }
    }

    /// The last expert and the first one, for two inputs each.
    private mutating func checkExperts(
        _ stack: GPUExperts, count: Int, _ weights: BoundWeights
    ) throws(GPUError) {
        let columns = stack.matrices.columns, rows = min(8, stack.rows), experts = [count - 1, 0, 0, count - 1]
        let few = GPUExperts(
            matrices: stack.matrices, source: stack.source, count: count, rows: rows, byteCount: stack.byteCount,
            bias: nil)
        let vectors = numbers(2 * columns), before = numbers(experts.count * rows)
        let input = try buffer(vectors), table = try buffer(experts.map { UInt32($0) })
        var outputs: [GPUBinding] = []
        let modes = [GPUKernel.ProductMode.store, .gate, .geluGate, .add, .squaredReLU]
        for _ in modes { outputs.append(try buffer(before)) }
        try carryOut { (recording) throws(GPUError) in
            for (mode, output) in zip(modes, outputs) {
                try recording.multiply(
                    few, input, experts: table, count: experts.count, perInput: 2, into: output, mode: mode)
            }
        }
        let results = outputs.map(floats), kernel = GPUKernel.expertProduct(stack.matrices.type)?.entry ?? "expert"
        for (entry, expert) in experts.enumerated() {
            for row in 0..<rows {
                let first = expert * (stack.byteCount / stack.matrices.rowByteCount)
                var (sum, size) = (0.0, 0.0)
                for (weight, number) in zip(
                    weights.row(first + row, of: stack.source), vectors[(entry / 2 * columns)...])
                {
                    sum += Double(weight) * Double(number)
                    size += abs(Double(weight) * Double(number))
                }
                let index = entry * rows + row, old = Double(before[index]), bound = Self.tolerance * size + 1e-30
                for (result, factor) in zip(results, [1, old / (1 + exp(-old)), Self.gelu(old)]) {
                    try check(
                        result[index], factor * sum, within: bound + Self.tolerance * abs(factor * sum), kernel)
                }
                try check(results[3][index], old + sum, within: bound + 1e-6, kernel)
                try check(
                    results[4][index], max(sum, 0) * max(sum, 0), within: (2 * abs(sum) + bound + 1e-5) * bound, kernel)
            }
        }
    }

    /// Three tokens' experts and weights.
    private mutating func checkChoice(_ router: GPURouter) throws(GPUError) {
        let (tokens, experts, used) = (3, router.experts, router.used)
        let logits = numbers(tokens * experts).map { 4 * $0 }, bias = numbers(experts), scales = numbers(experts)
        let table = try buffer(logits), chosen = try buffer([UInt32](repeating: .max, count: tokens * used))
        let weights = try buffer([Float](repeating: .nan, count: tokens * used))
        let own = GPURouter(
            matrix: router.matrix, bias: nil, score: router.score,
            choiceBias: router.choiceBias == nil ? nil : try buffer(bias),
            expertScales: router.expertScales == nil ? nil : try buffer(scales), experts: experts, used: used,
            normalization: router.normalization, scale: router.scale)
        try carryOut { (recording) throws(GPUError) in
            try recording.choose(own, table, count: tokens, chosen: chosen, weights: weights)
        }
        let choices = Array(chosen.buffer.contents.bindMemory(to: UInt32.self)), results = floats(weights)
        for token in 0..<tokens {
            let row = logits[token * experts..<(token + 1) * experts].map(Double.init)
            let whole = row.reduce(0) { $0 + exp($1) }
            let scores = row.map { logit -> Double in
                switch router.score {
                case .sigmoid: 1 / (1 + exp(-logit))
                case .softmax: exp(logit) / whole
                case .softmaxOfChosen: logit
                }
            }
            let keys = scores.indices.map { scores[$0] + (own.choiceBias == nil ? 0 : Double(bias[$0])) }
            let order = Array(keys.indices.sorted { keys[$0] > keys[$1] }.prefix(used))
            var shares = order.map { scores[$0] }
            if router.score == .softmaxOfChosen { shares = shares.map(exp) }
            let sum = shares.reduce(0, +)
            let divisor =
                router.score == .softmaxOfChosen ? sum : router.normalization.map { sum + Double($0) } ?? 1
            for (slot, expert) in order.enumerated() {
                let at = token * used + slot
                guard choices[at] == UInt32(expert) else { throw .wrongResult(kernel: "choose") }
                let scale = Double(router.scale) * (own.expertScales == nil ? 1 : Double(scales[expert]))
                let expected = shares[slot] / divisor * scale
                try check(results[at], expected, within: Self.tolerance * abs(expected) + 1e-12, "choose")
            }
        }
    }

    private mutating func checkClampedSilu(limit: Float) throws(GPUError) {
        let (rows, length) = (3, 130)
        let values = numbers(rows * length).map { 2 * limit * $0 },
            others = numbers(rows * length).map { 2 * limit * $0 }
        let gates = try buffer(values), factors = try buffer(others)
        try carryOut { (recording) throws(GPUError) in
            try recording.activate(gates, factors, limit: limit, length: length, count: rows)
        }
        for (index, value) in floats(gates).enumerated() {
            let gate = Double(min(values[index], limit)), factor = Double(min(max(others[index], -limit), limit))
            let expected = gate / (1 + exp(-1.702 * gate)) * (factor + 1)
            // Beside -1 a factor's rounding counts.
            let bound = 10 * Self.tolerance * abs(expected) + 1e-5 * abs(gate)
            try check(value, expected, within: bound, "clamped_silu")
        }
    }

    private mutating func checkCombination(used: Int) throws(GPUError) {
        let (tokens, length) = (2, 130)
        let values = numbers(tokens * used * length), shares = numbers(tokens * used), before = numbers(tokens * length)
        let results = try buffer(values), weights = try buffer(shares)
        let written = try buffer(before), added = try buffer(before)
        try carryOut { (recording) throws(GPUError) in
            for (output, isAdded) in [(written, false), (added, true)] {
                try recording.combine(
                    results, weights: weights, used: used, length: length, count: tokens, into: output,
                    isAdded: isAdded)
            }
        }
        let (sums, totals) = (floats(written), floats(added))
        for index in sums.indices {
            var (sum, size) = (0.0, 0.0)
            for slot in 0..<used {
                let entry = index / length * used + slot
                let term = Double(shares[entry]) * Double(values[entry * length + index % length])
                sum += term
                size += abs(term)
            }
            try check(sums[index], sum, within: Self.tolerance * size + 1e-12, "combine")
            try check(totals[index], Double(before[index]) + sum, within: Self.tolerance * (size + 1), "combine")
        }
    }
}
