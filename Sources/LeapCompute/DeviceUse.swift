import LeapBase

/// The use of a GPU for a model: the layers that it computes, and its failure.
package struct DeviceUse: Sendable, Hashable {
    /// The GPU's name; nil where none computes.
    package var device: String?
    /// The number of the model's last layers that it computes; 0 once it failed.
    package var layers = 0
    /// The layers of the model.
    package var modelLayers = 0
    /// True if it computes the output head too.
    package var computesHead = false
    /// Passes that it computed.
    package var passes = 0
    /// Passes whose layers the processor computed in its place.
    package var processorPasses = 0
    /// The kernels that were compiled and that computed small inputs as the processor does, by their entry points.
    package var kernels: Set<String> = []
    /// The time from the first kernel's compilation to the last comparison.
    package var kernelTime = Duration.zero
    /// The reason why it computes less than was asked for.
    package var note: String?
    /// The reason why it computes no more.
    package var failure: String?

    package init() {}

    /// The use of a device with the passes of an earlier one; nil where there is neither.
    package static func sum(_ use: DeviceUse?, _ earlier: DeviceUse?) -> DeviceUse? {
        guard var sum = use ?? earlier, use != nil, let earlier else { return use ?? earlier }
        sum.passes += earlier.passes
        sum.processorPasses += earlier.processorPasses
        return sum
    }
}

extension DeviceUse: CustomStringConvertible {
    package var description: String {
        guard let device else { return "no GPU is used" + (note.map { ": \($0)" } ?? "") }
        if let failure { return "\(device) is no longer used: \(failure)" }
        return "\(device) runs layers \(modelLayers - layers + 1) to \(modelLayers) of \(modelLayers)"
            + (computesHead ? " and the output head" : "") + (note.map { "; \($0)" } ?? "")
    }
}

/// A report of a device's use, which any thread may read.
package final class DeviceReport: Sendable {
    private let state = Locked(DeviceUse())

    package init() {}

    /// The use as of now.
    package var use: DeviceUse { state.withLock { $0 } }

    /// Changes what is told.
    package func change(_ body: (inout DeviceUse) -> Void) { state.withLock { body(&$0) } }
}
