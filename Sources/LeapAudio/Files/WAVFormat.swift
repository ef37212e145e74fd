import Foundation

/// How a WAV file's samples are written.
package struct WAVFormat: Sendable {
    static let integerTag: UInt16 = 1
    static let floatTag: UInt16 = 3
    private static let extensibleTag: UInt16 = 0xFFFE
    /// Samples are not louder than this: what is computed of them stays finite.
    static let maxMagnitude: Float = 65_536

    package enum Encoding: Sendable { case int16, int24, int32, float32 }
    package let encoding: Encoding
    package let sampleRate: Int

    /// Bytes of a sample.
    package var bytesPerSample: Int {
        switch encoding {
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        }
    }

    /// Reads the `fmt ` chunk.
    init(_ chunk: Data) throws(AudioFileError) {
        let bytes = [UInt8](chunk.prefix(40))
        guard bytes.count >= 16 else {
            throw AudioFileError(
                .damaged, "the WAV file's format chunk has \(bytes.count) bytes; 16 are needed")
        }
        func u16(_ at: Int) -> UInt16 { UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8 }
        var tag = u16(0)
        // The real tag of an extensible format is the start of its GUID.
        if tag == Self.extensibleTag, bytes.count >= 26 { tag = u16(24) }
        let channels = u16(2)
        let rate = Int(u16(4)) | Int(u16(6)) << 16
        let bits = u16(14)
        guard channels == 1 else {
            throw AudioFileError(
                .unsupported,
                "the WAV file has \(channels) channels\(channels == 2 ? " (stereo)" : ""); mix it down to one (mono) first"
            )
        }
        guard WAVFile.sampleRates.contains(rate) else {
            throw AudioFileError(
                .unsupported,
                "the WAV file has \(rate) samples per second; expected 16000 (others, up to \(WAVFile.sampleRates.upperBound), are resampled)"
            )
        }
        switch (tag, bits) {
        case (Self.integerTag, 16): encoding = .int16
        case (Self.integerTag, 24): encoding = .int24
        case (Self.integerTag, 32): encoding = .int32
        case (Self.floatTag, 32): encoding = .float32
        default:
            throw AudioFileError(
                .unsupported,
                "the WAV file's samples are format \(tag) with \(bits) bits; expected PCM Float32, Int16, Int24 or Int32: \(AudioFileFormat.advice)"
            )
        }
        sampleRate = rate
    }

    /// The samples as floats.
    func decode(_ data: Data) -> [Float] {
        data.withUnsafeBytes { bytes in
            switch encoding {
            case .int16:
                (0..<bytes.count / 2).map {
                    Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))) / 0x1p15
                }
            case .int24:
                (0..<bytes.count / 3).map {
                    let low = Int32(bytes[$0 * 3]) << 8 | Int32(bytes[$0 * 3 + 1]) << 16
                    return Float((low | Int32(bitPattern: UInt32(bytes[$0 * 3 + 2]) << 24)) >> 8) / 0x1p23
                }
            case .int32:
                (0..<bytes.count / 4).map {
                    Float(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self))) / 0x1p31
                }
            case .float32:
                (0..<bytes.count / 4).map {
                    let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
                    return Self.usable(Float(bitPattern: bits))
                }
            }
        }
    }

    /// A sample that can be computed with: 0 for what is no number, and within bounds.
    package static func usable(_ sample: Float) -> Float {
        sample.isFinite ? min(max(sample, -maxMagnitude), maxMagnitude) : 0
    }
}
