import LeapCompute
import LeapModel

extension GPUModel {
    /// Kernels that the layers and products with some matrices take, in the order of ``SelfTest/run(_:_:)``.
    func kernels(_ matrices: [Matrix]) -> [GPUKernel] {
        var kernels = KernelList()
        for norm in norms { kernels.add(norm.isCentred ? .layerNorm : .rmsNorm) }
        let hasPairs = layers.contains {
            $0.dense != nil || $0.mixture?.shared != nil
        }
        for matrix in matrices {
            if hasMatrixUnits { kernels.add(.tileProduct(matrix.type)) }
            if hasPairs { kernels.add(.pairProduct(matrix.type)) }
            kernels.add(.vectorProduct(matrix.type), .matrixProduct(matrix.type))
        }
        addMixers(to: &kernels)
        for activation in layers.compactMap(\.activation) {
            kernels.add(activation.isExact ? .geluExact : .geluTanh)
        }
        if hasAddedNorms { kernels.add(.rmsNormAdd) }
        if layers.contains(where: \.hasBiases) { kernels.add(.bias) }
        for stack in layers.compactMap(\.mixture).flatMap(\.stacks) {
            kernels.add(.choose, .combine, .expertProduct(stack.matrices.type))
        }
        if hasScaledAdditions { kernels.add(.addScaled) }
        if layers.contains(where: { $0.tokenInput != nil || $0.dense?.gate.bounds != nil }) { kernels.add(.geluTimes) }
        if layers.contains(where: { $0.tokenInput?.scale != nil }) { kernels.add(.scaleColumns) }
        if layers.contains(where: { $0.dense?.cutoff != nil }) { kernels.add(.gaussianTopK) }
        if alternating != nil { kernels.add(.predictStreams, .correctStreams, .addToStreams, .matchAdd) }
        if matrices.contains(where: { $0.bounds != nil }) { kernels.add(.clamp) }
        if convolvesImages { kernels.add(.gridConvolution) }
        kernels.add(.gather)
        return kernels.kernels
    }

    private func addMixers(to kernels: inout KernelList) {
        if !sights.isEmpty {
            switch keyValueType {
            case .f16: kernels.add(.placeF16)
            case .f32: kernels.add(.placeF32)
            case .q8_0: kernels.add(.placeRows, .storeQ8_0)
            }
            let kinds = GPUKernel.attention(keyValueType)
            kernels.add(kinds.whole, kinds.page, .attentionJoin)
            if layers.contains(where: { $0.attention?.hasGroups ?? false }) { kernels.add(kinds.group) }
        }
        let attention = layers.compactMap(\.attention)
        if attention.contains(where: { $0.headGate != nil || $0.hasGatesBehindQueries }) { kernels.add(.gateHeads) }
        if !convolutions.isEmpty { kernels.add(.shortConvolution) }
        if let first = recurrences.first {
            kernels.add(.causalFilter)
            if first.shape.form == .deltaNet { kernels.add(.unitHeads, .deltaNet) } else { kernels.add(.mamba) }
            kernels.add(.gatedNorm)
        }
    }

    /// True if the results of norms are added to what was there.
    var hasAddedNorms: Bool {
        layers.contains { $0.mixerPostNorm != nil || $0.feedForwardPostNorm != nil || $0.tokenInput != nil }
    }

    /// True if blocks are added times a factor.
    var hasScaledAdditions: Bool {
        layers.contains {
            $0.residualScale != 1 || $0.mixture?.shared?.gate != nil || $0.mixing?.laurel != nil
        }
    }
}

/// Kernels, each once.
private struct KernelList {
    private(set) var kernels: [GPUKernel] = []

    /// Appends kernels that are not in it; nil stands for a type of weights that has none.
    mutating func add(_ more: GPUKernel?...) {
        for case let kernel? in more where !kernels.contains(kernel) { kernels.append(kernel) }
    }
}
