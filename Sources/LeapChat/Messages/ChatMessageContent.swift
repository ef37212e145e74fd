public import Foundation
import LeapAudio
package import LeapModel
import LeapVision

/// One part of a message: text, an image, audio or a video.
///
/// Every model reads text. Images need a vision model with its projector; audio needs an audio model with its encoder.
/// Of vision models, Qwen3-VL, Qwen3.5, LFM3-VL and LFM3-Omni read videos.
/// If the model cannot read a part, the generation fails with ``LeapGenerationException`` that says so.
public enum ChatMessageContent: Sendable, Hashable {
    /// Plain text.
    case text(String)
    /// The bytes of a JPEG, PNG, GIF or BMP file; also of a WebP file if the system has libwebp.
    ///
    /// Of an animation, the model sees the first frame. The bytes can also be the result of ``image(url:)-(String)``
    /// for a remote URL.
    case image(Data)
    /// The bytes of an audio file; several channels are mixed down to one.
    ///
    /// Supported are WAV files (RIFF or RF64, PCM of 8 to 32 bits, Float32, Float64, A-law or µ-law, at any rate) and
    /// FLAC files. MP3 and Ogg files are supported if the system has libsndfile. The first bytes determine the format.
    /// The bytes can also be the result of ``audio(data:format:)`` for another format.
    ///
    /// In an assistant message, the audio is the model's speech at 24,000 samples per second. An extra chunk holds the
    /// audio codes of that speech, from which the model continues in the next turn. Other models continue from the
    /// message's text; so does the same model if the chunk is missing.
    case audio(Data)
    /// The frames of a video, each with its time.
    ///
    /// Video files in formats such as MP4 are not read: extract frames first. All frames need the same size in pixels.
    case video(VideoFrames)
}

extension ChatMessageContent {
    /// The text, if this is a text part.
    package var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// The file's bytes, if this is an image.
    package var picture: Data? {
        if case .image(let data) = self { return data }
        return nil
    }

    /// The medium of a part that is not text; nil for text.
    package var medium: Medium? {
        switch self {
        case .text: nil
        case .image: .image
        case .audio: .audio
        case .video: .video
        }
    }

    /// The file's bytes, if this is an image, audio or a video.
    fileprivate var file: Data? {
        switch self {
        case .text: nil
        case .image(let data), .audio(let data): data
        case .video(let frames): frames.file
        }
    }

    /// True if this is an image that is elsewhere, named by its address.
    package var isAddress: Bool { picture.flatMap(ImageReference.init) != nil }

    /// Checks that the image or audio has a supported format and can be read.
    ///
    /// - Throws: ``LeapSerializationException`` that says what was found.
    public func validate() throws {
        switch self {
        case .text: break
        case .image(let data):
            guard ImageReference(data) == nil else { break }
            guard let format = ImageFileFormat(firstBytes: data) else {
                throw LeapSerializationException(ImageFileFormat.unknown(data))
            }
            guard format.mediaType != nil else { throw LeapSerializationException(format.refusal) }
        case .audio(let data):
            if let other = AudioReference(data) {
                throw LeapSerializationException(
                    "the audio is '\(other.format)'; \(AudioFile.formats) are read: convert it first")
            }
            do {
                try AudioLengths.check(data)
            } catch {
                throw LeapSerializationException(error)
            }
        case .video(let frames): try frames.validate()
        }
    }
}

extension ChatMessage {
    /// The files of its images, in order.
    package var pictures: [Data] { content.compactMap(\.picture) }

    /// The files of its images, audio and videos, in order.
    ///
    /// An assistant's audio is speech, which stands for the whole message.
    package var media: [(medium: Medium, data: Data)] {
        content.compactMap { part in
            guard let medium = part.medium, let data = part.file else { return nil }
            return (role == .assistant && medium == .audio ? .speech : medium, data)
        }
    }
}

/// An image that is an address rather than bytes: no image file starts like one, so the two can share the case.
struct ImageReference {
    let url: String

    init?(_ data: Data) {
        let schemes = ["https://", "http://", "data:"]
        guard data.count < 1 << 26, schemes.contains(where: { data.starts(with: $0.utf8) }) else { return nil }
        url = String(decoding: data, as: UTF8.self)
    }
}
