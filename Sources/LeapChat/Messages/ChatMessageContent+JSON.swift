import Foundation
import LeapBase
package import LeapJSON
import LeapOpenAIFormat
import LeapVision

extension ChatMessageContent {
    /// The types of parts that are read, in words.
    private static let types = "'text', 'image_url', 'input_audio', 'video' or 'video_url'"

    /// Creates a part from an object in OpenAI's format: `text`, `image_url` or `input_audio`.
    ///
    /// Videos are objects of the type `video` with `frames`, each with a `time` in seconds and an `image_url`, or of
    /// the type `video_url` with a `data:` URL.
    ///
    /// - Throws: ``LeapSerializationException`` that names the invalid member.
    public init(from json: [String: Any]) throws {
        try self.init(json: JSONValue(any: json), place: "the content part")
    }

    package init(json: JSONValue, place: String) throws {
        guard let object = json.object, let type = object[OpenAI.Key.type]?.string else {
            throw LeapSerializationException("\(place) has no type; expected \(Self.types)")
        }
        switch OpenAI.PartType(rawValue: type) {
        case .text, .inputText, .outputText: self = .text(try Self.text(OpenAI.Key.text, object, place))
        case .refusal: self = .text(try Self.text(OpenAI.Key.refusal, object, place))
        case .imageURL, .inputImage:
            let value = object[OpenAI.Key.imageURL]
            guard let url = value?[OpenAI.Key.url]?.string ?? value?.string else {
                throw LeapSerializationException("image_url.url of \(place) is missing; expected a string")
            }
            self = try .image(address: url, place: place)
        case .inputAudio:
            let audio = object[OpenAI.Key.inputAudio]
            guard let encoded = audio?[OpenAI.Key.data]?.string,
                let data = Data(base64Encoded: encoded, options: .ignoreUnknownCharacters)
            else {
                throw LeapSerializationException("input_audio.data of \(place) is missing or not Base64")
            }
            let format = audio?[OpenAI.Key.format]?.string ?? AudioFormatName.wav.rawValue
            // The bytes decide among the formats that are read.
            guard AudioFormatName(name: format) != nil || AudioFormatName(data) != nil else {
                throw LeapSerializationException(
                    "input_audio.format of \(place) is '\(ShownText.of(format, limit: 40))'; \(AudioFormatName.list) are read, so convert it first"
                )
            }
            self = .audio(data)
        case .video: self = .video(try VideoFrames(json: object, place: place))
        case .videoURL: self = .video(try VideoFrames(address: object[OpenAI.Key.videoURL], place: place))
        case nil:
            throw LeapSerializationException(
                "type of \(place) is '\(type)'; expected \(Self.types)")
        }
    }

    /// Returns an image part from an address.
    ///
    /// - Throws: ``LeapSerializationException`` for one that is neither a `data:` address with Base64 nor on the web.
    package static func image(address: String, place: String) throws -> ChatMessageContent {
        if let url = DataURL(address) { return .image(url.data) }
        let isRemote = ["https://", "http://"].contains { address.lowercased().hasPrefix($0) }
        guard isRemote else { throw wrongImage(address, place) }
        return .image(Data(address.utf8))
    }

    /// Returns an image part from the Base64 of a file.
    ///
    /// - Throws: ``LeapSerializationException`` for a text that is not Base64.
    package static func image(base64 text: String, mediaType: String, place: String) throws -> ChatMessageContent {
        guard !mediaType.contains(","), let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw wrongImage("data:\(mediaType);base64,\(text)", place)
        }
        return .image(data)
    }

    /// Returns an image part from Base64 or a `data:` address, as Ollama's clients send pictures.
    ///
    /// - Throws: ``LeapSerializationException`` for another text.
    package static func image(picture text: String, place: String) throws -> ChatMessageContent {
        text.hasPrefix("data:")
            ? try image(address: text, place: place) : try image(base64: text, mediaType: "image/jpeg", place: place)
    }

    private static func wrongImage(_ address: String, _ place: String) -> LeapSerializationException {
        LeapSerializationException(
            "image_url.url of \(place) is '\(ShownText.of(address, limit: 40))'; expected a data: URL with Base64, or an https: URL"
        )
    }

    private static func text(_ key: String, _ object: JSONObject, _ place: String) throws -> String {
        guard let text = object[key]?.string else {
            throw LeapSerializationException(
                "\(key) of \(place) is \(object[key]?.kind ?? "missing"); expected a string")
        }
        return text
    }

    /// The part as an object in OpenAI's shape.
    package var json: JSONValue { part.json }

    private var part: OpenAI.ContentPart {
        switch self {
        case .text(let text): return .text(text)
        case .image(let data):
            return .image(url: Self.address(of: data))
        case .video(let video):
            return .video(frames: video.frames.map { .init(time: $0.time, url: Self.address(of: $0.data)) })
        case .audio(let data):
            let other = AudioReference(data)
            return .audio(
                data: (other?.data ?? data).base64EncodedString(),
                format: other?.format ?? (AudioFormatName(data) ?? .wav).rawValue)
        }
    }
}

extension ChatMessageContent {
    /// The address of a picture: the one that it has, or one that holds its bytes.
    private static func address(of picture: Data) -> String {
        ImageReference(picture)?.url
            ?? DataURL.string(
                mediaType: ImageFileFormat(firstBytes: picture)?.mediaType ?? "image/jpeg", data: picture)
    }
}

extension ChatMessageContent: Codable {
    /// Decodes a part in OpenAI's format.
    public init(from decoder: any Decoder) throws {
        try self.init(json: try JSONValue(from: decoder), place: "the content part")
    }

    /// Encodes the part in OpenAI's format.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}
