public import Foundation

extension ChatMessageContent {
    /// The content of a text part.
    public struct TextPart: Sendable, Hashable {
        /// The text.
        public let text: String

        /// Creates a value.
        public init(text: String) { self.text = text }
    }

    /// The content of an image part.
    public struct ImagePart: Sendable, Hashable {
        /// The file's bytes.
        public let data: Data
        /// The file's bytes, under the name they have in version 0.10 of the LEAP SDK.
        public var jpegByteArray: Data { data }

        /// Creates a value.
        public init(data: Data) { self.data = data }
    }

    /// The content of an audio part.
    public struct AudioPart: Sendable, Hashable {
        /// The audio file's bytes.
        public let data: Data

        /// Creates a value.
        public init(data: Data) { self.data = data }
    }

    /// A part as returned by ``onEnum(of:)-(ChatMessageContent)``.
    public enum Sealed: Sendable, Hashable {
        /// Plain text.
        case text(TextPart)
        /// An image.
        case image(ImagePart)
        /// Audio.
        case audio(AudioPart)
    }
}

/// Returns a part in the form that version 0.10 of the LEAP SDK switches over.
///
/// ```swift
/// if case let .text(t) = onEnum(of: part) { print(t.text) }
/// ```
///
/// That version knows no videos: of one, the first frame is returned as an image.
public func onEnum(of content: ChatMessageContent) -> ChatMessageContent.Sealed {
    switch content {
    case .text(let text): .text(.init(text: text))
    case .image(let data): .image(.init(data: data))
    case .audio(let data): .audio(.init(data: data))
    case .video(let video): .image(.init(data: video.frames.first?.data ?? Data()))
    }
}
