import Foundation

/// How a WAV file's samples are written.
struct WAVFormat {
    static let integerTag: UInt16 = 1
    static let floatTag: UInt16 = 3
    private static let extensibleTag: UInt16 = 0xFFFE

    enum Encoding { case int16, int24, int32, float32 }
    let encoding: Encoding
    let sampleRate: Int

    /// Reads the `fmt ` chunk.
    init(_ chunk: Data) throws {
        let bytes = [UInt8](chunk)
        guard bytes.count >= 16 else {
            throw LeapSerializationException("the WAV file's format chunk has \(bytes.count) bytes; 16 are needed")
        }
        func u16(_ at: Int) -> UInt16 { UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8 }
        var tag = u16(0)
        // The real tag of an extensible format is the start of its GUID.
        if tag == Self.extensibleTag, bytes.count >= 26 { tag = u16(24) }
        let channels = u16(2)
        let rate = Int(u16(4)) | Int(u16(6)) << 16
        let bits = u16(14)
        guard channels == 1 else {
            throw LeapSerializationException(
                "the WAV file has \(channels) channels\(channels == 2 ? " (stereo)" : ""); mix it down to one (mono) first"
            )
        }
        guard WAVFile.sampleRates.contains(rate) else {
            throw LeapSerializationException(
                "the WAV file has \(rate) samples per second; expected 16000 (others are resampled)")
        }
        switch (tag, bits) {
        case (Self.integerTag, 16): encoding = .int16
        case (Self.integerTag, 24): encoding = .int24
        case (Self.integerTag, 32): encoding = .int32
        case (Self.floatTag, 32): encoding = .float32
        default:
            throw LeapSerializationException(
                "the WAV file's samples are format \(tag) with \(bits) bits; expected PCM Float32, Int16, Int24 or Int32"
            )
        }
        sampleRate = rate
    }

    /// The samples as floats; bytes of half a sample at the end are left out.
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
                    let value = Float(bitPattern: bits)
                    return value.isFinite ? value : 0
                }
            }
        }
    }
}
