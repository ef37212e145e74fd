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
        case let reader as AudioReader: rules = .audio(reader.form)
        case let reader as ImageReader: rules = .image(reader.tiling)
        // That of videos is made with that of pictures.
        default: return nil
        }
        encoder = reader.encoder.text
    }

    /// Returns the readers of this format, that of videos behind that of pictures; none where the format is damaged.
    ///
    /// - Parameter contextSize: tokens that a prompt may have.
    package func readers(_ tokenizer: Tokenizer, contextSize: Int) -> [any MediaReader] {
        guard let encoder = StableHash(text: encoder) else { return [] }
        switch rules {
        case .audio(let form):
            return form.isUsable
                ? [AudioReader(encoder: encoder, form: form, contextSize: contextSize, tokenizer: tokenizer)] : []
        case .image(let tiling):
            return tiling.isUsable
                ? ImageReader.readers(
                    encoder: encoder, tokenizer: tokenizer, tiling: tiling, contextSize: contextSize) : []
        }
    }
}

extension MediaFormat {
    /// The tiling of images, or the form of sounds' spectra.
    ///
    /// On the wire the two are one object with a single key: the kind of tiling, or `sound`. What stands under `sound`
    /// is empty for normalised spectra, whose numbers are those of this version.
    private enum Rules: Codable {
        case image(ImageTiling)
        case audio(SpectrumForm)

        private enum Key: String, CodingKey {
            case audio = "sound"
        }

        private struct Sound: Codable {
            var bands: Int?
            var magnitudes: Int?
            var samples: Int?

            init(_ form: SpectrumForm) {
                switch form {
                case .normalised: break
                case .scaled(let bands): self.bands = bands
                case .magnitudes(let bands): magnitudes = bands
                case .samples(let count): samples = count
                }
            }

            var form: SpectrumForm {
                bands.map { .scaled(bands: $0) } ?? magnitudes.map { .magnitudes(bands: $0) }
                    ?? samples.map { .samples(count: $0) } ?? .normalised
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            if container.contains(.audio) {
                self = .audio(try container.decode(Sound.self, forKey: .audio).form)
            } else {
                self = .image(try ImageTiling(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .image(let tiling): try tiling.encode(to: encoder)
            case .audio(let form):
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(Sound(form), forKey: .audio)
            }
        }
    }
}
