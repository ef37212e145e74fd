import LeapJSON
import LeapModel
import LeapTokenizer

/// Keeps text from outside from becoming special tokens.
///
/// A user who writes `<|im_end|>` must not end their turn with it. Before a prompt is rendered, a noncharacter is put
/// in front of every spelled-out control token in text from outside (users, functions' results, definitions of
/// functions); after that, these places are known in the finished text, and the tokenizer takes them as plain text.
/// Text that spells no control token is not changed at all, so the prompt is exactly the trained one.
struct LiteralMarker: Sendable {
    private let table: ControlTokenTable
    /// The span that is put around sounds for which the format writes nothing; nil where they stand alone.
    private let soundSpan: SoundSpan?
    /// U+FDD0, which is no character and has no place in text; where it occurs in text it becomes U+FFFD.
    private static let sentinel: [UInt8] = [0xEF, 0xB7, 0x90]

    /// The text that stands for a picture in rendered text: the mark twice, which nothing else puts there.
    static let image = String(decoding: sentinel + sentinel, as: UTF8.self)
    /// U+FDD2, which never follows the mark in text.
    private static let behindAudio: [UInt8] = [0xEF, 0xB7, 0x92]
    /// The text that stands for a sound.
    static let audio = String(decoding: sentinel + behindAudio, as: UTF8.self)

    /// U+FDD4, likewise.
    private static let behindSpeech: [UInt8] = [0xEF, 0xB7, 0x94]
    /// The text that stands for a reply with speech.
    static let speech = String(decoding: sentinel + behindSpeech, as: UTF8.self)

    /// U+FDD5, likewise.
    private static let behindVideo: [UInt8] = [0xEF, 0xB7, 0x95]
    /// The text that stands for a video.
    static let video = String(decoding: sentinel + behindVideo, as: UTF8.self)

    /// Returns the text that stands for a medium.
    static func mark(of medium: Medium) -> String {
        switch medium {
        case .image: image
        case .audio: audio
        case .speech: speech
        case .video: video
        }
    }

    /// Makes a marker for a vocabulary's control tokens.
    init(table: ControlTokenTable, soundSpan: SoundSpan? = nil) {
        self.table = table
        self.soundSpan = soundSpan
    }

    /// The text with control tokens marked, but for the given ones.
    func mark(_ text: String, except: [String] = []) -> String {
        let text = clean(text)
        let starts = table.occurrences(in: text, except: except)
        guard !starts.isEmpty else { return text }
        var marked: [UInt8] = []
        let bytes = Array(text.utf8)
        var position = 0
        for start in starts {
            marked += bytes[position..<start]
            marked += Self.sentinel
            position = start
        }
        marked += bytes[position...]
        return String(decoding: marked, as: UTF8.self)
    }

    /// The text with nothing in it that would be taken for a mark.
    func clean(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.firstIndex(of: Self.sentinel) != nil else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0xFDD0 ? "\u{FFFD}" : $0 }))
    }

    /// The value with control tokens marked in every string.
    func mark(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(mark(text))
        case .array(let values): return .array(values.map { mark($0) })
        case .object(let object): return .object(JSONObject(object.members.map { (mark($0.key), mark($0.value)) }))
        default: return value
        }
    }

    /// U+FDD1, which never follows the mark in text.
    private static let behindPlaceholder: [UInt8] = [0xEF, 0xB7, 0x91]

    /// U+FDD3, likewise.
    private static let behindAudioPlaceholder: [UInt8] = [0xEF, 0xB7, 0x93]

    /// U+FDD6, likewise.
    private static let behindVideoPlaceholder: [UInt8] = [0xEF, 0xB7, 0x96]

    /// Returns the text that is put behind a template's placeholder for a picture, a sound or a video.
    static func written(_ medium: Medium) -> String {
        let behind =
            switch medium {
            case .image: behindPlaceholder
            case .audio, .speech: behindAudioPlaceholder
            case .video: behindVideoPlaceholder
            }
        return String(decoding: sentinel + behind, as: UTF8.self)
    }

    /// A text that templates write for a picture, a sound or a video.
    private struct Placeholder {
        let bytes: [UInt8]
        /// Bytes at its end that stay, behind what it stands for.
        let keptCount: Int

        init(_ text: String, keeping end: String = "") {
            bytes = Array((text + end).utf8)
            keptCount = end.utf8.count
        }
    }

    /// The bytes that follow the mark where it stands for a picture, a sound, speech or a video, and the placeholders that
    /// templates write in front of it.
    private static let marks: [(behind: [UInt8], medium: Medium, placeholders: [Placeholder])] = [
        (sentinel, .image, []),
        (
            behindPlaceholder, .image,
            [
                "<image>", "<|vision_start|><|image_pad|><|vision_end|>", "<|vision_start|><|image|><|vision_end|>",
                "<|image|>",
            ].map { Placeholder($0) }
        ),
        (behindVideo, .video, []),
        (
            behindVideoPlaceholder, .video,
            [
                "<video>", "<|vision_start|><|video_pad|><|vision_end|>", "<|vision_start|><|video|><|vision_end|>",
                "<|video|>",
            ].map { Placeholder($0) }
        ),
        (behindAudio, .audio, []),
        (behindSpeech, .speech, []),
        (
            behindAudioPlaceholder, .audio,
            // LFM3-Omni's sounds stand in the span that its pictures stand in too.
            [Placeholder("<audio>"), Placeholder("<|audio|>"), Placeholder("<|audio|>", keeping: "<|vision_end|>")]
        ),
    ]

    /// The rendered text without the marks, the bytes where no special token may begin, and where pictures, sounds
    /// and videos are.
    func remove(
        from text: String
    ) -> (bytes: [UInt8], literalStarts: Set<Int>, media: [(place: Int, medium: Medium)]) {
        let all = Array(text.utf8)
        var bytes: [UInt8] = []
        var starts: Set<Int> = []
        var media: [(place: Int, medium: Medium)] = []
        var position = 0
        while let index = all.firstIndex(of: Self.sentinel, from: position) {
            bytes += all[position..<index]
            position = index + Self.sentinel.count
            if let mark = Self.marks.first(where: { all[position...].starts(with: $0.behind) }) {
                let written = mark.placeholders.first { bytes.suffix($0.bytes.count).elementsEqual($0.bytes) }
                bytes.removeLast(written?.bytes.count ?? 0)
                let isInSpan = soundSpan != nil && mark.behind == Self.behindAudio
                if isInSpan { bytes += SoundSpan.start.utf8 }
                media.append((bytes.count, mark.medium))
                if isInSpan { bytes += SoundSpan.end.utf8 }
                if let written { bytes += written.bytes.suffix(written.keptCount) }
                position += mark.behind.count
            } else {
                starts.insert(bytes.count)
            }
        }
        return (position == 0 ? all : bytes + all[position...], starts, media)
    }
}

/// The texts of a vocabulary's control tokens.
package final class ControlTokenTable: Sendable {
    private let texts: Set<[UInt8]>
    /// The lengths of texts that begin with each byte, longest first.
    private let lengths: [[Int]]

    /// The table of no vocabulary.
    init() {
        texts = []
        lengths = [[Int]](repeating: [], count: 256)
    }

    init(_ tokenizer: Tokenizer) {
        var texts: Set<[UInt8]> = []
        for token in 0..<TokenID(clamping: tokenizer.vocabularySize) {
            guard tokenizer.kind(of: token) == .control || tokenizer.kind(of: token) == .unknown else { continue }
            let text = Array(tokenizer.text(of: token).utf8)
            if !text.isEmpty { texts.insert(text) }
        }
        var lengths = [Set<Int>](repeating: [], count: 256)
        for text in texts { lengths[Int(text[0])].insert(text.count) }
        self.texts = texts
        self.lengths = lengths.map { $0.sorted(by: >) }
    }

    /// The bytes where a control token's text begins, in order.
    package func occurrences(in text: String, except: [String]) -> [Int] {
        var text = text
        return text.withUTF8 { bytes in
            let except = Set(except.map { Array($0.utf8) })
            var starts: [Int] = []
            for start in bytes.indices where !lengths[Int(bytes[start])].isEmpty {
                for length in lengths[Int(bytes[start])] where start + length <= bytes.count {
                    let candidate = Array(bytes[start..<start + length])
                    guard texts.contains(candidate) else { continue }
                    if !except.contains(candidate) { starts.append(start) }
                    break
                }
            }
            return starts
        }
    }
}
