import LeapCompute
import LeapModel

extension GPUModel {
    /// Kernels that the layers and products with some matrices take.
    func kernels(_ matrices: [Matrix]) -> Set<GPUKernel> {
        var kernels: Set<GPUKernel> = [.rmsNorm, .gather]
        for matrix in matrices {
            kernels.formUnion([.vectorProduct(matrix.type), .matrixProduct(matrix.type)].compactMap { $0 })
        }
        if !sights.isEmpty {
            kernels.formUnion(keyValueType == .f32 ? [.placeF32, .attentionF32] : [.placeF16, .attentionF16])
        }
        if !convolutions.isEmpty { kernels.insert(.shortConvolution) }
        if let first = recurrences.first {
            kernels.formUnion([.causalFilter, .gatedNorm])
            kernels.formUnion(first.shape.form == .deltaNet ? [.deltaNet, .unitHeads] : [.mamba])
        }
        return kernels
    }
}
