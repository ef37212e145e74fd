package import LeapJSON

extension OpenAI {
    /// A part of a message's content, as chat completions have it.
    package enum ContentPart: Sendable, Hashable {
        case text(String)
        /// The address of an image, which may be a `data:` address with its bytes.
        case image(url: String)
        /// A sound in Base64, and the name of its format.
        case audio(data: String, format: String)
        /// The frames of a video by their addresses, with their times in seconds.
        case video(frames: [VideoFrame])

        /// The part as JSON.
        package var json: JSONValue {
            switch self {
            case .text(let text): Self.object(.text, Key.text, .string(text))
            case .image(let url): Self.object(.imageURL, Key.imageURL, .object([Key.url: .string(url)]))
            case .audio(let data, let format):
                Self.object(
                    .inputAudio, Key.inputAudio, .object([Key.data: .string(data), Key.format: .string(format)]))
            case .video(let frames):
                Self.object(
                    .video, Key.frames,
                    .array(
                        frames.map {
                            .object([Key.time: .double($0.time), Key.imageURL: .object([Key.url: .string($0.url)])])
                        }))
            }
        }

        /// A frame of a video.
        package struct VideoFrame: Sendable, Hashable {
            package var time: Double
            package var url: String

            package init(time: Double, url: String) {
                self.time = time
                self.url = url
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
