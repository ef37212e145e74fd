import LeapBase
package import LeapTokenizer

/// A description of how pictures or sounds become tokens of a model: all that another process needs to write prompts
/// with them.
package struct MediaFormat: Codable, Sendable {
    private let rules: Rules
    private let encoder: String

    /// nil for a reader that is not sent to other processes.
    package init?(_ reader: any MediaReader) {
        switch reader {
        case is AudioReader: rules = .audio
        case let reader as ImageReader: rules = .image(reader.tiling)
        default: return nil
        }
        encoder = reader.encoder.text
    }

    /// Returns a reader of this format; nil where the format is damaged.
    ///
    /// - Parameter contextSize: tokens that a prompt may have.
    package func reader(_ tokenizer: Tokenizer, contextSize: Int) -> (any MediaReader)? {
        guard let encoder = StableHash(text: encoder) else { return nil }
        switch rules {
        case .audio: return AudioReader(encoder: encoder, contextSize: contextSize)
        case .image(let tiling):
            return tiling.isUsable ? ImageReader(encoder: encoder, tokenizer: tokenizer, tiling: tiling) : nil
        }
    }
}

extension MediaFormat {
    /// The tiling of images, or that sounds are read, whose numbers are those of this version.
    ///
    /// On the wire the two are one object with a single key: the kind of tiling, or `sound`.
    private enum Rules: Codable {
        case image(ImageTiling)
        case audio

        private enum Key: String, CodingKey {
            case audio = "sound"
        }

        init(from decoder: any Decoder) throws {
            let isAudio = try decoder.container(keyedBy: Key.self).contains(.audio)
            self = isAudio ? .audio : .image(try ImageTiling(from: decoder))
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .image(let tiling): try tiling.encode(to: encoder)
            case .audio:
                var container = encoder.container(keyedBy: Key.self)
                try container.encode([String: Int](), forKey: .audio)
            }
        }
    }
}
