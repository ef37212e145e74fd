package import LeapJSON

extension GenerationExtras.ToolChoice {
    /// The choice as chat completions have it.
    package var json: JSONValue {
        switch self {
        case .auto: "auto"
        case .none: "none"
        case .required: "required"
        case .function(let name): .object(["type": "function", "function": .object(["name": .string(name)])])
        }
    }
}
