import Foundation
import LeapAudio
import LeapBase
import LeapTestSupport
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// A tiny encoder of sound with random weights, with what the reference makes of sounds with it; its language model is
/// that of the pictures.
struct AudioFixture: Decodable {
    /// The models whose encoders there are.
    enum Family: String, CaseIterable, Sendable {
        /// LFM2-Audio's; the reference is liquid-audio.
        case lfm2 = "audio/mmproj-audio.gguf"
        /// LFM3-Audio's; the reference is numpy in double precision.
        case lfm3 = "lfm3a/mmproj-lfm3a.gguf"

        var form: SpectrumForm { self == .lfm2 ? .normalised : .scaled(bands: 16) }
        fileprivate var results: String { self == .lfm2 ? "audio/audio.json" : "lfm3a/lfm3a.json" }
    }

    struct Audio: Decodable {
        let samples: Int
        /// The frames of the spectrum that are listed, and their values.
        let frames: [Int]
        let spectrum: [Float]
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

    static func load(_ family: Family = .lfm2) throws -> AudioFixture {
        try JSONDecoder().decode(
            AudioFixture.self, from: Data(contentsOf: Fixture.folder.appendingPathComponent(family.results)))
    }

    static func encoder(_ family: Family = .lfm2) throws -> AudioEncoder {
        try AudioEncoder.load(path: Fixture.folder.appendingPathComponent(family.rawValue).path)
    }

    /// The spectrum of the sound that the script makes too.
    static func spectrum(_ samples: Int, _ family: Family = .lfm2) -> AudioSpectrum {
        var builder = MelSpectrumBuilder(sampleRate: MelSpectrum.sampleRate, form: family.form)
        builder.append(PatternAudio.samples(samples))
        return AudioSpectrum(builder.finish())
    }

    /// The largest difference of listed vectors.
    static func difference(_ all: [Float], _ listed: [Float], rows: [Int], length: Int) -> Float {
        var largest: Float = 0
        for (index, row) in rows.enumerated() {
            for element in 0..<length {
                largest = max(largest, abs(all[row * length + element] - listed[index * length + element]))
            }
        }
        return largest
    }
}

extension AudioSpectrum {
    /// A spectrum as encoders take it.
    init(_ spectrum: MelSpectrum) {
        self.init(frameCount: spectrum.frameCount, bandCount: spectrum.bandCount, values: spectrum.values)
    }
}
