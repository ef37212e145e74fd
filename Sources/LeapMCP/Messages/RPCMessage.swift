package import LeapJSON

/// A request or a notification of JSON-RPC 2.0; the latter has no identifier and gets no answer.
package struct RPCMessage: Sendable {
    /// A text or a number, as the sender chose it; nil for a notification.
    package let id: JSONValue?
    package let method: String
    package let parameters: JSONObject

    /// Values that a message may have.
    package static let maxValues = 1_000_000

    /// Reads a line.
    ///
    /// - Returns: nil for an answer.
    /// - Throws: ``RPCError`` for what is no message.
    package init?(_ line: [UInt8]) throws(RPCError) {
        let value: JSONValue
        do {
            value = try JSONParser.parse(line, maxValues: Self.maxValues)
        } catch {
            throw RPCError(.parseError, "the message is not JSON: \(error)")
        }
        try self.init(value)
    }

    /// Reads a message that was parsed.
    ///
    /// - Returns: nil for an answer.
    /// - Throws: ``RPCError`` for what is no message.
    package init?(_ value: JSONValue) throws(RPCError) {
        guard let object = value.object, object["jsonrpc"] == "2.0" else {
            throw RPCError(.invalidRequest, "the message is not an object with \"jsonrpc\": \"2.0\"", id: value["id"])
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
        // Some write null where there are none.
        let given = object["params"].flatMap { $0 == .null ? nil : $0 } ?? .object([:])
        guard let parameters = given.object else {
            throw RPCError(.invalidParameters, "\"params\" is \(given.kind); expected an object", id: id)
        }
        (self.id, self.method, self.parameters) = (id, name, parameters)
    }

    /// A request, or a notification where there is no identifier.
    package static func asking(_ method: String, _ parameters: JSONObject, id: Int64? = nil) -> JSONValue {
        var message: JSONObject = ["jsonrpc": "2.0"]
        if let id { message["id"] = .integer(id) }
        message["method"] = .string(method)
        if !parameters.isEmpty { message["params"] = .object(parameters) }
        return .object(message)
    }

    /// The answer to a request.
    package static func result(_ id: JSONValue, _ result: JSONObject) -> JSONValue {
        .object(["jsonrpc": "2.0", "id": id, "result": .object(result)])
    }
}

/// The error in reply to a message.
package struct RPCError: Error {
    /// JSON-RPC's numbers (section 5.1 of the specification).
    package enum Code: Int64, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParameters = -32602
        case internalError = -32603
        /// The protocol's own, since 2026-07-28.
        case unsupportedVersion = -32022
    }

    package let code: Code
    package let message: String
    /// The member for programs; nil for none.
    package var data: JSONValue?
    /// The request's identifier; nil where it is not known.
    package var id: JSONValue?

    package init(_ code: Code, _ message: String, id: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.id = id
    }

    /// The error as a message.
    package var answer: JSONValue {
        var error: JSONObject = ["code": .integer(code.rawValue), "message": .string(message)]
        error["data"] = data
        return .object(["jsonrpc": "2.0", "id": id ?? .null, "error": .object(error)])
    }
}
