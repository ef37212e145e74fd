import Foundation

extension ChatMessageContent {
    /// What a text part holds.
    public struct Text: Sendable, Hashable {
        /// The text.
        public let text: String
    }

    /// What an image part holds.
    public struct Image: Sendable, Hashable {
        /// The file's bytes.
        public let data: Data
        /// The file's bytes, by the name they have in version 0.10 of the LEAP SDK.
        public var jpegByteArray: Data { data }

        /// An image part from a JPEG file's bytes.
        public static func fromJPEGData(_ data: Data) -> ChatMessageContent { .image(data) }
    }

    /// What an audio part holds.
    public struct Audio: Sendable, Hashable {
        /// The WAV file's bytes.
        public let data: Data

        /// An audio part from a WAV file's bytes; see ``ChatMessageContent/fromWAVData(_:)``.
        public static func fromWAVData(_ data: Data) throws -> ChatMessageContent {
            try ChatMessageContent.fromWAVData(data)
        }
    }

    /// A part as ``onEnum(of:)-(ChatMessageContent)`` shows it.
    public enum Sealed: Sendable, Hashable {
        /// Plain text.
        case text(Text)
        /// An image.
        case image(Image)
        /// Audio.
        case audio(Audio)
    }
}

/// A part in the form that version 0.10 of the LEAP SDK switches over.
///
/// ```swift
/// if case let .text(t) = onEnum(of: part) { print(t.text) }
/// ```
public func onEnum(of content: ChatMessageContent) -> ChatMessageContent.Sealed {
    switch content {
    case .text(let text): .text(.init(text: text))
    case .image(let data): .image(.init(data: data))
    case .audio(let data): .audio(.init(data: data))
    }
}
