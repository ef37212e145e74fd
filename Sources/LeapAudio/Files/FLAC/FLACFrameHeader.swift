/// The header of a frame (RFC 9639, section 9.1).
struct FLACFrameHeader {
    /// The way in which two channels are written.
    enum Pairing: UInt64 {
        case leftAndSide = 8
        case sideAndRight = 9
        case middleAndSide = 10
    }

    let blockSize: Int
    let sampleRate: Int
    let channelCount: Int
    /// nil where every channel is written by itself.
    let pairing: Pairing?
    let bitsPerSample: Int

    private static let sampleRates = [
        0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
    ]

    /// Reads a header, whose checksum is after it.
    ///
    /// - Throws: ``AudioFileError`` whose text is the end of a sentence about the frame.
    init(_ bits: inout FLACBitReader, _ info: FLACStreamInfo) throws(AudioFileError) {
        guard try bits.bits(15) == 0b111_1111_1111_1100 else {
            throw AudioFileError(.damaged, "does not begin with a frame's sync code")
        }
        // Whether blocks have different sizes says only what the number below counts.
        _ = try bits.bits(1)
        let (size, rate, channels) = (Int(try bits.bits(4)), Int(try bits.bits(4)), try bits.bits(4))
        let width = Int(try bits.bits(3))
        guard try bits.bits(1) == 0 else { throw AudioFileError(.damaged, "has a reserved bit set") }
        try Self.skipNumber(&bits)
        blockSize = try Self.blockSize(size, &bits)
        sampleRate = try Self.sampleRate(rate, &bits) ?? info.sampleRate
        pairing = Pairing(rawValue: channels)
        guard channels < 8 || pairing != nil else {
            throw AudioFileError(.damaged, "has its channels in the reserved order \(channels)")
        }
        channelCount = pairing == nil ? Int(channels) + 1 : 2
        guard let known = [info.bitsPerSample, 8, 12, nil, 16, 20, 24, 32][width] else {
            throw AudioFileError(.damaged, "has samples of the reserved size 3")
        }
        bitsPerSample = known
    }

    /// The number of the frame or of its first sample, in one to seven bytes as in UTF-8.
    private static func skipNumber(_ bits: inout FLACBitReader) throws(AudioFileError) {
        let first = UInt8(truncatingIfNeeded: try bits.bits(8))
        let length = (~first).leadingZeroBitCount
        guard length == 0 || (2...7).contains(length) else {
            throw AudioFileError(.damaged, "has a number that begins with \(first)")
        }
        for _ in 1..<max(1, length) {
            guard try bits.bits(8) >> 6 == 0b10 else { throw AudioFileError(.damaged, "has an invalid number") }
        }
    }

    private static func blockSize(_ code: Int, _ bits: inout FLACBitReader) throws(AudioFileError) -> Int {
        switch code {
        case 0: throw AudioFileError(.damaged, "has a block of the reserved size 0")
        case 1: return 192
        case 2...5: return 144 << code
        case 6: return Int(try bits.bits(8)) + 1
        case 7: return Int(try bits.bits(16)) + 1
        default: return 1 << code
        }
    }

    /// nil for the rate of the whole file.
    private static func sampleRate(_ code: Int, _ bits: inout FLACBitReader) throws(AudioFileError) -> Int? {
        switch code {
        case 0: return nil
        case 12: return Int(try bits.bits(8)) * 1000
        case 13: return Int(try bits.bits(16))
        case 14: return Int(try bits.bits(16)) * 10
        case 15: throw AudioFileError(.damaged, "has an invalid sample rate")
        default: return sampleRates[code]
        }
    }
}
