import LeapJSON

/// A message of JSON-RPC 2.0 that came in: a request, or a notification, which has no identifier and gets no answer.
struct RPCMessage: Sendable {
    /// A text or a number, as the sender chose it; nil for a notification.
    let id: JSONValue?
    let method: String
    let parameters: JSONObject

    /// Reads a line.
    ///
    /// - Returns: nil for an answer, as this side asks nothing.
    /// - Throws: ``RPCError`` for what is no message.
    init?(_ line: [UInt8]) throws(RPCError) {
        let value: JSONValue
        do {
            value = try JSONParser.parse(line, maxValues: 1_000_000)
        } catch {
            throw RPCError(.parseError, "the message is not JSON: \(error)")
        }
        guard let object = value.object, object["jsonrpc"] == "2.0" else {
            throw RPCError(.invalidRequest, "the message is no object with \"jsonrpc\": \"2.0\"", id: value["id"])
        }
        guard let method = object["method"] else {
            if object["result"] != nil || object["error"] != nil { return nil }
            throw RPCError(.invalidRequest, "the message has no \"method\"", id: object["id"])
        }
        guard let name = method.string else {
            throw RPCError(.invalidRequest, "\"method\" is \(method.kind); expected a string", id: object["id"])
        }
        let id = object["id"]
        guard id == nil || id?.string != nil || id?.number != nil else {
            throw RPCError(.invalidRequest, "\"id\" is neither a string nor a number")
        }
        let given = object["params"] ?? .object([:])
        guard let parameters = given.object else {
            throw RPCError(.invalidParameters, "\"params\" is \(given.kind); expected an object", id: id)
        }
        (self.id, self.method, self.parameters) = (id, name, parameters)
    }

    /// The answer to a request.
    static func result(_ id: JSONValue, _ result: JSONObject) -> JSONValue {
        .object(["jsonrpc": "2.0", "id": id, "result": .object(result)])
    }
}

/// Why a message is not answered.
struct RPCError: Error {
    /// JSON-RPC's numbers (section 5.1 of the specification).
    enum Code: Int64 {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParameters = -32602
        case internalError = -32603
    }

    let code: Code
    let message: String
    /// The request's identifier; nil where it is not known.
    var id: JSONValue?

    init(_ code: Code, _ message: String, id: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.id = id
    }

    var answer: JSONValue {
        .object([
            "jsonrpc": "2.0", "id": id ?? .null,
            "error": .object(["code": .integer(code.rawValue), "message": .string(message)]),
        ])
    }
}
