import LeapCompute
import LeapModel

/// Matrices of experts, one behind the other in one binding.
struct GPUExperts {
    /// All of them as one matrix; what lies between two experts' rows is among its rows.
    let matrices: GPUMatrix
    /// The same as the file has them.
    let source: Matrix
    /// The number of experts.
    let count: Int
    /// Rows of each expert.
    let rows: Int
    /// Bytes from an expert's first row to the next one's.
    let byteCount: Int
    /// The biases of all experts, `[experts][rows]`; nil where none has one.
    let bias: GPUBinding?
}

/// The expert that all tokens go through, as ``MixtureFeedForward/SharedExpert`` describes it.
struct GPUSharedExpert {
    let network: Network
    /// The projection to one gate; nil without.
    let gate: GPUMatrix?

    enum Network {
        case dense(GPUDense)
        case plain(GPUPlain)
    }
}

/// The choice of experts, as ``Router`` describes it.
struct GPURouter {
    let matrix: GPUMatrix
    let bias: GPUBinding?
    let score: Router.Score
    let choiceBias: GPUBinding?
    let expertScales: GPUBinding?
    let experts: Int
    let used: Int
    let normalization: Float?
    let scale: Float
}

/// A mixture of experts, as ``MixtureFeedForward`` describes it.
struct GPUMixture {
    let router: GPURouter
    /// nil where what `ups` gives is squared above 0 by itself.
    let gates: GPUExperts?
    let ups: GPUExperts
    let downs: GPUExperts
    let activation: Activation
    let shared: GPUSharedExpert?

    /// The matrices of experts.
    var stacks: [GPUExperts] { (gates.map { [$0] } ?? []) + [ups, downs] }

    /// The way products of gates and ups are joined.
    enum Activation {
        /// A mode of the ups' product.
        case product(GPUKernel.ProductMode)
        /// The clamped SiLU, in a kernel of its own.
        case clamped(limit: Float)
    }
}

// MARK: What can be computed

extension GPUMixture {
    /// The reason why a device cannot compute a mixture; nil if it can.
    static func obstacle(_ network: MixtureFeedForward) -> String? {
        let router = network.router
        guard let activation = Self.activation(network) else {
            return "its form of a mixture of experts has no kernel"
        }
        if let shared = network.shared, let reason = obstacle(shared) { return reason }
        if router.groups != nil { return "it chooses experts by groups" }
        if network.count > GPUKernel.expertsMax { return "it has \(network.count) experts" }
        for stack in [network.gates, network.ups, network.downs] where !stack.isEmpty && Self.tall(stack) == nil {
            return "its experts are not contiguous in memory"
        }
        // The products of ups have no place for a bias where gates are multiplied with them at once.
        var canHaveBias = false
        if case .clamped = activation { canHaveBias = true }
        return GPULayer.obstacle([router.matrix] + network.gates + network.downs, allowsBias: true)
            ?? GPULayer.obstacle(network.ups, allowsBias: canHaveBias)
    }

    private static func activation(_ network: MixtureFeedForward) -> Activation? {
        guard !network.gates.isEmpty else {
            if case .squaredReLU = network.plainActivation { return .product(.squaredReLU) }
            return nil
        }
        if case .clampedSilu(let limit) = network.activation { return .clamped(limit: limit) }
        return GPULayer.mode(network.activation).map { .product($0) }
    }

    private static func obstacle(_ shared: MixtureFeedForward.SharedExpert) -> String? {
        let reason =
            switch shared.network {
            case .dense(let network): GPULayer.obstacle(network)
            case .plain(let network):
                // Biases have no place in it.
                if case .squaredReLU = network.activation {
                    GPULayer.obstacle(network)
                } else {
                    "its shared expert has no kernel"
                }
            }
        return reason ?? shared.gate.flatMap { GPULayer.obstacle([$0]) }
    }

    /// The matrices of a mixture that has no obstacle, those of experts that are chosen not among them.
    static func matrices(_ network: MixtureFeedForward) -> [Matrix] {
        let shared: [Matrix] =
            switch network.shared?.network {
            case .dense(let network)?: [network.gate, network.up, network.down]
            case .plain(let network)?: [network.up, network.down]
            case nil: []
            }
        return [network.router.matrix] + shared + (network.shared?.gate.map { [$0] } ?? [])
    }

    /// The experts of a mixture that has no obstacle, each stack as one matrix.
    static func stacks(_ network: MixtureFeedForward) -> [Matrix] {
        [network.gates, network.ups, network.downs].compactMap { Self.tall($0)?.matrix }
    }

    /// Matrices that lie at the same distances as one with all their rows, and that distance; nil for others.
    private static func tall(_ stack: [Matrix]) -> (matrix: Matrix, distance: Int)? {
        guard let first = stack.first, first.rowByteCount > 0 else { return nil }
        let distance = stack.count > 1 ? stack[1].offset - first.offset : first.byteCount
        guard distance >= first.byteCount, distance % first.rowByteCount == 0 else { return nil }
        for (index, matrix) in stack.enumerated() {
            let isSame = matrix.source.place == first.source.place && matrix.offset == first.offset + index * distance
            guard isSame, matrix.rows == first.rows, matrix.columns == first.columns else { return nil }
        }
        let rows = (stack.count - 1) * (distance / first.rowByteCount) + first.rows
        let matrix = Matrix(
            first.source, offset: first.offset, rows: rows, columns: first.columns, rowByteCount: first.rowByteCount)
        return (matrix, distance)
    }
}

// MARK: Binding

extension GPUMixture {
    /// Binds a mixture that has no obstacle.
    init(_ network: MixtureFeedForward, _ weights: BoundWeights) throws(GPUError) {
        guard let activation = Self.activation(network) else { throw .invalid("a mixture without kernels") }
        let router = network.router
        func biases(_ stack: [Matrix]) throws(GPUError) -> GPUBinding? {
            guard stack.contains(where: { $0.bias != nil }) else { return nil }
            return try weights.vector(stack.flatMap(weights.biases))
        }
        func experts(_ stack: [Matrix]) throws(GPUError) -> GPUExperts {
            guard let (matrix, distance) = Self.tall(stack) else { throw .invalid("experts are not contiguous") }
            return GPUExperts(
                matrices: try weights.stack(matrix), source: matrix, count: stack.count, rows: stack[0].rows,
                byteCount: distance, bias: try biases(stack))
        }
        self.router = GPURouter(
            matrix: try weights.matrix(router.matrix), bias: try weights.vector(router.matrix.bias),
            score: router.score,
            choiceBias: try weights.vector(router.choiceBias), expertScales: try weights.vector(router.expertScales),
            experts: network.count, used: router.used, normalization: router.normalization, scale: router.scale)
        gates = try network.gates.isEmpty ? nil : experts(network.gates)
        ups = try experts(network.ups)
        downs = try experts(network.downs)
        self.activation = activation
        shared = try network.shared.map { (shared) throws(GPUError) in try GPUSharedExpert(shared, weights) }
    }

    /// True if it takes the kernel for biases.
    var hasBiases: Bool { router.bias != nil || gates?.bias != nil || ups.bias != nil || downs.bias != nil }

    /// Floats of a token between two kernels: those of its entries together, or of the expert that all go through.
    var floatsPerRow: Int {
        let own = router.used * max(ups.rows, downs.rows)
        return switch shared?.network {
        case .dense(let network)?: max(own, network.up.rows)
        case .plain(let network)?: max(own, network.up.rows)
        case nil: own
        }
    }
}

extension GPUSharedExpert {
    init(_ shared: MixtureFeedForward.SharedExpert, _ weights: BoundWeights) throws(GPUError) {
        switch shared.network {
        case .dense(let network): self.network = .dense(try GPUDense(network, weights))
        case .plain(let network): self.network = .plain(try GPUPlain(network, weights))
        }
        if let matrix = shared.gate { gate = try weights.matrix(matrix) } else { gate = nil }
    }
}
