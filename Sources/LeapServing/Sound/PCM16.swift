import Foundation
import LeapAudio

/// Sound as OpenAI's protocols carry it: little-endian integers of 16 bits, one channel.
enum PCM16 {
    /// Samples per second of the sound in both directions.
    static let sampleRate = 24_000

    /// The samples in bytes; a last odd byte is left out.
    static func samples(_ bytes: Data) -> [Float] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))) / 0x1p15
            }
        }
    }

    /// Returns the bytes of samples; values beyond -1...1 are clamped, and NaN is silence.
    static func bytes(_ samples: [Float]) -> Data {
        var data = Data(capacity: samples.count * 2)
        for sample in samples {
            withUnsafeBytes(of: WAVFile.int16(sample).littleEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    /// The header of a WAV file; without a length for a sound that is still being made.
    static func wavHeader(byteCount: Int? = nil) -> Data {
        WAVFile.header(sampleRate: sampleRate, asInt16: true, byteCount: byteCount)
    }

    /// A whole WAV or FLAC file of samples.
    static func file(_ bytes: Data, isFLAC: Bool) -> Data {
        isFLAC
            ? FLACEncoder.encode([integers(bytes)], sampleRate: sampleRate) : wavHeader(byteCount: bytes.count) + bytes
    }

    /// The samples in bytes as whole numbers; a last odd byte is left out.
    static func integers(_ bytes: Data) -> [Int] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)))
            }
        }
    }

    /// Milliseconds of a number of samples.
    static func milliseconds(_ samples: Int, rate: Int = sampleRate) -> Int { samples * 1000 / max(1, rate) }
}
