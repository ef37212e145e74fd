import CLeapKernels

/// The instruction sets that the kernels have for this machine.
package enum InstructionSet {
    /// The one that is used.
    package static var current: String { String(cString: leap_isa_name()) }

    /// All that this machine has, from the plainest to the best.
    package static var supported: [String] {
        var names: [String] = []
        while let name = leap_isa_at(Int32(names.count)) { names.append(String(cString: name)) }
        return names
    }
}
