import LeapCompute
import LeapModel

extension GPUModel {
    /// Kernels that the layers and products with some matrices take.
    func kernels(_ matrices: [Matrix]) -> Set<GPUKernel> {
        var kernels: Set<GPUKernel> = [.gather]
        for norm in norms { kernels.insert(norm.isCentred ? .layerNorm : .rmsNorm) }
        for activation in layers.compactMap(\.activation) {
            kernels.insert(activation.isExact ? .geluExact : .geluTanh)
        }
        let hasPairs = layers.contains {
            $0.dense != nil || $0.mixture?.shared != nil
        }
        for matrix in matrices {
            kernels.formUnion([.vectorProduct(matrix.type), .matrixProduct(matrix.type)].compactMap { $0 })
            if hasPairs, let kernel = GPUKernel.pairProduct(matrix.type) { kernels.insert(kernel) }
            if hasMatrixUnits, let kernel = GPUKernel.tileProduct(matrix.type) { kernels.insert(kernel) }
        }
        if !sights.isEmpty {
            let attention = GPUKernel.attention(keyValueType)
            kernels.formUnion([attention.whole, attention.page, .attentionJoin])
            if layers.contains(where: { $0.attention?.hasGroups ?? false }) { kernels.insert(attention.group) }
            switch keyValueType {
            case .f16: kernels.insert(.placeF16)
            case .f32: kernels.insert(.placeF32)
            case .q8_0: kernels.formUnion([.placeRows, .storeQ8_0])
            }
        }
        for stack in layers.compactMap(\.mixture).flatMap(\.stacks) {
            kernels.formUnion([.choose, .combine, .expertProduct(stack.matrices.type)].compactMap { $0 })
        }
        let hasBounds = matrices.contains { $0.bounds != nil }
        if hasBounds { kernels.insert(.clamp) }
        if layers.contains(where: { $0.tokenInput != nil || $0.dense?.gate.bounds != nil }) {
            kernels.insert(.geluTimes)
        }
        if convolvesImages { kernels.insert(.gridConvolution) }
        if layers.contains(where: { $0.tokenInput?.scale != nil }) { kernels.insert(.scaleColumns) }
        if layers.contains(where: { $0.dense?.cutoff != nil }) { kernels.insert(.gaussianTopK) }
        if alternating != nil {
            kernels.formUnion([.predictStreams, .correctStreams, .addToStreams, .matchAdd])
        }
        if !convolutions.isEmpty { kernels.insert(.shortConvolution) }
        if let first = recurrences.first {
            kernels.formUnion([.causalFilter, .gatedNorm])
            kernels.formUnion(first.shape.form == .deltaNet ? [.deltaNet, .unitHeads] : [.mamba])
        }
        return kernels
    }
}
