import Foundation
import LeapCPU
import LeapEngine

/// The environment's wishes of the kernels: `LEAP_ISA` an instruction set, `LEAP_READING` one of the two kernels of
/// single tokens.
enum KernelWishes {
    /// A line for each wish that is unknown and has no effect.
    static var warnings: [String] { [instructionSetWarning(), readingWarning()].compactMap(\.self) }

    /// The values that `LEAP_READING` can have.
    private static let readings = ["first", "other", "measured"]

    /// A line for a `LEAP_READING` that is none of the kernels; nil otherwise.
    static func readingWarning(
        _ wish: String? = ProcessInfo.processInfo.environment["LEAP_READING"]
    ) -> String? {
        guard let wish, !wish.isEmpty, !readings.contains(wish) else { return nil }
        return "warning: LEAP_READING is “\(wish)”, which has no effect: it can be \(readings.joined(separator: ", "))"
    }

    /// A line for a `LEAP_ISA` that is none of them and has no effect; nil otherwise.
    static func instructionSetWarning(
        _ wish: String? = ProcessInfo.processInfo.environment["LEAP_ISA"]
    ) -> String? {
        guard let wish, !wish.isEmpty, !InstructionSet.supported.contains(wish) else { return nil }
        return
            "warning: LEAP_ISA is “\(wish)”, which is no instruction set of this machine: \(InstructionSet.current) is used; "
            + "there are \(InstructionSet.supported.joined(separator: ", "))"
    }
}
