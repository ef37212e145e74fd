import LeapModel

/// Mixtures of experts.
extension GPUPass {
    /// Computes a mixture and adds it to the stream.
    func run(
        _ network: GPUMixture, _ normed: GPUBinding, _ ending: Ending, _ flow: inout Flow
    ) throws(GPUError) {
        let choice = try choose(network.router, normed, &flow)
        let target = try ending.isPlain ? flow.stream : scratch.take(.branch, flow.rows * model.width)
        try mix(network, normed, choice, into: target, isAdded: ending.isPlain, &flow)
        if !ending.isPlain { try finish(target, ending, &flow) }
    }

    /// The experts of each row, and the weights of what they make.
    struct ExpertChoice {
        let experts: GPUBinding
        let weights: GPUBinding
    }

    /// Chooses experts by what the router makes of rows.
    func choose(
        _ router: GPURouter, _ normed: GPUBinding, _ flow: inout Flow
    ) throws(GPUError) -> ExpertChoice {
        let rows = flow.rows, entries = rows * router.used
        let routed = try scratch.take(.routed, rows * router.experts)
        try multiply(router.matrix, bias: router.bias, normed, into: routed, &flow)
        let choice = ExpertChoice(
            experts: try scratch.take(.chosen, entries), weights: try scratch.take(.weights, entries))
        try flow.recording.choose(router, routed, count: rows, chosen: choice.experts, weights: choice.weights)
        try flow.recording.barrier()
        return choice
    }

    /// Computes what the chosen experts make of rows.
    ///
    /// - Parameter isAdded: whether it is added to the target.
    func mix(
        _ network: GPUMixture, _ normed: GPUBinding, _ choice: ExpertChoice, into target: GPUBinding, isAdded: Bool,
        _ flow: inout Flow
    ) throws(GPUError) {
        let rows = flow.rows, entries = rows * network.router.used
        let inner = try lift(network, normed, choice.experts, count: entries, &flow)
        let results = try scratch.take(.results, entries * model.width)
        try multiply(network.downs, inner, choice.experts, count: entries, perInput: 1, into: results, &flow)
        try flow.recording.combine(
            results, weights: choice.weights, used: network.router.used, length: model.width, count: rows,
            into: target, isAdded: isAdded)
        try flow.recording.barrier()
        if let shared = network.shared { try add(shared, normed, to: target, &flow) }
    }

    /// Computes what each entry's expert has between its matrices.
    private func lift(
        _ network: GPUMixture, _ normed: GPUBinding, _ chosen: GPUBinding, count: Int, _ flow: inout Flow
    ) throws(GPUError) -> GPUBinding {
        let (ups, used) = (network.ups, network.router.used)
        let inner = try scratch.take(.inner, count * ups.rows)
        if let gates = network.gates {
            try multiply(gates, normed, chosen, count: count, perInput: used, into: inner, &flow)
        }
        switch network.activation {
        case .product(let mode):
            try flow.recording.multiply(
                ups, normed, experts: chosen, count: count, perInput: used, into: inner, mode: mode)
        case .clamped(let limit):
            let lifted = try scratch.take(.lifted, count * ups.rows)
            try multiply(ups, normed, chosen, count: count, perInput: used, into: lifted, &flow)
            try flow.recording.activate(inner, lifted, limit: limit, length: ups.rows, count: count)
        }
        try flow.recording.barrier()
        return inner
    }

    /// Adds what the expert that all tokens go through makes of them.
    private func add(
        _ shared: GPUSharedExpert, _ normed: GPUBinding, to target: GPUBinding, _ flow: inout Flow
    ) throws(GPUError) {
        let rows = flow.rows
        var gates: GPUBinding?
        if let matrix = shared.gate {
            let scores = try scratch.take(.sharedGates, rows)
            try flow.recording.multiply(matrix, normed, count: rows, into: scores)
            gates = scores
        }
        let (inner, down) =
            switch shared.network {
            case .dense(let network): (try lift(network, normed, into: .lifted, &flow), network.down)
            case .plain(let network): (try lift(network, normed, into: .lifted, &flow), network.down)
            }
        guard let gates else {
            try flow.recording.multiply(down, inner, count: rows, into: target, mode: .add)
            return try flow.recording.barrier()
        }
        let result = try scratch.take(.results, rows * model.width)
        try flow.recording.multiply(down, inner, count: rows, into: result)
        try flow.recording.barrier()
        try flow.recording.addScaled(
            result, gates: gates, scale: 1, length: model.width, count: rows, into: target)
        try flow.recording.barrier()
    }

    /// Multiplies entries with the matrices of their experts, and adds the experts' biases.
    private func multiply(
        _ stack: GPUExperts, _ input: GPUBinding, _ experts: GPUBinding, count: Int, perInput: Int,
        into output: GPUBinding, _ flow: inout Flow
    ) throws(GPUError) {
        if let bias = stack.bias {
            try flow.recording.bias(
                bias, length: stack.rows, count: count, experts: experts, into: output, isAdded: false)
            try flow.recording.barrier()
        }
        try flow.recording.multiply(
            stack, input, experts: experts, count: count, perInput: perInput, into: output,
            mode: stack.bias == nil ? .store : .add)
        try flow.recording.barrier()
    }
}
