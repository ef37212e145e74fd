public import Foundation
import LeapAudio
import LeapEngine
package import LeapModel
import LeapVision

/// One part of a message: text, an image or audio.
///
/// Any model reads text. Images need a vision model with its projector, audio an audio model with its encoder; to a
/// model that cannot read a part, a generation fails with ``LeapGenerationException`` that says so.
public enum ChatMessageContent: Sendable, Hashable {
    /// Plain text.
    case text(String)
    /// A JPEG, PNG, GIF or BMP file's bytes, or a WebP file's where the system has libwebp (or what
    /// ``image(url:)-(String)`` made of a remote address). Of one that moves the first picture is seen.
    case image(Data)
    /// A sound file's bytes; several channels are mixed down to one.
    ///
    /// It is a WAV file (RIFF or RF64, PCM of 8 to 32 bits, Float32, Float64, A-law or µ-law, at any rate), a FLAC
    /// file, or, where the system has libsndfile, an MP3 or Ogg file (or what ``audio(data:format:)`` made of another
    /// format). Which it is follows from its first bytes.
    ///
    /// In an assistant's message it is what a model said: 24,000 samples per second, and in a chunk of its own the
    /// codes it said it with, so that the model goes on from them in the next turn. Other models, and speech without
    /// that chunk, go on from the message's text.
    case audio(Data)
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
        }
    }

    /// The file's bytes, if this is an image or audio.
    fileprivate var file: Data? {
        switch self {
        case .text: nil
        case .image(let data), .audio(let data): data
        }
    }

    /// True if this is an image that is elsewhere, named by its address.
    package var isAddress: Bool { picture.flatMap(ImageReference.init) != nil }

    /// Checks that the part holds what it claims: an image is of a format that is read, audio is a file that can be
    /// read.
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
        }
    }
}

extension ChatMessage {
    /// The files of its images, in order.
    package var pictures: [Data] { content.compactMap(\.picture) }

    /// The files of its images and audio, in order.
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
