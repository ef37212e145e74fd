import LeapBase
import LeapModel
import LeapTokenizer

/// The numbers that stand in prompts in the places of vectors.
///
/// Vectors have no tokens of the vocabulary. In their places are negative numbers that follow from the content, how it
/// is cut and its encoder, so that kept state and caches find a content again and never take one for another: two that
/// are not the same differ in each place but one in 2²⁹.
struct MediaPlaces: Sendable {
    private let seed: StableHash

    /// - Parameter fingerprint: numbers that differ where what the encoder gets does.
    init(encoder: StableHash, fingerprint: [Int]) {
        var seed = encoder
        for value in fingerprint { seed.combine(UInt64(bitPattern: Int64(value))) }
        self.seed = seed
    }

    /// The places of a part of a content.
    ///
    /// - Parameters:
    ///   - columns: places of a row, where rows and columns have positions of their own.
    ///   - isApart: whether the places are of no picture, in models where those of a picture see each other.
    func places(
        _ count: Int, part: Int = 0, digest: [UInt8], columns: Int? = nil, isApart: Bool = false
    ) -> [TokenID] {
        var hash = seed
        digest.withUnsafeBytes { hash.combine($0) }
        hash.combine(UInt64(part))
        // SplitMix64 (Steele, Lea and Flood 2014), from a state that is the content's own.
        var state = hash.low ^ hash.high
        return (0..<count).map { index in
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            let step: PlaceToken.Step =
                switch (columns, index) {
                case _ where isApart: .grid
                case (nil, _): .position
                case (_, 0): .grid
                case (let columns?, _): index % max(1, columns) == 0 ? .row : .column
                }
            return PlaceToken.make(step, content: UInt32(truncatingIfNeeded: value >> 33))
        }
    }
}
