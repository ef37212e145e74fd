import LeapJSON

/// The body of a request: its bytes, or the JSON object that was parsed before the request was made.
struct RequestBody: Sendable {
    /// The maximum number of values in a body, those inside of others included.
    static let maxValues = 1_000_000

    private enum Content: Sendable {
        case bytes([UInt8])
        /// A parsed object, or the error of one with too many values, which is not kept.
        case parsed(Result<JSONObject, APIError>)
    }

    private let content: Content
    /// The number of bytes of the text.
    let byteCount: Int

    /// A body as it was sent.
    init(_ bytes: [UInt8]) {
        content = .bytes(bytes)
        byteCount = bytes.count
    }

    /// A body that is part of a text which was parsed already.
    ///
    /// - Parameter byteCount: the number of bytes of that text.
    init(_ members: JSONObject, byteCount: Int) {
        let hasRoom = JSONValue.object(members).valueCount <= Self.maxValues
        content = .parsed(hasRoom ? .success(members) : .failure(Self.notJSON("too many values")))
        self.byteCount = byteCount
    }

    /// True if there is no text.
    var isEmpty: Bool { byteCount == 0 }

    /// The bytes, for a reader of another format than JSON; none where the body was parsed already.
    var bytes: [UInt8] {
        switch content {
        case .bytes(let bytes): bytes
        case .parsed: []
        }
    }

    /// Returns the members of the JSON object that the body is.
    ///
    /// - Throws: ``APIError`` where it is no JSON object.
    func members() throws(APIError) -> JSONObject {
        switch content {
        case .parsed(let result): return try result.get()
        case .bytes(let bytes):
            let value: JSONValue
            do {
                value = try JSONParser.parse(bytes, maxValues: Self.maxValues)
            } catch {
                throw Self.notJSON("\(error)")
            }
            guard let object = value.object else {
                throw .invalid("the request's body is \(value.kind); expected a JSON object")
            }
            return object
        }
    }

    private static func notJSON(_ reason: String) -> APIError {
        .invalid("the request's body is not JSON: \(reason)")
    }
}
