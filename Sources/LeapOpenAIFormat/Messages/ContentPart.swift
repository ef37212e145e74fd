package import LeapJSON

extension OpenAI {
    /// A part of a message's content, as chat completions have it.
    package enum ContentPart: Sendable, Hashable {
        case text(String)
        /// The address of an image, which may be a `data:` address with its bytes.
        case image(url: String)
        /// A sound in Base64, and the name of its format.
        case audio(data: String, format: String)

        /// The part as JSON.
        package var json: JSONValue {
            switch self {
            case .text(let text): Self.object(.text, Key.text, .string(text))
            case .image(let url): Self.object(.imageURL, Key.imageURL, .object([Key.url: .string(url)]))
            case .audio(let data, let format):
                Self.object(
                    .inputAudio, Key.inputAudio, .object([Key.data: .string(data), Key.format: .string(format)]))
            }
        }

        private static func object(_ type: PartType, _ key: String, _ value: JSONValue) -> JSONValue {
            .object([Key.type: .string(type.rawValue), key: value])
        }

        /// Returns the text of a content: the string that it is, or the texts of its parts put together; nil where it
        /// is neither.
        package static func text(of content: JSONValue?) -> String? {
            content?.string ?? content?.array?.compactMap { $0[Key.text]?.string }.joined()
        }
    }
}
