import Foundation

/// WAV files with whatever header is asked for.
package enum MadeWAV {
    package static func file(
        tag: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 16000, bits: UInt16 = 16, samples: [UInt8],
        declared: UInt32? = nil, extra: [UInt8] = []
    ) -> Data {
        func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        var bytes = Array("RIFF".utf8) + le(UInt32(truncatingIfNeeded: 36 + samples.count))
        bytes += Array("WAVEfmt ".utf8) + le(UInt32(16))
        bytes += le(tag) + le(channels) + le(rate) + le(UInt32(0)) + le(UInt16(0)) + le(bits)
        bytes += extra + Array("data".utf8) + le(declared ?? UInt32(samples.count)) + samples
        return Data(bytes)
    }
}
