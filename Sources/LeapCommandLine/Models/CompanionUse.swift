import LeapBase
import LeapChat
import LeapEngine
import LeapGGUF
import LeapModel

/// The use that can be made of a file beside a model: whether it works here, and how pictures are cut for it.
struct CompanionUse {
    /// The tiling of its pictures; nil where it reads none or cannot be used.
    let tiling: ImageTiling?
    /// The reason why it cannot be used; nil where it can.
    let problem: String?
    /// The media that it has encoders for and that this version does not read.
    let unread: [UnreadMedium]
    /// The reason why a projector's generator of sound cannot be used; nil where it can, or where there is none.
    let speechProblem: String?

    /// nil for a file that is neither a projector nor an audio decoder.
    init?(_ file: GGUFFile, _ summary: GGUFSummary) {
        var speechProblem: String?
        if summary.projector != nil {
            do { _ = try SpeechDecoder.generator(of: file) } catch { speechProblem = "\(error)" }
        }
        self.speechProblem = speechProblem
        do {
            if summary.projector != nil {
                let encoders = try MediaEncoders.open(file)
                tiling = try encoders[.image]?.imageTiling.map { try ImageOptions().tiling($0) }
                unread = encoders.unread
            } else if summary.speechDecoder != nil {
                _ = try SpeechDecoder(file: file)
                (tiling, unread) = (nil, [])
            } else {
                return nil
            }
            problem = nil
        } catch {
            (tiling, unread) = (nil, [])
            problem = "\(error)"
        }
    }
}
