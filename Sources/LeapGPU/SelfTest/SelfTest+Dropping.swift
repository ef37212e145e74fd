import LeapModel

/// Kernels that others stand in for.
extension SelfTest {
    /// Tries all kernels that a model's layers take, and does without those that fail if others stand in for them.
    ///
    /// - Parameters:
    ///   - model: the layers.
    ///   - matrices: the layers' matrices and the head's.
    /// - Returns: why kernels are not used.
    /// - Throws: ``GPUError/wrongResult(kernel:)`` or ``GPUError/compilation(kernel:result:)`` for a kernel that
    ///   nothing stands in for, or what the device says.
    mutating func findKernels(_ model: GPUModel, _ matrices: [Matrix]) throws(GPUError) -> [GPUError] {
        var failures: [GPUError] = []
        while true {
            do throws(GPUError) {
                try run(model, matrices)
                return failures
            } catch {
                guard error.code == .wrongResult || error.code == .compilation, let kernel = error.field,
                    pipelines.drop(kernel)
                else { throw error }
                failures.append(error)
            }
        }
    }

    /// Tries attention to pages in several buffers.
    ///
    /// - Parameter model: the layers.
    /// - Returns: why pages have to lie in one buffer; nil if they need not.
    /// - Throws: what the device says.
    mutating func findChunkFailure(_ model: GPUModel) throws(GPUError) -> GPUError? {
        do throws(GPUError) {
            try runChunks(model)
            return nil
        } catch {
            guard error.code == .wrongResult || error.code == .compilation else { throw error }
            return error
        }
    }
}
