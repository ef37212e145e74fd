import ArgumentParser
import LeapCore

/// The number of layers that a GPU computes, as it is typed.
package struct GPULayersArgument: ExpressibleByArgument {
    /// The number as the loading options have it, where the largest one stands for all layers.
    package let count: UInt32

    package init?(argument: String) {
        guard let count = LoadOptions.layers(argument) else { return nil }
        self.count = count
    }
}
