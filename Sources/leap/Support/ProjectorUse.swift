import LeapCore
import LeapEngine
import LeapGGUF
import LeapVision

/// Whether a projector can be used here, and how pictures are cut for it or what sound takes.
struct ProjectorUse {
    /// How pictures are cut; nil where it reads none or cannot be used.
    let rules: (any PictureRules)?
    /// Why it cannot be used.
    let problem: String?

    init(_ file: GGUFFile) {
        do {
            let encoder = try MediaEncoders.open(file)
            rules = try (encoder as? VisionEncoder).map { try PictureOptions().rules(for: $0.tiling) }
            problem = nil
        } catch {
            rules = nil
            problem = (error as? EngineError)?.message ?? "\(error)"
        }
    }
}
