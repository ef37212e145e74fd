import Foundation
import LeapAudio

/// The names of the formats of sound that are read, as requests write them.
package enum AudioFormatName: String, CaseIterable {
    case wav, flac, mp3, ogg

    /// By the first bytes; nil for a format that is not read.
    init?(_ data: Data) {
        switch AudioFileFormat(firstBytes: data.prefix(12)) {
        case .wav: self = .wav
        case .flac: self = .flac
        case .mp3: self = .mp3
        case .ogg: self = .ogg
        default: return nil
        }
    }

    /// Other names that programs use for them, in requests and in types of media.
    private static let others: [String: AudioFormatName] = [
        "wave": .wav, "x-wav": .wav, "x-flac": .flac, "mpeg": .mp3, "oga": .ogg, "opus": .ogg, "vorbis": .ogg,
    ]

    /// Makes the format with a name, in any case; nil for a format that is not read.
    init?(name: String) {
        let name = name.lowercased()
        guard let format = AudioFormatName(rawValue: name) ?? Self.others[name] else { return nil }
        self = format
    }

    /// The names, for messages.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") + " and opus" }
}
