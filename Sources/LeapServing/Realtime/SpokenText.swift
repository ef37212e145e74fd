import LeapJSON

/// The text of a reply so far, and the length of the sound that came with it.
struct SpokenText: Sendable {
    /// True if the reply has sound; otherwise it is text only.
    let isSpoken: Bool
    private var pieces: [(text: String, milliseconds: Int)] = []
    private var sampleCount = 0
    /// The sound's length.
    private(set) var milliseconds = 0

    init(isSpoken: Bool) { self.isSpoken = isSpoken }

    var text: String { pieces.map(\.text).joined() }

    mutating func add(_ text: String) { pieces.append((text, milliseconds)) }

    /// Adds samples of sound, at the protocol's rate, to the length.
    mutating func add(samples: Int) {
        sampleCount += samples
        milliseconds = PCM16.milliseconds(sampleCount)
    }

    /// Forgets what was said behind a point of the sound, which is the text that came later.
    mutating func cut(to end: Int) {
        pieces.removeAll { $0.milliseconds > end }
        milliseconds = min(milliseconds, end)
    }

    /// The content of an item.
    var content: JSONValue {
        .object(
            isSpoken
                ? ["type": "output_audio", "transcript": .string(text)]
                : ["type": "output_text", "text": .string(text)])
    }

    /// The content as a part of a response, where the protocol has other names.
    var part: JSONValue {
        .object(
            isSpoken
                ? ["type": "audio", "transcript": .string(text)] : ["type": "text", "text": .string(text)])
    }
}
