import LeapJSON

/// Writes values as Python would take them, with JSON's quotes.
enum PythonLiteral {
    static func string(_ value: JSONValue) -> String {
        switch value {
        case .null: "None"
        case .bool(let value): value ? "True" : "False"
        case .array(let values): "[" + values.map(string).joined(separator: ", ") + "]"
        case .object(let object):
            "{" + object.members.map { JSONWriter.quoted($0.key) + ": " + string($0.value) }.joined(separator: ", ")
                + "}"
        default: JSONWriter.string(value, style: .python)
        }
    }
}
