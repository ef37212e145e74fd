import LeapModel
import LeapTokenizer

/// The place of a reply in its order of text and speech.
///
/// Source: the generation loops of the liquid-audio package, version 1.0.0.
struct SpeechSchedule: Equatable {
    private let order: SpeechOrder
    /// Begins speech in a sequential reply.
    private let start: TokenID?
    /// Says in an interleaved reply that no text follows.
    private let textEnd: TokenID?
    /// True if a frame comes next, rather than a token.
    private(set) var isSpeaking = false
    /// Tokens or frames until the other comes; of an interleaved reply.
    private var left: Int
    private var isTextDone = false

    /// - Parameter last: the last token before the reply; nil where it is of no interest.
    init(_ order: SpeechOrder, start: TokenID?, textEnd: TokenID?, isBehind last: TokenID? = nil) {
        self.order = order
        self.start = start
        self.textEnd = textEnd
        if case .sequential = order, let last, last == start { isSpeaking = true }
        if case .interleaved(let text, _) = order { left = text } else { left = 0 }
    }

    /// Takes note of a token that was written.
    mutating func note(token: TokenID) {
        switch order {
        case .sequential:
            isSpeaking = token == start
        case .interleaved(_, let frames):
            left -= 1
            if token == textEnd { isTextDone = true }
            if left <= 0 || isTextDone {
                isSpeaking = true
                left = frames
            }
        }
    }

    /// Takes note of a frame that was written.
    mutating func note(frame: SpeechFrame) {
        switch order {
        case .sequential:
            isSpeaking = !frame.isEnd
        case .interleaved(let text, _):
            left -= 1
            if left <= 0, !isTextDone {
                isSpeaking = false
                left = text
            }
            if frame.isEnd { isSpeaking = false }
        }
    }
}
