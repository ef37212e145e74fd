package import Foundation

/// Writes FLAC files (RFC 9639), as they are made.
///
/// Predictors are the five that have no weights of their own: for speech the file is a few percent larger than with
/// weights that are fitted to every block, for a small part of the work.
package struct FLACEncoder {
    private static let blockSize = 4096

    private var info: FLACStreamInfo
    /// Samples that make no whole block yet.
    private var rest: [[Int]]
    private var frameCount = 0
    private var frameSizes: ClosedRange<Int>?
    private var digest = MD5()

    /// - Precondition: 1 to 655,350 samples per second, 1 to 8 channels, 4 to 24 bits.
    package init(sampleRate: Int, channelCount: Int = 1, bitsPerSample: Int = 16) {
        precondition((1...655_350).contains(sampleRate), "a rate of FLAC")
        precondition((1...8).contains(channelCount) && (4...24).contains(bitsPerSample), "a sound of FLAC")
        info = FLACStreamInfo(
            blockSize: Self.blockSize, sampleRate: sampleRate, channelCount: channelCount, bitsPerSample: bitsPerSample)
        rest = [[Int]](repeating: [], count: channelCount)
    }

    /// The bytes in front of the frames: with the length and the digest after the last frame, without them before.
    package var header: [UInt8] {
        [UInt8]("fLaC".utf8) + [0x80, 0, 0, UInt8(FLACStreamInfo.byteCount)] + info.bytes(frameSizes: frameSizes)
    }

    /// Takes samples of each channel.
    ///
    /// - Precondition: as many of each channel, within the bits.
    /// - Returns: the frames that are whole.
    package mutating func append(_ channels: [[Int]]) -> [UInt8] {
        precondition(channels.count == info.channelCount && Set(channels.map(\.count)).count == 1, "samples of a frame")
        for index in rest.indices { rest[index] += channels[index] }
        var frames: [UInt8] = []
        var start = 0
        while rest[0].count - start >= Self.blockSize {
            frames += frame(rest.map { Array($0[start..<start + Self.blockSize]) })
            start += Self.blockSize
        }
        for index in rest.indices { rest[index].removeFirst(start) }
        return frames
    }

    /// The last frame; no samples come after this.
    package mutating func finish() -> [UInt8] {
        var frames: [UInt8] = []
        if !rest[0].isEmpty { frames = frame(rest) }
        rest = [[Int]](repeating: [], count: info.channelCount)
        info.digest = digest.digest()
        return frames
    }

    /// A file of samples.
    package static func encode(_ channels: [[Int]], sampleRate: Int, bitsPerSample: Int = 16) -> Data {
        var encoder = FLACEncoder(
            sampleRate: sampleRate, channelCount: channels.count, bitsPerSample: bitsPerSample)
        let frames = encoder.append(channels) + encoder.finish()
        return Data(encoder.header + frames)
    }

    /// A file of one channel with samples of 16 bits, to which samples are rounded as those of WAV files are.
    package static func encode(_ samples: [Float], sampleRate: Int) -> Data {
        encode([samples.map { Int(WAVFile.int16($0)) }], sampleRate: sampleRate)
    }

    // MARK: Frames

    private mutating func frame(_ channels: [[Int]]) -> [UInt8] {
        let count = channels[0].count
        digest.append(channels: channels, bitsPerSample: info.bitsPerSample)
        info.sampleCount += count
        let (assignment, subframes) = Self.subframes(channels, width: info.bitsPerSample)
        var bits = FLACBitWriter()
        bits.put(0b1111_1111_1111_1000, 16)
        bits.put(count == Self.blockSize ? 12 : 7, 4)
        // The rate and the bits of a sample are those of the file.
        bits.put(0, 4)
        bits.put(UInt64(assignment), 4)
        bits.put(0, 4)
        for byte in Self.number(frameCount) { bits.put(UInt64(byte), 8) }
        if count != Self.blockSize { bits.put(UInt64(count - 1), 16) }
        bits.put(UInt64(FLACChecksums.crc8(bits.bytes[...])), 8)
        for subframe in subframes { subframe.write(to: &bits) }
        bits.alignToByte()
        bits.put(UInt64(FLACChecksums.crc16(bits.bytes[...])), 16)
        frameCount += 1
        let size = bits.bytes.count
        frameSizes = min(frameSizes?.lowerBound ?? size, size)...max(frameSizes?.upperBound ?? size, size)
        return bits.bytes
    }

    /// The channels as they take the fewest bits, and the number of that way.
    private static func subframes(_ channels: [[Int]], width: Int) -> (Int, [FLACPrediction]) {
        let single = channels.map { FLACPrediction($0, width: width) }
        guard channels.count == 2 else { return (channels.count - 1, single) }
        let pairs = zip(channels[0], channels[1])
        let side = FLACPrediction(pairs.map { $0 - $1 }, width: width + 1)
        let middle = FLACPrediction(pairs.map { ($0 + $1) >> 1 }, width: width)
        let ways = [
            (1, single), (8, [single[0], side]), (9, [side, single[1]]), (10, [middle, side]),
        ]
        func size(_ way: [FLACPrediction]) -> Int { way.reduce(0) { $0 + $1.bitCount } }
        return ways.min { size($0.1) < size($1.1) } ?? ways[0]
    }

    /// A number in one to seven bytes, as in UTF-8.
    private static func number(_ value: Int) -> [UInt8] {
        guard value >= 0x80 else { return [UInt8(value)] }
        var bytes: [UInt8] = []
        var rest = value
        // Bits of the first byte that are left for the number.
        var room = 6
        repeat {
            bytes.insert(UInt8(0x80 | rest & 0x3F), at: 0)
            rest >>= 6
            room -= 1
        } while rest >> room > 0
        let mark: UInt8 = ~(0xFF >> UInt8(bytes.count + 1))
        return [mark | UInt8(rest)] + bytes
    }
}
