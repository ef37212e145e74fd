import LeapJSON

/// Calls as chat completions had them before `tools`: `functions`, `function_call` and one call in a reply.
enum LegacyCalls {
    static let finishReason = "function_call"

    /// A message with its call in the older shape.
    static func message(_ message: JSONValue) -> JSONValue {
        guard var object = message.object, let calls = object["tool_calls"]?.array else { return message }
        object["tool_calls"] = nil
        object["function_call"] = calls.first?.object?["function"]
        return .object(object)
    }

    /// Why a reply ended, in the older words.
    static func finishReason(_ reason: String) -> String { reason == "tool_calls" ? finishReason : reason }
}

extension RequestFields {
    /// Reads `functions` and `function_call` as the tools that they are, one call in a reply; `tools` win over them.
    ///
    /// - Returns: whether the reply is to have its call in the older shape.
    mutating func readLegacyCalls() throws(APIError) -> Bool {
        let functions = try array("functions") ?? []
        let choice = value("function_call")
        guard !functions.isEmpty, value("tools") == nil else { return false }
        replace("tools", with: .array(functions.map { .object(["type": "function", "function": $0]) }))
        replace("parallel_tool_calls", with: .bool(false))
        if let choice { replace("tool_choice", with: choice) }
        return true
    }
}
