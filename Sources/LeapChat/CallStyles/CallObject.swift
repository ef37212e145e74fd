import LeapJSON

/// Writes calls as the JSON objects that models write.
enum CallObject {
    /// The object of a call: `{"name": "next_trams", "arguments": {"stop": "Harbour"}}`.
    static func text(_ call: LeapFunctionCall, argumentsKey: String) -> String {
        let object = JSONObject([("name", .string(call.name)), (argumentsKey, call.argumentValue)])
        return JSONWriter.string(.object(object), style: .python)
    }

    /// Several of them in a list.
    static func list(_ calls: [LeapFunctionCall], argumentsKey: String) -> String {
        "[" + calls.map { text($0, argumentsKey: argumentsKey) }.joined(separator: ", ") + "]"
    }
}
