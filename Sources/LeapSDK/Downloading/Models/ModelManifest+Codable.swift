import LeapJSON
import LeapTransfers

extension ModelManifest: Codable {
    /// Decodes a manifest and keeps unknown members.
    ///
    /// - Throws: `DecodingError` whose underlying error says what is wrong with the manifest.
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        do {
            self = try LeapModelLoadingException.mapping {
                ModelManifest(try ManifestDocument(value, place: "the manifest"))
            }
        } catch let error as LeapModelLoadingException {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: error.message, underlyingError: error))
        }
    }

    /// Encodes the manifest, with its unknown members.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue.object(document.members).encode(to: encoder)
    }
}
