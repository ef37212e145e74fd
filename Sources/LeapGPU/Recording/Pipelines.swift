import LeapCompute
import LeapGGUF

/// The kernels of a device, each compiled when it is first used, and those that it does without.
final class Pipelines {
    private let device: any GPUDevice
    private var compiled: [GPUKernel: any GPUPipeline] = [:]
    /// The entry points of kernels that others stand in for; see ``drop(_:)``.
    private(set) var dropped: Set<String>

    /// The kernels that were compiled and are used.
    var kernels: some Collection<GPUKernel> { compiled.keys.filter(has) }

    /// - Parameters:
    ///   - device: the device.
    ///   - dropped: the entry points of kernels that others stand in for.
    init(_ device: any GPUDevice, dropped: Set<String> = []) {
        self.device = device
        self.dropped = dropped
    }

    func pipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline {
        if let known = compiled[kernel] { return known }
        let pipeline = try device.makePipeline(kernel)
        compiled[kernel] = pipeline
        return pipeline
    }

    /// The same kernels for another opening of the device.
    func reopened(on device: any GPUDevice) -> Pipelines { Pipelines(device, dropped: dropped) }

    /// True if a kernel is used.
    func has(_ kernel: GPUKernel) -> Bool { !dropped.contains(kernel.entry) }

    /// True if kernels attend to pages side by side and add up what these gave, as pages in several buffers need it.
    func joinsPages(_ type: KeyValueType) -> Bool { has(GPUKernel.attention(type).page) && has(.attentionJoin) }

    /// Does without a kernel from here on.
    ///
    /// - Parameter entry: the kernel's entry point.
    /// - Returns: true if others stand in for the kernel, false if none does.
    func drop(_ entry: String) -> Bool {
        guard Self.roles.contains(where: { entry.hasPrefix($0.role) }) else { return false }
        for (role, standIn) in Self.roles where entry.hasPrefix(role) {
            guard let standIn else { continue }
            if dropped.contains(standIn + entry.dropFirst(role.count)) { return false }
        }
        return dropped.insert(entry).inserted
    }

    /// Beginnings of the entry points of kernels that others stand in for, and of those others where they may be
    /// dropped too.
    private static let roles: [(role: String, standIn: String?)] = [
        ("tiles_", nil), ("pair_", nil), ("vector_", "matrix_"), ("matrix_", "vector_"), ("attention_group_", nil),
        ("attention_page_", nil), ("attention_join", nil),
    ]

    /// The kernel for products of a matrix with vectors, and the rows and vectors of its workgroup; nil where there is
    /// none for the type.
    ///
    /// - Parameters:
    ///   - type: the type of the matrix's weights.
    ///   - vectors: the number of vectors.
    ///   - isPrompt: whether they are rows of prompts, and the device has matrix units.
    func product(
        _ type: GGUFTensorType, vectors: Int, isPrompt: Bool
    ) -> (kernel: GPUKernel, rows: Int, vectors: Int)? {
        if isPrompt, let tiles = GPUKernel.tileProduct(type), has(tiles) {
            return (tiles, GPUKernel.tileLength, GPUKernel.tileLength)
        }
        guard let vector = GPUKernel.vectorProduct(type), let matrix = GPUKernel.matrixProduct(type) else {
            return nil
        }
        // Each computes the other's sums in the same order.
        return has(vector) && (vectors == 1 || !has(matrix))
            ? (vector, GPUKernel.rowsPerGroup, 1) : (matrix, GPUKernel.rowsPerGroup, GPUKernel.matrixWidth)
    }
}
