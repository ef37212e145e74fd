import LeapBase
import LeapSDK

/// Pictures, sounds, videos and texts of the next message.
extension ChatSession {
    func attachImage(_ argument: String) throws {
        let problem = (runner as? LiquidInferenceEngineRunner)?.readableParts.imageProblem
        try attach(argument, to: \.pictures, kind: "picture", problem: problem, read: AttachedImage.init) { picture in
            if let preview, let image = picture.image {
                Terminal.draw(ImagePreview.text(of: image, for: preview) + "\n")
            }
        }
    }

    func attachAudio(_ argument: String) throws {
        let problem = (runner as? LiquidInferenceEngineRunner)?.readableParts.audioProblem
        try attach(
            argument, to: \.sounds, kind: "sound", problem: problem.map { "/audio: \($0)" }, read: AttachedAudio.init)
    }

    func attachVideo(_ argument: String) throws {
        let problem = (runner as? LiquidInferenceEngineRunner)?.readableParts.videoProblem
        try attach(
            argument, to: \.videos, kind: "video", problem: problem.map { "/video: \($0)" }, read: AttachedVideo.init)
    }

    func attachText(_ argument: String) throws {
        try attach(argument, to: \.texts, kind: "text", problem: nil, read: AttachedText.init)
    }

    /// Lists what is attached, forgets it or adds a file, as the command's argument says.
    ///
    /// - Parameters:
    ///   - problem: why the model reads nothing of this kind; nil where it does.
    ///   - shown: called with what was added, before its line is told.
    private func attach<Attachment: AttachedFile>(
        _ argument: String, to list: any WritableKeyPath<State, [Attachment]> & Sendable, kind: String,
        problem: String?, read: (String) throws -> Attachment, shown: (Attachment) -> Void = { _ in }
    ) throws {
        switch argument {
        case "", "clear":
            let lines = state.withLock { state in
                if argument == "clear" { state[keyPath: list] = [] }
                return state[keyPath: list].map(\.line)
            }
            Terminal.note(lines.isEmpty ? "(no \(kind) is attached)" : lines.joined(separator: "\n"))
        default:
            if let problem { throw CommandError(problem) }
            let attachment = try read(argument)
            let count = state.withLock { state in
                state[keyPath: list].append(attachment)
                return state[keyPath: list].count
            }
            shown(attachment)
            let what = count == 1 ? "1 \(kind) goes" : "\(count) \(kind)s go"
            Terminal.note("(\(attachment.line); \(what) with the next message)")
        }
    }
}
