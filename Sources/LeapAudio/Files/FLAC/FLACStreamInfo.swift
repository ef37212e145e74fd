/// The first block of a FLAC file, which describes the sound (RFC 9639, section 8.2).
package struct FLACStreamInfo: Sendable, Equatable {
    static let byteCount = 34

    /// Samples of a channel in a block, at least and at most.
    package var blockSizes: ClosedRange<Int>
    package var sampleRate: Int
    package var channelCount: Int
    package var bitsPerSample: Int
    /// Samples of a channel; 0 where that was not known.
    package var sampleCount: Int
    /// The MD5 digest of all samples; zeros where it was not known.
    package var digest: [UInt8]
    var hasDigest: Bool { digest.contains { $0 != 0 } }

    /// Reads the block.
    ///
    /// - Throws: ``AudioFileError`` that names the field.
    init(_ bytes: ArraySlice<UInt8>) throws(AudioFileError) {
        guard bytes.count == Self.byteCount else {
            throw AudioFileError(
                .damaged, "the FLAC file's STREAMINFO has \(bytes.count) bytes; expected \(Self.byteCount)")
        }
        var bits = FLACBitReader(Array(bytes))
        let (low, high) = (Int(try bits.bits(16)), Int(try bits.bits(16)))
        // The sizes of the smallest and the largest frame.
        _ = try bits.bits(48)
        sampleRate = Int(try bits.bits(20))
        channelCount = Int(try bits.bits(3)) + 1
        bitsPerSample = Int(try bits.bits(5)) + 1
        sampleCount = Int(try bits.bits(36))
        digest = Array(bytes.suffix(16))
        guard low >= 16, high >= low else {
            throw AudioFileError(
                .damaged, "the FLAC file's blocks have \(low) to \(high) samples; expected 16 to 65535")
        }
        guard bitsPerSample >= 4 else {
            throw AudioFileError(.damaged, "the FLAC file's samples have \(bitsPerSample) bits; expected 4 to 32")
        }
        guard sampleRate > 0 else {
            throw AudioFileError(.unsupported, "the FLAC file has 0 samples per second: it has no sound")
        }
        blockSizes = low...high
    }

    /// Describes a sound that is still being made.
    init(blockSize: Int, sampleRate: Int, channelCount: Int, bitsPerSample: Int) {
        blockSizes = blockSize...blockSize
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitsPerSample = bitsPerSample
        sampleCount = 0
        digest = [UInt8](repeating: 0, count: 16)
    }

    /// The block's bytes.
    ///
    /// - Parameter frameSizes: bytes of the smallest and the largest frame; nil where they are not known.
    func bytes(frameSizes: ClosedRange<Int>?) -> [UInt8] {
        var bits = FLACBitWriter()
        bits.put(UInt64(blockSizes.lowerBound), 16)
        bits.put(UInt64(blockSizes.upperBound), 16)
        bits.put(UInt64(frameSizes?.lowerBound ?? 0), 24)
        bits.put(UInt64(frameSizes?.upperBound ?? 0), 24)
        bits.put(UInt64(sampleRate), 20)
        bits.put(UInt64(channelCount - 1), 3)
        bits.put(UInt64(bitsPerSample - 1), 5)
        bits.put(UInt64(sampleCount), 36)
        return bits.bytes + digest
    }
}
