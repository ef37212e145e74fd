/// A request as it arrived.
public struct Request: Sendable {
    /// GET, mostly; CONNECT from a proxy's client.
    public let method: String
    /// Path and query, or what stands in their place.
    public let target: String
    /// Header fields by lower-case name.
    public let fields: [String: String]
    /// The body of the request.
    public let body: [UInt8]
    /// Counts the requests to this server, from 0.
    public let index: Int
    /// The port of the client, which tells one connection from another.
    public let connection: Int

    init(_ message: RequestMessage, index: Int, connection: Int) {
        method = message.method
        target = message.target
        fields = message.fields
        body = message.body
        self.index = index
        self.connection = connection
    }

    /// The path without its query.
    public var path: String { target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? target }

    /// The bytes asked for, checked against a file of `size` bytes.
    public func range(size: Int) -> Range<Int>? {
        guard let text = fields["range"], text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first < size else { return nil }
        return first..<min(size, (Int(ends[1]) ?? size - 1) + 1)
    }

    /// A server's honest answer to a request for a file: 206 for a range, 200 otherwise.
    public func serve(_ content: Content, etag: String? = "\"one\"", fields: [(String, String)] = []) -> Reply {
        serve(size: content.count, etag, fields) { .content(content, $0) }
    }

    /// The same for a file whose bytes are in memory.
    public func serve(_ bytes: [UInt8], etag: String? = "\"one\"", fields: [(String, String)] = []) -> Reply {
        serve(size: bytes.count, etag, fields) { .bytes(Array(bytes[$0])) }
    }

    private func serve(
        size: Int, _ etag: String?, _ fields: [(String, String)], _ body: (Range<Int>) -> Reply.Body
    ) -> Reply {
        var fields = fields + [("Accept-Ranges", "bytes")]
        if let etag { fields.append(("ETag", etag)) }
        let stillTheSame = self.fields["if-range"].map { $0 == etag } ?? true
        if size == 0, self.fields["range"] != nil {
            return Reply(status: 416, fields: fields + [("Content-Range", "bytes */0")])
        }
        if stillTheSame, let range = range(size: size) {
            let text = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            return Reply(status: 206, fields: fields + [("Content-Range", text)], body: body(range))
        }
        return Reply(status: 200, fields: fields, body: body(0..<size))
    }
}
