import Foundation
import Testing

/// The sound files beside these tests; `Scripts/make-sound-files.py` made them of the same samples.
struct FixtureAudio: Sendable, CustomTestStringConvertible {
    let name: String
    let sampleRate: Int
    let channelCount: Int
    let bitsPerSample: Int
    let count: Int
    var wasted = 0

    var testDescription: String { name }

    /// FLAC files of another program.
    static let flac = [
        FixtureAudio(name: "mono-16", sampleRate: 16_000, channelCount: 1, bitsPerSample: 16, count: 3000),
        FixtureAudio(name: "stereo-16", sampleRate: 44_100, channelCount: 2, bitsPerSample: 16, count: 5000),
        FixtureAudio(name: "stereo-24", sampleRate: 48_000, channelCount: 2, bitsPerSample: 24, count: 2000),
        FixtureAudio(name: "short-8", sampleRate: 8000, channelCount: 1, bitsPerSample: 8, count: 1000),
        FixtureAudio(name: "wasted-16", sampleRate: 22_050, channelCount: 1, bitsPerSample: 16, count: 1500, wasted: 3),
        FixtureAudio(name: "six-16", sampleRate: 48_000, channelCount: 6, bitsPerSample: 16, count: 700),
        FixtureAudio(name: "mono-32", sampleRate: 96_000, channelCount: 1, bitsPerSample: 32, count: 1200),
    ]

    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    /// The samples of each channel: a triangle wave with noise.
    var channels: [[Int]] {
        var state: UInt64 = 1
        let loud = 1 << (bitsPerSample - 2)
        var channels = [[Int]](repeating: [], count: channelCount)
        for index in 0..<count {
            for channel in 0..<channelCount {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let phase = (index + 7 * channel) % 50
                let wave = ((min(phase, 50 - phase) * 4 - 50) * loud) >> 6
                let noise = Int(state >> 33) % (loud >> 5 + 1) - loud >> 6
                channels[channel].append(((wave + noise) >> wasted) << wasted)
            }
        }
        return channels
    }
}
