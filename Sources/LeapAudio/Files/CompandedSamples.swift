/// Samples of eight bits on a curve of loudness, as telephones send them (ITU-T G.711).
enum CompandedSamples {
    /// The value of each byte of µ-law.
    static let muLaw: [Float] = (0..<256).map { byte in
        let bits = ~byte & 0xFF
        let magnitude = ((bits & 15) << 3 + 132) << (bits >> 4 & 7) - 132
        return Float(bits & 0x80 == 0 ? magnitude : -magnitude) / 0x1p15
    }

    /// The value of each byte of A-law.
    static let aLaw: [Float] = (0..<256).map { byte in
        let bits = byte ^ 0x55
        let (step, segment) = (bits & 15, bits >> 4 & 7)
        let magnitude = segment == 0 ? step << 4 + 8 : (step << 4 + 264) << (segment - 1)
        return Float(bits & 0x80 == 0 ? -magnitude : magnitude) / 0x1p15
    }
}
