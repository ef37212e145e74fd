// Parts of messages as types of their own, as the Kotlin-based versions of the LEAP SDK have them. Here a part is a
// case. They are not deprecated: upstream's own apps use them, and treat warnings as errors.

extension ChatMessageContent {
    /// The content of a text part.
    public typealias Text = TextPart

    /// The content of an image part.
    public typealias Image = ImagePart

    /// The content of an audio part.
    public typealias Audio = AudioPart

    /// An audio part from samples of one channel; `fromFloatSamples` under another name.
    public static func AudioPcmF32(_ samples: [Float], sampleRate: Int) -> ChatMessageContent {
        fromFloatSamples(samples, sampleRate: sampleRate)
    }

    /// An audio part from samples of one channel; `fromFloatSamples` under another name.
    public static func AudioPcmF32(samples: [Float], sampleRate: Int) -> ChatMessageContent {
        fromFloatSamples(samples, sampleRate: sampleRate)
    }
}

extension ChatMessageContent.ImagePart {
    /// An image part from a JPEG file's bytes; see ``ChatMessageContent/fromJPEGData(_:)``.
    public static func fromJPEGData(_ data: Data) -> ChatMessageContent { .fromJPEGData(data) }
}

extension ChatMessageContent.AudioPart {
    /// An audio part from a WAV file's bytes; see ``ChatMessageContent/fromWAVData(_:)``.
    public static func fromWAVData(_ data: Data) -> ChatMessageContent { .fromWAVData(data) }
}

/// Whatever stands for a part of a message.
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
    /// Makes a message from parts that are types of their own.
    @_disfavoredOverload
    public init(role: ChatMessageRole, content: [any ChatMessageContentConvertible]) {
        self.init(role: role, content: content.map(\.chatMessageContent))
    }
}
