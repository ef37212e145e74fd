package import Foundation

/// WAV files with whatever header is asked for.
package enum MadeWAV {
    package static func file(
        tag: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 16000, bits: UInt16 = 16, samples: [UInt8],
        declared: UInt32? = nil, extra: [UInt8] = [], behind: [UInt8] = []
    ) -> Data {
        func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        var bytes = Array("RIFF".utf8) + le(UInt32(truncatingIfNeeded: 36 + samples.count))
        bytes += Array("WAVEfmt ".utf8) + le(UInt32(16))
        bytes += le(tag) + le(channels) + le(rate) + le(UInt32(0)) + le(UInt16(0)) + le(bits)
        bytes += extra + Array("data".utf8) + le(declared ?? UInt32(samples.count)) + samples
        return Data(bytes + behind)
    }

    /// The same as RF64 (EBU Tech 3306): the length of the samples in a chunk of its own.
    package static func longFile(samples: [UInt8], length: UInt64? = nil, name: String = "RF64") -> Data {
        func le(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        let plain = [UInt8](file(samples: samples, declared: .max))
        var bytes: [UInt8] = Array(name.utf8) + [255, 255, 255, 255]
        bytes += plain[8..<12]
        bytes += Array("ds64".utf8) + [28, 0, 0, 0]
        for size in [UInt64(72 + samples.count), length ?? UInt64(samples.count), 0] as [UInt64] { bytes += le(size) }
        bytes += [0, 0, 0, 0]
        bytes += plain[12...]
        return Data(bytes)
    }

    /// A file whose format is described by an identifier (WAVE_FORMAT_EXTENSIBLE).
    package static func extensible(
        tag: UInt16, channels: UInt16, bits: UInt16, samples: [UInt8]
    ) -> Data {
        func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        var bytes: [UInt8] = Array("RIFF".utf8) + le(UInt32(60 + samples.count))
        bytes += Array("WAVEfmt ".utf8) + le(UInt32(40))
        bytes += le(UInt16(0xFFFE)) + le(channels) + le(UInt32(16000))
        bytes += le(UInt32(0)) + le(UInt16(0)) + le(bits)
        bytes += le(UInt16(22)) + le(bits) + le(UInt32(3))
        bytes += le(tag)
        bytes += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71] as [UInt8]
        bytes += Array("data".utf8) + le(UInt32(samples.count))
        return Data(bytes + samples)
    }
}
