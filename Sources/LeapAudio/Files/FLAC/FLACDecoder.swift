/// Reads FLAC files (RFC 9639) frame by frame: all kinds of blocks and predictors, 4 to 32 bits, 1 to 8 channels.
///
/// Every frame's checksums and, at the end, the number of samples and their digest are compared with what the file
/// says. The work for a frame follows from the 65,535 samples that each of its channels has at most; who reads frames
/// bounds their number.
package struct FLACDecoder {
    package let info: FLACStreamInfo
    private let bytes: [UInt8]
    /// The byte at which the next frame begins.
    private var position: Int
    private var frameCount = 0
    private var sampleCount = 0
    private var digest = MD5()
    private var isAtEnd = false

    /// Reads what is in front of the frames.
    ///
    /// - Throws: ``AudioFileError`` that says what was found.
    package init(_ bytes: [UInt8]) throws(AudioFileError) {
        guard bytes.starts(with: "fLaC".utf8) else {
            throw AudioFileError(.unknownFormat, "the audio is not a FLAC file: it does not begin with fLaC")
        }
        var position = 4
        var info: FLACStreamInfo?
        var isLast = false
        while !isLast {
            guard position + 4 <= bytes.count else { throw Self.headerCutOff }
            isLast = bytes[position] & 0x80 != 0
            let kind = bytes[position] & 0x7F
            let length = bytes[position + 1...position + 3].reduce(0) { $0 << 8 | Int($1) }
            position += 4
            guard length <= bytes.count - position else { throw Self.headerCutOff }
            guard (kind == 0) == (info == nil), kind != 127 else {
                throw AudioFileError(
                    .damaged, "the FLAC file has a block of kind \(kind) where \(info == nil ? 0 : 1) to 126 are valid")
            }
            if kind == 0 { info = try FLACStreamInfo(bytes[position..<position + length]) }
            position += length
        }
        guard let info else { throw Self.headerCutOff }
        self.info = info
        self.bytes = bytes
        self.position = position
    }

    private static let headerCutOff = AudioFileError(.truncated, "the FLAC file is cut off in its header")

    /// The samples of each channel in the next frame; nil after the last one.
    ///
    /// - Throws: ``AudioFileError`` that names the frame and says what was found.
    package mutating func next() throws(AudioFileError) -> [[Int]]? {
        guard !isAtEnd else { return nil }
        // Behind the last sample some programs put a tag.
        let isWhole = info.sampleCount > 0 && sampleCount == info.sampleCount
        guard !isWhole, position < bytes.count else {
            isAtEnd = true
            try checkEnd()
            return nil
        }
        do {
            let channels = try frame()
            frameCount += 1
            return channels
        } catch {
            throw AudioFileError(error.code, "frame \(frameCount) of the FLAC file \(error.message)")
        }
    }

    private func checkEnd() throws(AudioFileError) {
        guard info.sampleCount == 0 || sampleCount == info.sampleCount else {
            throw AudioFileError(
                .truncated,
                "the FLAC file is cut off: it declares \(info.sampleCount) samples, but has \(sampleCount)")
        }
        guard !info.hasDigest || info.digest == digest.digest() else {
            throw AudioFileError(.damaged, "the FLAC file's samples do not match its MD5 digest")
        }
    }

    private mutating func frame() throws(AudioFileError) -> [[Int]] {
        var bits = FLACBitReader(bytes, from: position)
        let header = try FLACFrameHeader(&bits, info)
        let headerSum = FLACChecksums.crc8(bytes[position..<bits.position])
        guard UInt8(truncatingIfNeeded: try bits.bits(8)) == headerSum else {
            throw AudioFileError(.damaged, "has a header that does not match its CRC-8")
        }
        try check(header)
        var channels: [[Int]] = []
        for channel in 0..<header.channelCount {
            let isSide = header.pairing == .sideAndRight ? channel == 0 : header.pairing != nil && channel == 1
            channels.append(
                try FLACSubframe.read(
                    &bits, count: header.blockSize, width: header.bitsPerSample + (isSide ? 1 : 0)))
        }
        bits.alignToByte()
        let sum = FLACChecksums.crc16(bytes[position..<bits.position])
        guard UInt16(truncatingIfNeeded: try bits.bits(16)) == sum else {
            throw AudioFileError(.damaged, "has bytes that do not match its CRC-16")
        }
        try Self.part(&channels, header)
        position = bits.position
        sampleCount += header.blockSize
        if info.hasDigest { digest.append(channels: channels, bitsPerSample: info.bitsPerSample) }
        return channels
    }

    private func check(_ header: FLACFrameHeader) throws(AudioFileError) {
        guard header.blockSize <= info.blockSizes.upperBound else {
            throw AudioFileError(
                .damaged,
                "has \(header.blockSize) samples, but the file declares at most \(info.blockSizes.upperBound)")
        }
        guard info.sampleCount == 0 || header.blockSize <= info.sampleCount - sampleCount else {
            throw AudioFileError(
                .damaged, "has more samples than the \(info.sampleCount) that the file declares")
        }
        let found = (header.sampleRate, header.channelCount, header.bitsPerSample)
        guard found == (info.sampleRate, info.channelCount, info.bitsPerSample) else {
            throw AudioFileError(
                .unsupported,
                "has \(found.1) channels of \(found.0) samples per second with \(found.2) bits, but the file begins with \(info.channelCount) of \(info.sampleRate) with \(info.bitsPerSample): split it"
            )
        }
    }

    /// Makes left and right of what two channels were written as.
    private static func part(_ channels: inout [[Int]], _ header: FLACFrameHeader) throws(AudioFileError) {
        guard let pairing = header.pairing else { return }
        let (low, high) = (-1 << (header.bitsPerSample - 1), 1 << (header.bitsPerSample - 1) - 1)
        for index in 0..<header.blockSize {
            let (first, second) = (channels[0][index], channels[1][index])
            let (left, right): (Int, Int)
            switch pairing {
            case .leftAndSide: (left, right) = (first, first - second)
            case .sideAndRight: (left, right) = (first + second, second)
            case .middleAndSide:
                // The lowest bit of the sum is that of the difference.
                let sum = first << 1 | second & 1
                (left, right) = ((sum + second) >> 1, (sum - second) >> 1)
            }
            guard low <= left, left <= high, low <= right, right <= high else {
                throw AudioFileError(.damaged, "has a sample that does not fit into \(header.bitsPerSample) bits")
            }
            (channels[0][index], channels[1][index]) = (left, right)
        }
    }
}
