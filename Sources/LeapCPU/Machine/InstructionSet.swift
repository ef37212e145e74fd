import CLeapKernels

/// The instruction sets that the kernels have for this machine.
package enum InstructionSet {
    /// The one that is used.
    package static var current: String { String(cString: leap_isa_name()) }

    /// Counts changes of the bits that an instruction set's kernels give, where there were any: state that was kept
    /// before is computed anew.
    private static let revisions = ["avx2": 2, "avxvnni": 2]

    /// Names what an instruction set computes: the same name stands for the same bits in all versions.
    package static func arithmetic(of name: String = current) -> String {
        revisions[name].map { "\(name), revision \($0)" } ?? name
    }

    /// All that this machine has, from the plainest to the best.
    package static var supported: [String] {
        var names: [String] = []
        while let name = leap_isa_at(Int32(names.count)) { names.append(String(cString: name)) }
        return names
    }
}
