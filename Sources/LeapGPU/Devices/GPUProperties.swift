/// A device's properties and limits.
package struct GPUProperties: Equatable, Sendable {
    /// The place of a device in the machine.
    package enum Kind: Equatable, Sendable {
        case integrated, discrete, virtual, processor, other

        /// The seconds after which a batch counts as lost; a renderer in software is given the time that it needs.
        var patience: Double { self == .processor ? 600 : 30 }

        /// The seconds that a submission may take; nil for a renderer in software, whose work nothing ends.
        var submissionSeconds: Double? { self == .processor ? nil : GPUProperties.standardSubmissionSeconds }
    }

    /// The seconds that a submission may take by its forecast: systems end those that take a second or two.
    static let standardSubmissionSeconds = 0.05

    package var name: String
    /// The driver's name and version.
    package var driver: String
    package var kind: Kind
    /// Bytes of the device's largest heap.
    package var memoryByteCount: Int
    /// True if all of its memory is the host's, too.
    package var isUnified: Bool
    /// The most bytes that a kernel sees of one buffer.
    package var bindingByteCount: Int
    /// The most bytes of one buffer.
    package var bufferByteCount: Int
    /// Bindings start at multiples of it.
    package var bindingAlignment: Int
    /// Of host memory that becomes a buffer without a copy; nil where it cannot.
    package var hostMemoryAlignment: Int?
    /// Workgroups of a dispatch in each dimension.
    package var groupCounts: [Int]
    /// Invocations that share registers by shuffles; 1 without shuffles.
    package var subgroupSize: Int
    /// True if it multiplies tiles of matrices in half precision; see ``GPUKernel/tileProduct(_:)``.
    package var hasMatrixUnits: Bool
    /// True if commands that it has carried out may be submitted again.
    package var repeatsCommands: Bool
    /// The seconds after which a batch counts as lost.
    package var patience: Double
    /// The seconds that a submission may take by its forecast; nil where nothing ends long ones.
    package var submissionSeconds: Double?
    /// The reason why its kernels cannot run there; nil if they can.
    package var obstacle: String?

    package init(
        name: String, driver: String, kind: Kind, memoryByteCount: Int, isUnified: Bool, bindingByteCount: Int,
        bufferByteCount: Int, bindingAlignment: Int, hostMemoryAlignment: Int?, groupCounts: [Int], subgroupSize: Int,
        hasMatrixUnits: Bool = false, repeatsCommands: Bool = false, obstacle: String?
    ) {
        (self.name, self.driver, self.kind) = (name, driver, kind)
        (self.memoryByteCount, self.isUnified) = (memoryByteCount, isUnified)
        (self.bindingByteCount, self.bufferByteCount) = (bindingByteCount, bufferByteCount)
        (self.bindingAlignment, self.hostMemoryAlignment) = (bindingAlignment, hostMemoryAlignment)
        (self.groupCounts, self.subgroupSize) = (groupCounts, subgroupSize)
        (self.hasMatrixUnits, self.repeatsCommands, self.obstacle) = (hasMatrixUnits, repeatsCommands, obstacle)
        (patience, submissionSeconds) = (kind.patience, kind.submissionSeconds)
    }
}
