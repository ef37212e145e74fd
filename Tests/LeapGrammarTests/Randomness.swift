import LeapTestSupport

typealias SeededGenerator = LeapTestSupport.SeededGenerator

extension SeededGenerator {
    /// The generator of a seed; those of neighbouring seeds have nothing in common.
    init(_ seed: Int) { self.init(seed: UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
