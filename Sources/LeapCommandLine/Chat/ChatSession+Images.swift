import LeapBase
import LeapSDK

/// Pictures of the next message.
extension ChatSession {
    func attach(_ argument: String) throws {
        switch argument {
        case "":
            let pictures = state.withLock { $0.pictures }
            Terminal.note(pictures.isEmpty ? "(no picture is attached)" : pictures.map(\.line).joined(separator: "\n"))
        case "clear":
            state.withLock { $0.pictures = [] }
            Terminal.note("(no picture is attached)")
        default:
            if let problem = (runner as? LiquidInferenceEngineRunner)?.readableParts.imageProblem {
                throw CommandError(problem)
            }
            let picture = try AttachedImage(argument)
            let count = state.withLock { state in
                state.pictures.append(picture)
                return state.pictures.count
            }
            if let preview, let image = picture.image {
                Terminal.draw(ImagePreview.text(of: image, for: preview) + "\n")
            }
            Terminal.note(
                "(\(picture.line); \(count == 1 ? "1 picture goes" : "\(count) pictures go") with the next message)")
        }
    }
}
