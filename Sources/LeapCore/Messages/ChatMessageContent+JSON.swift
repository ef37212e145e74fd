import Foundation
import LeapBase
package import LeapJSON
import LeapVision

extension ChatMessageContent {
    /// Makes a part from an object in OpenAI's shape: `text`, `image_url` or `input_audio`.
    ///
    /// - Throws: ``LeapSerializationException`` that names the member at fault.
    public init(from json: [String: Any]) throws {
        try self.init(json: JSONValue(any: json), place: "the content part")
    }

    /// The types of parts that are understood.
    static let types: Set<String> = [
        "text", "input_text", "output_text", "refusal", "image_url", "input_image", "input_audio",
    ]

    package init(json: JSONValue, place: String) throws {
        guard let object = json.object, let type = object["type"]?.string else {
            throw LeapSerializationException("\(place) has no type; expected 'text', 'image_url' or 'input_audio'")
        }
        switch type {
        case "text", "input_text", "output_text":
            guard let text = object["text"]?.string else {
                throw LeapSerializationException(
                    "text of \(place) is \(object["text"]?.kind ?? "missing"); expected a string")
            }
            self = .text(text)
        case "refusal":
            guard let text = object["refusal"]?.string else {
                throw LeapSerializationException(
                    "refusal of \(place) is \(object["refusal"]?.kind ?? "missing"); expected a string")
            }
            self = .text(text)
        case "image_url", "input_image":
            guard let url = object["image_url"]?.object?["url"]?.string ?? object["image_url"]?.string else {
                throw LeapSerializationException("image_url.url of \(place) is missing; expected a string")
            }
            let isRemote = ["https://", "http://"].contains { url.lowercased().hasPrefix($0) }
            guard isRemote || DataURL(url) != nil else {
                throw LeapSerializationException(
                    "image_url.url of \(place) is '\(ShownText.of(url, limit: 40))'; expected a data: address with Base64, or an https: address"
                )
            }
            self = .image(url: url)
        case "input_audio":
            guard let encoded = object["input_audio"]?.object?["data"]?.string,
                let data = Data(base64Encoded: encoded, options: .ignoreUnknownCharacters)
            else {
                throw LeapSerializationException("input_audio.data of \(place) is missing or not Base64")
            }
            let format = object["input_audio"]?.object?["format"]?.string ?? "wav"
            // The bytes decide among the formats that are read.
            guard SoundFormatName.isKnown(format) || SoundFormatName(data) != nil else {
                throw LeapSerializationException(
                    "input_audio.format of \(place) is '\(ShownText.of(format, limit: 40))'; \(SoundFormatName.list) are read, so convert it first"
                )
            }
            self = .audio(data)
        default:
            throw LeapSerializationException(
                "type of \(place) is '\(type)'; expected 'text', 'image_url' or 'input_audio'")
        }
    }

    /// The part as an object in OpenAI's shape.
    package var json: JSONValue {
        switch self {
        case .text(let text):
            return .object(["type": "text", "text": .string(text)])
        case .image(let data):
            let url =
                ImageReference(data)?.url
                ?? DataURL.string(
                    mediaType: ImageFileFormat(firstBytes: data)?.mediaType ?? "image/jpeg", data: data)
            return .object(["type": "image_url", "image_url": .object(["url": .string(url)])])
        case .audio(let data):
            let other = AudioReference(data)
            let audio: JSONObject = [
                "data": .string((other?.data ?? data).base64EncodedString()),
                "format": .string(other?.format ?? SoundFormatName(data)?.rawValue ?? SoundFormatName.wav.rawValue),
            ]
            return .object(["type": "input_audio", "input_audio": .object(audio)])
        }
    }
}

extension ChatMessageContent: Codable {
    /// Reads a part in OpenAI's shape.
    public init(from decoder: any Decoder) throws {
        try self.init(json: try JSONValue(from: decoder), place: "the content part")
    }

    /// Writes the part in OpenAI's shape.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}
