import LeapJSON

extension RequestFields {
    /// `metadata` of a conversation: at most 16 texts, with short names.
    ///
    /// - Throws: ``APIError`` that says what is too many or too long.
    mutating func metadata() throws(APIError) -> JSONObject? {
        guard let metadata = try object("metadata") else { return nil }
        guard metadata.count <= 16 else {
            throw .invalid("'metadata' has \(metadata.count) members; at most 16 are taken", "metadata")
        }
        for (key, value) in metadata.members {
            guard key.unicodeScalars.count <= 64 else {
                throw .invalid("a name in 'metadata' is longer than 64 characters", "metadata")
            }
            guard let text = value.string, text.unicodeScalars.count <= 512 else {
                throw .invalid(
                    "'metadata.\(HeaderText.safe(key))' is \(value.string == nil ? value.kind : "too long"); expected a text of at most 512 characters",
                    "metadata")
            }
        }
        return metadata
    }
}
