import Foundation
import LeapAudio
import LeapTestSupport
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// A tiny encoder of sound with random weights, with what liquid-audio makes of sounds with it; its language model is
/// that of the pictures.
struct AudioFixture: Decodable {
    struct Audio: Decodable {
        let samples: Int
        /// Vectors of all.
        let count: Int
        /// Those that are listed.
        let rows: [Int]
        /// Behind the encoder.
        let encoded: [Float]
        /// Behind the adapter.
        let vectors: [Float]
    }

    let sounds: [Audio]

    static let folder = Fixture.folder.appendingPathComponent("audio")

    static func load() throws -> AudioFixture {
        try JSONDecoder().decode(
            AudioFixture.self, from: Data(contentsOf: folder.appendingPathComponent("audio.json")))
    }

    static func encoder() throws -> AudioEncoder {
        try AudioEncoder.load(path: folder.appendingPathComponent("mmproj-audio.gguf").path)
    }

    /// The spectrum of the sound that the script makes too.
    static func spectrum(_ samples: Int) -> AudioSpectrum {
        var builder = MelSpectrumBuilder(sampleRate: MelSpectrum.sampleRate)
        builder.append(PatternAudio.samples(samples))
        let spectrum = builder.finish()
        return AudioSpectrum(frameCount: spectrum.frameCount, values: spectrum.values)
    }
}
