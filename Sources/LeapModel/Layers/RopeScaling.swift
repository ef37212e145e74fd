/// The stretching of positions beyond the context that a model was trained for, in place of what its file says.
package struct RopeScaling: Sendable, Hashable, Codable {
    /// The way of stretching.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// None, not even what the file says: the context is the one of the first training.
        case none
        /// Every frequency is divided by the factor (position interpolation, Chen and others 2023).
        case linear
        /// High frequencies stay, low ones are divided, those between are blended (YaRN, Peng and others 2023).
        case yarn
    }

    /// The way of stretching.
    package var kind: Kind
    /// The factor by which the context may be longer than that of the training, at least 1.
    package var factor: Double
    /// The length of the first training in tokens; nil takes the file's.
    package var originalContext: Int?

    /// Makes a scaling.
    package init(_ kind: Kind, factor: Double = 1, originalContext: Int? = nil) {
        self.kind = kind
        self.factor = factor
        self.originalContext = originalContext
    }

    /// The largest factor: no model stands nearly as much.
    private static let maxFactor = 1000.0

    /// Checks every value against its range.
    ///
    /// - Throws: ``EngineError`` with code `invalidOption` that names the value and the range.
    package func validated() throws(EngineError) -> RopeScaling {
        guard (1...Self.maxFactor).contains(factor) else {
            throw EngineError(
                .invalidOption, "ropeScaling.factor is \(factor): it has to be between 1 and \(Int(Self.maxFactor))",
                field: "ropeScaling.factor")
        }
        if let originalContext, !(1...Int(Int32.max)).contains(originalContext) {
            throw EngineError(
                .invalidOption,
                "ropeScaling.originalContext is \(originalContext): it has to be between 1 and \(Int32.max)",
                field: "ropeScaling.originalContext")
        }
        return self
    }

    /// The maximum number of positions for a model that was first trained with `trained` of them.
    func contextLimit(trained: Int) -> Int {
        Int(min(Double(originalContext ?? trained) * (kind == .none ? 1 : factor), Double(Int32.max)))
    }
}

extension RopeSpecification {
    /// The rotation stretched in another way.
    ///
    /// - Parameter trained: the positions of the first training.
    func scaled(_ scaling: RopeScaling, trained: Int) -> RopeSpecification {
        guard !isLocal else { return self }
        var result = self
        let factor = Float(scaling.factor)
        switch scaling.kind {
        case _ where factor == 1, .none: result.scaling = .none
        case .linear: result.scaling = .linear(factor: factor)
        case .yarn:
            var (fast, slow): (Float, Float) = (32, 1)
            if case .yarn(_, _, let betaFast, let betaSlow, _) = self.scaling { (fast, slow) = (betaFast, betaSlow) }
            result.scaling = .yarn(
                factor: factor, originalContext: scaling.originalContext ?? trained, betaFast: fast, betaSlow: slow,
                attentionFactor: 1)
        }
        return result
    }
}
