package import LeapModel
package import LeapTokenizer

/// A file in a prompt, and what it is there: one WAV file may be the sound of a question and the speech of a reply.
package struct PromptFile: Sendable {
    package let medium: Medium
    package let file: MediaFile

    package init(_ medium: Medium, _ file: MediaFile) {
        self.medium = medium
        self.file = file
    }
}

extension PromptBuilder {
    /// Returns the engine's inputs for the pictures, sounds and spoken replies of a prompt that another process made.
    ///
    /// - Throws: ``LeapGenerationException`` where nothing reads them, or the prompt is not one over these files: what
    ///   is kept for a file is found by its tokens, so that other tokens would give one app's picture to another.
    package func inputs(_ files: [PromptFile], in prompt: [TokenID]) throws -> [MediaInput] {
        let read = try files.map { try reader(of: $0.medium).read($0.file) }
        guard prompt.filter({ $0 < 0 }) == read.flatMap({ $0.tokens.filter { $0 < 0 } }) else {
            var names: [String] = []
            for file in files where !names.contains(file.medium.pluralName) { names.append(file.medium.pluralName) }
            throw LeapGenerationException(
                "the tokens of a prompt are not those of its \(names.joined(separator: " and "))")
        }
        return MediaInput.inputs(read.flatMap(\.parts), in: prompt)
    }
}

extension Medium {
    fileprivate var pluralName: String {
        switch self {
        case .image: "pictures"
        case .audio: "sounds"
        case .video: "videos"
        case .speech: "spoken replies"
        }
    }
}
