import ArgumentParser

/// How many layers a GPU computes, as it is typed.
struct GPULayersArgument: ExpressibleByArgument {
    /// As the loading options have it, where the largest number stands for all.
    let count: UInt32

    init?(argument: String) {
        guard let count = argument == "all" ? UInt32.max : UInt32(argument) else { return nil }
        self.count = count
    }
}
