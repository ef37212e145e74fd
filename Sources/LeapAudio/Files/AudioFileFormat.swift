import Foundation

/// The formats of audio files that are distinguished.
package enum AudioFileFormat: String, Sendable {
    case wav = "WAV"
    case mp3 = "MP3"
    case flac = "FLAC"
    case ogg = "OGG"
    case mpeg4 = "MPEG-4 (M4A)"
    case aac = "AAC"
    case aiff = "AIFF"
    case caf = "CAF"
    case webM = "WebM"

    /// Advice on making a file that can be read from one of a format that cannot.
    package static let advice = "convert it to WAV first, for example with ffmpeg -i FILE -ac 1 -c:a pcm_s16le FILE.wav"

    /// Looks at a file's first 12 bytes.
    package init?(firstBytes bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes.prefix(12))
        func has(_ expected: String, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: Array(expected.utf8))
        }
        if has("RIFF") || has("RF64") || has("BW64"), has("WAVE", at: 8) {
            self = .wav
        } else if has("ID3") {
            self = .mp3
        } else if has("fLaC") {
            self = .flac
        } else if has("OggS") {
            self = .ogg
        } else if has("ftyp", at: 4) {
            self = .mpeg4
        } else if has("FORM") {
            self = .aiff
        } else if has("caff") {
            self = .caf
        } else if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .webM
        } else if bytes.count > 1, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 {
            // The bits of the layer are zero in AAC, and in no layer of MPEG audio.
            self = bytes[1] & 0x06 == 0 ? .aac : .mp3
        } else {
            return nil
        }
    }
}
