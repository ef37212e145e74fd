import LeapBase
import LeapSDK

/// Pictures and sounds of the next message.
extension ChatSession {
    func attachImage(_ argument: String) throws {
        switch argument {
        case "": tell(state.withLock { $0.pictures.map(\.line) }, "picture")
        case "clear":
            state.withLock { $0.pictures = [] }
            tell([], "picture")
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
            tell(picture.line, count, "picture")
        }
    }

    func attachSound(_ argument: String) throws {
        switch argument {
        case "": tell(state.withLock { $0.sounds.map(\.line) }, "sound")
        case "clear":
            state.withLock { $0.sounds = [] }
            tell([], "sound")
        default:
            if let problem = (runner as? LiquidInferenceEngineRunner)?.readableParts.audioProblem {
                throw CommandError("/audio: \(problem)")
            }
            let sound = try AttachedSound(argument)
            let count = state.withLock { state in
                state.sounds.append(sound)
                return state.sounds.count
            }
            tell(sound.line, count, "sound")
        }
    }

    private func tell(_ lines: [String], _ kind: String) {
        Terminal.note(lines.isEmpty ? "(no \(kind) is attached)" : lines.joined(separator: "\n"))
    }

    private func tell(_ line: String, _ count: Int, _ kind: String) {
        Terminal.note("(\(line); \(count == 1 ? "1 \(kind) goes" : "\(count) \(kind)s go") with the next message)")
    }
}
