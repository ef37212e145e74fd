/// An HTTP request, as far as answers depend on it.
package struct ServerRequest: Sendable {
    package var method: String
    /// Without the query.
    package var path: String
    /// What stands behind the path's question mark, decoded; of two values of a name the first counts.
    package var query: [String: String] = [:]
    /// Names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]
    /// When its answer has to be whole; nil for no limit.
    package var deadline: Deadline?
    /// What is noted of it while it is answered; nil where nobody notes.
    var record: RequestRecord?
    /// What stands in the path for the names in braces, decoded.
    var parameters: [String] = []

    /// The first of them.
    var parameter: String { parameters.first ?? "" }

    package init(
        method: String, path: String, headers: [String: String] = [:], body: [UInt8] = [], deadline: Deadline? = nil
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.deadline = deadline
    }
}
