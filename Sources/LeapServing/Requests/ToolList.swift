import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The functions and custom tools among the entries of `tools`.
struct ToolList: Sendable {
    /// All of them, in their order; a custom tool as the function that it is for the model.
    private(set) var functions: [LeapFunction] = []
    /// The custom tools by their names.
    private(set) var custom: [String: CustomTool] = [:]
    /// The names that `allowed_tools` has; nil where all may be called.
    var allowed: Set<String>?
    /// Entries that are no functions, and parts of functions that are no schema.
    private(set) var leftOut: [String] = []
    /// The names of functions that are to be kept to.
    private(set) var strict: Set<String> = []
    /// JSON Pointers to the schemas of functions, by their names.
    private var schemas: [String: String] = [:]

    /// No tools.
    init() {}

    /// Reads entries as OpenAI's clients send them.
    ///
    /// - Throws: ``APIError`` that names the entry at fault.
    init(_ entries: [JSONValue]) throws { try self.init(entries.map { ToolEntry($0) }) }

    /// Reads the entries.
    ///
    /// - Throws: ``APIError`` that names the entry at fault.
    init(_ entries: [ToolEntry]) throws {
        for (index, entry) in entries.enumerated() {
            switch entry {
            case .function(let function): try add(function, index)
            case .custom(let tool): try add(CustomTool(tool, index))
            case .foreign(let words): leftOut.append("tools[\(index)].\(words)")
            }
        }
        do {
            try FunctionRegistry.validate(functions)
        } catch let error as LeapGenerationException {
            throw APIError.invalid(error.message, "tools")
        }
    }

    private mutating func add(_ tool: CustomTool) {
        functions.append(tool.function)
        schemas[tool.name] = tool.pointer
        custom[tool.name] = tool
        if let problem = tool.problem { leftOut.append(problem.parameter ?? tool.pointer) }
    }

    private mutating func add(_ entry: JSONValue, _ index: Int) throws {
        let function = try RequestFields.function(entry, index)
        functions.append(function)
        let pointer = Self.pointer(entry, index)
        schemas[function.name] = pointer
        if (entry[OpenAI.Key.function] ?? entry)[OpenAI.Key.strict] == .bool(true) { strict.insert(function.name) }
        try leaveOutSchema(of: entry, pointer)
    }

    /// The functions that may be called, which are those that the model is shown.
    var callable: [LeapFunction] {
        guard let allowed else { return functions }
        return functions.filter { allowed.contains($0.name) }
    }

    /// Refuses a demand for a tool whose inputs are to have a format that cannot be kept to.
    ///
    /// Where no such tool is demanded the format is left out: the rest of the request is none of its fault.
    func check(_ choice: GenerationExtras.ToolChoice?) throws(APIError) {
        guard let choice else { return }
        let demanded: [String]
        switch choice {
        case .function(let name): demanded = [name]
        case .required: demanded = callable.map(\.name)
        case .auto, .none: return
        }
        let problems = demanded.compactMap { custom[$0]?.problem }
        if let problem = problems.first, problems.count == demanded.count { throw problem }
    }

    /// Returns a JSON Pointer to the schema of a function's arguments in the request.
    private static func pointer(_ entry: JSONValue, _ index: Int) -> String {
        let definition = entry[OpenAI.Key.function]?.object ?? entry.object ?? [:]
        let isOther = definition[OpenAI.Key.parameters] == nil && definition["input_schema"] != nil
        return "/tools/\(index)/" + (entry[OpenAI.Key.function]?.object == nil ? "" : "function/")
            + (isOther ? "input_schema" : "parameters")
    }

    /// Records parameters that are no schema of an object.
    private mutating func leaveOutSchema(of entry: JSONValue, _ pointer: String) throws {
        let definition = entry[OpenAI.Key.function]?.object ?? entry.object ?? [:]
        guard let schema = definition[OpenAI.Key.parameters] ?? definition["input_schema"], schema != .null,
            schema.object == nil
        else { return }
        guard definition[OpenAI.Key.strict] != .bool(true) else {
            throw APIError.invalid(
                "\(pointer) is \(schema.kind); expected a JSON Schema of an object", Self.field(pointer),
                code: "invalid_schema")
        }
        leftOut.append(pointer)
    }

    /// A pointer as OpenAI names fields: `tools[1].function.parameters`.
    private static func field(_ pointer: String) -> String {
        pointer.split(separator: "/").map(String.init).reduce("") { field, token in
            Int(token) == nil ? field + (field.isEmpty ? "" : ".") + token : field + "[\(token)]"
        }
    }

    /// A note's place in the request.
    func place(of note: FunctionNote) -> String {
        (schemas[note.function] ?? "/tools") + (custom[note.function] == nil ? note.pointer : "")
    }

    /// Returns the error of a schema with a part that calls have to follow and that cannot be enforced.
    func refusal(_ note: FunctionNote) -> APIError {
        .invalid(
            "\(place(of: note)) cannot be enforced, but calls of '\(HeaderText.safe(note.function))' have to follow it: \(note.reason)",
            Self.field(schemas[note.function] ?? "/tools"), code: "invalid_schema")
    }
}
