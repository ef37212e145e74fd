import Foundation

/// The format in which a WAV file's samples are written.
package struct WAVFormat: Sendable {
    static let integerTag: UInt16 = 1
    static let floatTag: UInt16 = 3
    private static let aLawTag: UInt16 = 6
    private static let muLawTag: UInt16 = 7
    private static let extensibleTag: UInt16 = 0xFFFE
    /// Samples are not louder than this: what is computed of them stays finite.
    static let maxMagnitude: Float = 65_536

    package enum Encoding: Sendable { case uint8, int16, int24, int32, float32, float64, muLaw, aLaw }
    package let encoding: Encoding
    package let sampleRate: Int
    /// One sample of each makes a frame.
    package let channelCount: Int

    /// Bytes of a sample.
    private var bytesPerSample: Int {
        switch encoding {
        case .uint8, .muLaw, .aLaw: 1
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        case .float64: 8
        }
    }

    /// Bytes of a sample of every channel.
    package var bytesPerFrame: Int { bytesPerSample * channelCount }

    /// The format of raw samples: 16-bit integers of one channel.
    init(rawRate: Int) { (encoding, sampleRate, channelCount) = (.int16, rawRate, 1) }

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
        channelCount = Int(u16(2))
        let rate = Int(u16(4)) | Int(u16(6)) << 16
        let bits = u16(14)
        guard channelCount > 0 else { throw AudioFileError(.damaged, "the WAV file has no channel") }
        guard WAVFile.sampleRates.contains(rate) else {
            throw AudioFileError(
                .unsupported,
                "the WAV file has \(rate) samples per second; expected 16000 (others, up to \(WAVFile.sampleRates.upperBound), are resampled)"
            )
        }
        // Integers of other sizes are in the upper bits of the next whole bytes.
        switch (tag, bits) {
        case (Self.integerTag, 1...8): encoding = .uint8
        case (Self.integerTag, 9...16): encoding = .int16
        case (Self.integerTag, 17...24): encoding = .int24
        case (Self.integerTag, 25...32): encoding = .int32
        case (Self.floatTag, 32): encoding = .float32
        case (Self.floatTag, 64): encoding = .float64
        case (Self.aLawTag, 8): encoding = .aLaw
        case (Self.muLawTag, 8): encoding = .muLaw
        default:
            throw AudioFileError(
                .unsupported,
                "the WAV file's samples are format \(tag) with \(bits) bits; expected PCM of 8, 16, 24 or 32 bits, Float32, Float64, A-law or µ-law: \(AudioFileFormat.advice)"
            )
        }
        sampleRate = rate
    }

    /// The samples as floats, of several channels their mean.
    func decode(_ data: Data) -> [Float] {
        data.withUnsafeBytes { bytes in
            switch encoding {
            case .uint8: mixed(bytes) { (Float(bytes[$0]) - 128) / 0x1p7 }
            case .muLaw: companded(bytes, CompandedSamples.muLaw)
            case .aLaw: companded(bytes, CompandedSamples.aLaw)
            case .int16:
                mixed(bytes) {
                    Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self))) / 0x1p15
                }
            case .int24:
                mixed(bytes) {
                    let low = Int32(bytes[$0]) << 8 | Int32(bytes[$0 + 1]) << 16
                    return Float((low | Int32(bitPattern: UInt32(bytes[$0 + 2]) << 24)) >> 8) / 0x1p23
                }
            case .int32:
                mixed(bytes) {
                    Float(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int32.self))) / 0x1p31
                }
            case .float32:
                mixed(bytes) {
                    let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
                    return Self.usable(Float(bitPattern: bits))
                }
            case .float64:
                mixed(bytes) {
                    let bits = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
                    return Self.usable(Double(bitPattern: bits))
                }
            }
        }
    }

    private func companded(_ bytes: UnsafeRawBufferPointer, _ table: [Float]) -> [Float] {
        mixed(bytes) { table[Int(bytes[$0])] }
    }

    /// The mean of each frame's samples.
    ///
    /// - Parameter sample: the sample that begins at a byte.
    @inline(__always)
    private func mixed(_ bytes: UnsafeRawBufferPointer, _ sample: (Int) -> Float) -> [Float] {
        let (width, frame) = (bytesPerSample, bytesPerFrame)
        guard channelCount > 1 else { return (0..<bytes.count / width).map { sample($0 * width) } }
        return (0..<bytes.count / frame).map { index in
            var sum: Float = 0
            for channel in 0..<channelCount { sum += sample(index * frame + channel * width) }
            return sum / Float(channelCount)
        }
    }

    /// A sample that can be computed with: 0 for what is not a number, and within bounds.
    package static func usable(_ sample: Float) -> Float {
        sample.isFinite ? min(max(sample, -maxMagnitude), maxMagnitude) : 0
    }

    private static func usable(_ sample: Double) -> Float {
        sample.isFinite ? Float(min(max(sample, Double(-maxMagnitude)), Double(maxMagnitude))) : 0
    }
}
