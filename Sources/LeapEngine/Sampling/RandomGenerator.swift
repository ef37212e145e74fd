/// xoshiro256++ 1.0 (Blackman and Vigna, 2019), seeded through SplitMix64.
///
/// The same seed gives the same numbers on every platform and in every version of this package.
package struct RandomGenerator: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// Makes a generator from a seed; every seed is good, zero included.
    package init(seed: UInt64) {
        var mix = seed
        func next() -> UInt64 {
            mix &+= 0x9E37_79B9_7F4A_7C15
            var z = mix
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        state = (next(), next(), next(), next())
    }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        func rotate(_ x: UInt64, _ k: UInt64) -> UInt64 { (x << k) | (x >> (64 - k)) }
        let result = rotate(state.0 &+ state.3, 23) &+ state.0
        let t = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= t
        state.3 = rotate(state.3, 45)
        return result
    }

    /// A number in 0..<1, with all 53 bits of a `Double` random.
    package mutating func nextUnit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}
