/// In which order a reply's text and speech are written (LFM2-Audio).
package enum SpeechOrder: Hashable, Sendable, Codable {
    /// Text, until a token says that speech begins; then speech up to its end, then text again.
    case sequential
    /// So many tokens of text and so many frames of speech in turn; where the text is over, speech up to its end.
    case interleaved(text: Int, frames: Int)

    /// The numbers that LFM2-Audio was trained with.
    package static let interleaved = SpeechOrder.interleaved(text: 6, frames: 12)
}
