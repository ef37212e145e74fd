/// The background on which transparent pixels are shown.
enum WhiteBackground {
    /// A value on white, rounded to the nearest.
    static func blend(_ value: UInt8, _ alpha: UInt8) -> UInt8 {
        guard alpha < 255 else { return value }
        let sum = Int(value) * Int(alpha) + 255 * (255 - Int(alpha)) + 128
        return UInt8((sum + sum >> 8) >> 8)
    }
}
