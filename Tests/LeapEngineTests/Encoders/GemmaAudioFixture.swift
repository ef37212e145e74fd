import Foundation
import LeapAudio
import LeapBase
import LeapTestSupport

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Gemma 4's encoders of sound, tiny and with random weights, with what numpy makes of sounds with them in double
/// precision; their language model is that of `gemma4vl-large`.
struct GemmaAudioFixture: Decodable {
    enum Family: String, CaseIterable, Sendable {
        /// That of E2B and E4B.
        case conformer = "gemma4a/mmproj-gemma4a.gguf"
        /// That of 12B.
        case samples = "gemma4u/mmproj-gemma4u.gguf"

        var form: SpectrumForm { self == .conformer ? .magnitudes(bands: 16) : .samples(count: 640) }
        fileprivate var results: String { self == .conformer ? "gemma4a/gemma4a.json" : "gemma4u/gemma4u.json" }
    }

    struct Audio: Decodable {
        let samples: Int
        /// The frames of the spectrum that are listed, and their values; nil where frames are samples.
        let frames: [Int]?
        let spectrum: [Float]?
        /// Vectors of all.
        let count: Int
        /// Those that are listed.
        let rows: [Int]
        let vectors: [Float]
    }

    let sounds: [Audio]

    static func load(_ family: Family) throws -> GemmaAudioFixture {
        try JSONDecoder().decode(
            GemmaAudioFixture.self, from: Data(contentsOf: Fixture.folder.appendingPathComponent(family.results)))
    }

    static func encoder(_ family: Family) throws -> GemmaAudioEncoder {
        try GemmaAudioEncoder.load(path: Fixture.folder.appendingPathComponent(family.rawValue).path)
    }

    /// The spectrum of samples at 16 kHz.
    static func spectrum(_ samples: [Float], _ family: Family) -> AudioSpectrum {
        var builder = MelSpectrumBuilder(sampleRate: MelSpectrum.sampleRate, form: family.form)
        builder.append(samples)
        return AudioSpectrum(builder.finish())
    }

    /// The spectrum of the sound that the scripts make too.
    static func spectrum(_ samples: Int, _ family: Family) -> AudioSpectrum {
        spectrum(PatternAudio.samples(samples), family)
    }
}
