import Foundation

/// The level of the tests.
///
/// `swift test` runs the standard level: each promise once. `LEAP_TESTS=all swift test` adds the rest: each call of a
/// device failing in turn, every cut of every model, long random loops, many clients.
package enum TestLevel {
    /// True if the environment asks for all tests.
    package static let isAll = ProcessInfo.processInfo.environment["LEAP_TESTS"] == "all"

    /// The comment of a test that the standard level leaves out.
    package static let comment = "skipped: it belongs to LEAP_TESTS=all"

    /// The name under which tests of whole models ask for Mesa's renderer, which computes on the processor; at the
    /// standard level the name of none, unless the environment names it (`LEAP_GPU`).
    package static let softwareGPU =
        isAll || ProcessInfo.processInfo.environment["LEAP_GPU"] == "llvmpipe" ? "llvmpipe" : "no renderer in software"

    /// The number of rounds that a loop has at this level.
    package static func rounds(_ standard: Int, all: Int) -> Int { isAll ? all : standard }

    /// The seeds of a loop that has as many rounds as ``rounds(_:all:)``.
    package static func seeds(_ standard: UInt64, all: UInt64) -> Range<UInt64> { 0..<(isAll ? all : standard) }

    /// Some of the cases, spread over all of them with the first and the last; with `LEAP_TESTS=all` all.
    package static func cases<Cases: Collection>(_ cases: Cases, standard count: Int) -> [Cases.Element] {
        let all = Array(cases)
        guard !isAll, all.count > count, count > 1 else {
            return isAll || all.count <= count ? all : Array(all.prefix(1))
        }
        return (0..<count).map { all[$0 * (all.count - 1) / (count - 1)] }
    }
}
