/// An HTTP request, as far as answers depend on it.
package struct ServerRequest: Sendable {
    package var method: String
    /// Without the query.
    package var path: String
    /// Names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(method: String, path: String, headers: [String: String] = [:], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }
}
