import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// A tool of the type `custom`, whose input is a text: a function with one parameter for the model.
struct CustomTool: Sendable {
    /// The parameter's name.
    static let parameter = "input"

    let name: String
    /// The description for the model, as the request has it.
    let description: String?
    /// The format of inputs as the request has it; nil for any text.
    let format: JSONValue?
    /// The function that it is for the model.
    let function: LeapFunction
    /// A JSON Pointer to its format in the request.
    let pointer: String
    /// The error of a format that inputs cannot be held to, for requests that demand a call of this tool; nil where
    /// they can.
    let problem: APIError?

    /// Reads an entry of `tools`, with its members beside the type or, as in chat completions, in `custom`.
    ///
    /// - Throws: ``APIError`` that names the member at fault.
    init(_ entry: JSONValue, _ index: Int) throws {
        let isWrapped = entry[OpenAI.Key.custom]?.object != nil
        let place = "tools[\(index)]" + (isWrapped ? ".custom" : "")
        let members = entry[OpenAI.Key.custom]?.object ?? entry.object ?? [:]
        guard let name = members[OpenAI.Key.name]?.string, !name.isEmpty else {
            throw APIError.invalid("\(place) has no name", "\(place).name")
        }
        self.name = name
        pointer = "/tools/\(index)/" + (isWrapped ? "custom/" : "") + "format"
        format = members[OpenAI.Key.format].flatMap { $0 == .null ? nil : $0 }
        var pattern: String?
        var problem: APIError?
        do { pattern = try Self.pattern(of: format, at: place + ".format") } catch { problem = error }
        self.problem = problem
        description = members[OpenAI.Key.description]?.string
        // What inputs cannot be held to the model may follow by itself.
        let told = [description, problem == nil ? nil : Self.definition(of: format)].compactMap(\.self)
        function = try Self.function(name, told: told, pattern: pattern)
    }

    /// The function of a tool.
    ///
    /// - Parameters:
    ///   - told: paragraphs of its description; without one it has none, rather than an empty one.
    ///   - pattern: the regular expression that an input matches; nil where it is any text.
    private static func function(_ name: String, told: [String], pattern: String?) throws -> LeapFunction {
        var input: JSONObject = ["type": "string"]
        if let pattern { input["pattern"] = .string("^(?:\(pattern))$") }
        return try LeapFunction(
            name: name, description: told.isEmpty ? nil : told.joined(separator: "\n\n"),
            parametersSchema: .object([
                "type": "object", "properties": .object([parameter: .object(input)]),
                "required": .array([.string(parameter)]), "additionalProperties": .bool(false),
            ]))
    }

    /// The regular expression that an input matches; nil where it is any text.
    private static func pattern(of format: JSONValue?, at place: String) throws(APIError) -> String? {
        guard let format else { return nil }
        switch format["type"]?.string {
        case "text": return nil
        case "grammar": break
        default:
            throw .invalid("the type of \(place) has to be 'text' or 'grammar'", place)
        }
        let grammar = grammar(of: format)
        switch grammar["syntax"]?.string {
        case "regex": break
        case "lark":
            throw .invalid(
                "\(place) is a Lark grammar, which is not supported: give a regular expression (syntax 'regex')", place,
                code: "unsupported_grammar")
        default:
            throw .invalid("the syntax of \(place) has to be 'regex' or 'lark'", place)
        }
        guard let definition = grammar["definition"]?.string, !definition.isEmpty else {
            throw .invalid("\(place) has no definition", place)
        }
        return definition
    }

    private static func grammar(of format: JSONValue) -> JSONObject {
        format["grammar"]?.object ?? format.object ?? [:]
    }

    /// A format's definition as a sentence for the model; nil where it has none.
    private static func definition(of format: JSONValue?) -> String? {
        guard let format, let text = grammar(of: format)["definition"]?.string, !text.isEmpty else { return nil }
        return "The input follows this grammar:\n\(text)"
    }

    /// The input of a call.
    static func input(of call: LeapFunctionCall) -> String {
        call.argumentObject[parameter]?.string ?? call.argumentsJSON
    }
}

extension ToolList {
    /// Messages in which calls of custom tools, which clients send as a text, are what the model writes for them.
    func calling(_ messages: [ChatMessage]) -> [ChatMessage] {
        guard !custom.isEmpty else { return messages }
        return messages.map { message in
            guard let calls = message.functionCalls, calls.contains(where: { custom[$0.name] != nil }) else {
                return message
            }
            var message = message
            message.functionCalls = calls.map { call in
                guard custom[call.name] != nil, call.argumentObject[CustomTool.parameter] == nil else { return call }
                return LeapFunctionCall(
                    name: call.name, arguments: [CustomTool.parameter: .string(call.argumentsJSON)] as JSONObject,
                    id: call.id)
            }
            return message
        }
    }

    /// A call as an entry of `tool_calls`.
    func entry(_ call: LeapFunctionCall) -> OpenAI.ToolCall {
        guard custom[call.name] != nil else { return call.entry(defaultID: nil) }
        return OpenAI.ToolCall(
            id: call.id, type: .custom, name: call.name, input: .string(CustomTool.input(of: call)))
    }
}
