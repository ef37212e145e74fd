import LeapCore
import LeapEngine
import LeapGGUF
import LeapVision

/// Whether a projector can be used here, and how pictures are cut for it.
struct ProjectorUse {
    /// nil where it cannot be used.
    let rules: (any PictureRules)?
    /// Why it cannot be used.
    let problem: String?

    init(_ file: GGUFFile) {
        do {
            rules = try PictureOptions().rules(for: try VisionEncoder(file: file).tiling)
            problem = nil
        } catch {
            rules = nil
            problem = (error as? EngineError)?.message ?? "\(error)"
        }
    }
}
