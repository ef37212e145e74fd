import LeapHTTP

extension OutsideNumber {
    /// The size in a header field: nil without the field.
    ///
    /// - Throws: ``DownloadError/Code/protocolViolation`` if the field is there and is not a size.
    static func size(_ field: String, of head: HTTPHead, place: String) throws -> Int64? {
        guard let text = head[field] else { return nil }
        guard let size = size(text) else {
            throw DownloadError(
                .protocolViolation,
                "\(place): the server's field \(field) is “\(text.prefix(64))”, which is not the size of a file; use another mirror."
            )
        }
        return size
    }
}
