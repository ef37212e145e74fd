import Foundation
import LeapAudio

/// The names of the formats of sound that are read, as requests write them.
enum SoundFormatName: String, CaseIterable {
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

    /// Other names that programs use for them, as they stand in requests and in types of media.
    private static let others: Set<String> = ["wave", "x-wav", "x-flac", "mpeg", "oga", "opus", "vorbis"]

    /// Returns whether a name is that of a format that can be read.
    static func isKnown(_ name: String) -> Bool {
        SoundFormatName(rawValue: name.lowercased()) != nil || others.contains(name.lowercased())
    }

    /// The names, for messages.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") + " and opus" }
}
