import Foundation
import LeapEngine

/// The instruction sets of this machine, and the one that `LEAP_ISA` asks for.
enum InstructionSets {
    /// A line for a `LEAP_ISA` that is none of them and has no effect; nil otherwise.
    static func warning(_ wish: String? = ProcessInfo.processInfo.environment["LEAP_ISA"]) -> String? {
        guard let wish, !wish.isEmpty, !InstructionSet.supported.contains(wish) else { return nil }
        return
            "warning: LEAP_ISA is “\(wish)”, which is no instruction set of this machine: \(InstructionSet.current) is used; "
            + "there are \(InstructionSet.supported.joined(separator: ", "))"
    }
}
