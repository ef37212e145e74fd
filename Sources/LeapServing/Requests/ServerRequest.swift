/// An HTTP request, as far as answers depend on it.
package struct ServerRequest: Sendable {
    package var method: String
    /// Without the query.
    package var path: String
    /// The parameters behind the path's question mark.
    package var query = RequestQuery()
    /// Names in lower case.
    package var headers: [String: String]
    var body: RequestBody
    /// The deadline of the whole answer; nil for no limit.
    package var deadline: Deadline?
    /// The record of the request; nil where none is kept.
    var record: RequestRecord?
    /// The holder of its key among several; nil where no key is needed, and for the one key.
    var holder: KeyHolder?
    /// The parts of the path in the places of the names in braces, decoded.
    var parameters: [String] = []

    /// The first of them.
    var parameter: String { parameters.first ?? "" }

    package init(
        method: String, path: String, headers: [String: String] = [:], body: [UInt8] = [], deadline: Deadline? = nil
    ) {
        self.init(method: method, path: path, headers: headers, body: RequestBody(body), deadline: deadline)
    }

    init(
        method: String, path: String, headers: [String: String] = [:], body: RequestBody, deadline: Deadline? = nil
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.deadline = deadline
    }
}
