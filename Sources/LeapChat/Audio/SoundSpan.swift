import LeapBase
import LeapModel

/// The tokens that sounds stand between in the prompts of a model.
///
/// LFM3-Omni alone has such a span. It reads pictures too, which stand in the same one.
struct SoundSpan: Sendable {
    static let start = "<|vision_start|>"
    static let end = "<|vision_end|>"

    /// Returns the span of a model with these readers; nil where sounds have none.
    init?(_ readers: [any MediaReader]) {
        guard let sounds = readers.first(where: { $0.medium == .audio }) as? AudioReader,
            case .scaled = sounds.form,
            let pictures = readers.first(where: { $0.medium == .image }) as? ImageReader,
            case .whole = pictures.tiling
        else { return nil }
    }

    /// Closed reasoning, with which a reply begins where its prompt asks for a transcript; nil where it asks for something else.
    ///
    /// It is inferred that the model was trained so.
    func opening(of request: PromptRequest) -> String? {
        guard let first = request.messages.first, first.role == .system,
            SpeechPrompts.isTranscription(first.content.compactMap(\.text).joined()),
            request.messages.last?.media.contains(where: { $0.medium == .audio }) == true
        else { return nil }
        return SpeechReader.closedReasoning
    }
}
