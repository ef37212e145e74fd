// Parts of messages as types of their own, as the Kotlin-based versions of the LEAP SDK have them. Here a part is a
// case. They are not deprecated: upstream's own apps use them, and treat warnings as errors.

extension ChatMessageContent {
    /// The content of a text part.
    public typealias Text = TextPart

    /// The content of an image part.
    public typealias Image = ImagePart

    /// The content of an audio part.
    public typealias Audio = AudioPart

    /// Returns an audio part from samples of one channel; another name of `fromFloatSamples`.
    public static func AudioPcmF32(_ samples: [Float], sampleRate: Int) -> ChatMessageContent {
        fromFloatSamples(samples, sampleRate: sampleRate)
    }

    /// Returns an audio part from samples of one channel; another name of `fromFloatSamples`.
    public static func AudioPcmF32(samples: [Float], sampleRate: Int) -> ChatMessageContent {
        fromFloatSamples(samples, sampleRate: sampleRate)
    }
}

extension ChatMessageContent.ImagePart {
    /// Returns an image part from the bytes of a JPEG file; see ``ChatMessageContent/fromJPEGData(_:)``.
    public static func fromJPEGData(_ data: Data) -> ChatMessageContent { .fromJPEGData(data) }
}

extension ChatMessageContent.AudioPart {
    /// Returns an audio part from the bytes of a WAV file; see ``ChatMessageContent/fromWAVData(_:)``.
    public static func fromWAVData(_ data: Data) -> ChatMessageContent { .fromWAVData(data) }
}

/// A type that represents a part of a message.
public protocol ChatMessageContentConvertible {
    /// The part.
    var chatMessageContent: ChatMessageContent { get }
}

extension ChatMessageContent: ChatMessageContentConvertible {
    /// The part itself.
    public var chatMessageContent: ChatMessageContent { self }
}

extension ChatMessageContent.TextPart: ChatMessageContentConvertible {
    /// The part with this text.
    public var chatMessageContent: ChatMessageContent { .text(text) }
}

extension ChatMessageContent.ImagePart: ChatMessageContentConvertible {
    /// The part with this image.
    public var chatMessageContent: ChatMessageContent { .image(data) }
}

extension ChatMessageContent.AudioPart: ChatMessageContentConvertible {
    /// The part with this audio.
    public var chatMessageContent: ChatMessageContent { .audio(data) }
}

extension ChatMessage {
    /// Creates a message from parts of separate types.
    @_disfavoredOverload
    public init(role: ChatMessageRole, content: [any ChatMessageContentConvertible]) {
        self.init(role: role, content: content.map(\.chatMessageContent))
    }
}
