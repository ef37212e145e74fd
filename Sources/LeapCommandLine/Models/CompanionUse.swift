import LeapCore
import LeapEngine
import LeapGGUF
import LeapModel
import LeapVision

/// The use that can be made of a file beside a model: whether it works here, and how pictures are cut for it.
struct CompanionUse {
    /// The rules by which pictures are cut; nil where it reads none or cannot be used.
    let rules: (any PictureRules)?
    /// The reason why it cannot be used; nil where it can.
    let problem: String?

    /// nil for a file that is neither a projector nor an audio decoder.
    init?(_ file: GGUFFile, _ summary: GGUFSummary) {
        do {
            if summary.projector != nil {
                let encoder = try MediaEncoders.open(file)
                rules = try (encoder as? VisionEncoder).map { try PictureOptions().rules(for: $0.tiling) }
            } else if summary.speechDecoder != nil {
                _ = try SpeechDecoder(file: file)
                rules = nil
            } else {
                return nil
            }
            problem = nil
        } catch {
            rules = nil
            problem = (error as? EngineError)?.message ?? "\(error)"
        }
    }
}
