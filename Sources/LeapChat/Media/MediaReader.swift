package import Foundation
import LeapAudio
package import LeapBase
import LeapHashing
package import LeapModel
package import LeapTokenizer
import LeapVision

/// Reads the pictures, sounds or videos in messages for one model: which tokens stand for each, and what its encoder gets.
package protocol MediaReader: Sendable {
    /// The medium that it reads.
    var medium: Medium { get }
    /// The hash of the encoder's content, which names it.
    var encoder: StableHash { get }

    /// The text of the model's format in front of a file's tokens, which is tokenized with the text before it.
    ///
    /// - Throws: ``LeapGenerationException`` for a file that cannot be read.
    func lead(of file: MediaFile) throws -> String

    /// The tokens of a file with the markers around it, and its parts.
    ///
    /// - Throws: ``LeapGenerationException`` for a file that cannot be read.
    func read(_ file: MediaFile) throws -> (tokens: [TokenID], parts: [MediaPart])
}

extension MediaReader {
    package func lead(of file: MediaFile) throws -> String { "" }
}

/// The file of a picture, a sound or a video, and the SHA-256 that it is known by.
package struct MediaFile: Sendable {
    package let data: Data
    package let digest: [UInt8]

    package init(_ data: Data) {
        self.data = data
        digest = SHA256.hash(data)
    }
}

/// A part of a picture in a prompt, which is a tile or all of it, two frames of a video, or a sound.
package struct MediaPart: Sendable {
    /// Tokens that stand for it.
    package let tokenCount: Int
    package let medium: Medium
    /// Makes the input of the encoder.
    package let content: @Sendable () throws -> MediaContent
}

extension MediaInput {
    /// Returns the parts of pictures and sounds with their positions: those of the negative tokens, in their order.
    package static func inputs(_ parts: [MediaPart], in prompt: [TokenID]) -> [MediaInput] {
        var start = 0
        return parts.map { part in
            let first = prompt[min(start, prompt.count)...].firstIndex { $0 < 0 } ?? prompt.count
            start = first + part.tokenCount
            return MediaInput(positions: first..<start, medium: part.medium, content: part.content)
        }
    }
}

extension LeapGenerationException {
    /// True if the cause is a picture or a sound that cannot be read.
    var isAboutFile: Bool { cause is ImageFileError || cause is AudioFileError }
}

extension Medium {
    /// The text of the error where messages hold the medium and nothing reads it.
    package var refusal: String {
        switch self {
        case .image: "this model takes no images"
        case .audio: "this model takes no audio"
        case .video: "this model takes no videos"
        case .speech: "this model does not speak"
        }
    }
}
