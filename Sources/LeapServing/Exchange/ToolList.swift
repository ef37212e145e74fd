import LeapCore
import LeapJSON

/// The functions among the entries of `tools`.
struct ToolList: Sendable {
    private(set) var functions: [LeapFunction] = []
    /// Entries that are no functions, and parts of functions that are no schema.
    private(set) var leftOut: [String] = []
    /// The names of functions that are to be kept to.
    private(set) var strict: Set<String> = []
    /// JSON Pointers to the schemas of functions, by their names.
    private var schemas: [String: String] = [:]

    /// Reads the entries.
    ///
    /// - Throws: ``APIError`` that names the entry at fault.
    init(_ entries: [JSONValue]) throws {
        for (index, entry) in entries.enumerated() {
            if let type = entry["type"]?.string, type != "function" {
                leftOut.append("tools[\(index)].type=\(type)")
                continue
            }
            // Google's tools, for example, are named by their only member.
            if let object = entry.object, !object.isEmpty,
                ["type", "function", "name"].allSatisfy({ object[$0] == nil })
            {
                leftOut.append("tools[\(index)].\(object.keys[0])")
                continue
            }
            let function = try RequestFields.function(entry, index)
            functions.append(function)
            let pointer = Self.pointer(entry, index)
            schemas[function.name] = pointer
            if (entry["function"] ?? entry)["strict"] == .bool(true) { strict.insert(function.name) }
            try leaveOutSchema(of: entry, pointer)
        }
        do {
            try FunctionRegistry.validate(functions)
        } catch let error as LeapGenerationException {
            throw APIError.invalid(error.message, "tools")
        }
    }

    /// Where the schema of a function's arguments is in the request.
    private static func pointer(_ entry: JSONValue, _ index: Int) -> String {
        let definition = entry["function"]?.object ?? entry.object ?? [:]
        let isOther = definition["parameters"] == nil && definition["input_schema"] != nil
        return "/tools/\(index)/" + (entry["function"]?.object == nil ? "" : "function/")
            + (isOther ? "input_schema" : "parameters")
    }

    /// Notes parameters that are no schema of an object.
    private mutating func leaveOutSchema(of entry: JSONValue, _ pointer: String) throws {
        let definition = entry["function"]?.object ?? entry.object ?? [:]
        guard let schema = definition["parameters"] ?? definition["input_schema"], schema != .null, schema.object == nil
        else { return }
        guard definition["strict"] != .bool(true) else {
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
    func place(of note: FunctionNote) -> String { (schemas[note.function] ?? "/tools") + note.pointer }

    /// What a client reads of a part that calls have to be held to and cannot.
    func refusal(_ note: FunctionNote) -> APIError {
        .invalid(
            "\(place(of: note)) cannot be enforced, but calls of '\(HeaderText.safe(note.function))' have to follow it: \(note.reason)",
            Self.field(schemas[note.function] ?? "/tools"), code: "invalid_schema")
    }
}

extension ModelLease {
    /// What of the schemas in `tools` free calls are not held to, as JSON Pointers into the request.
    ///
    /// - Throws: ``APIError`` where calls are demanded and cannot be held to a part, and for a form of answers that cannot be kept to.
    func relaxed(_ tools: ToolList, _ options: GenerationOptions) async throws -> [String] {
        guard !tools.functions.isEmpty else { return [] }
        do {
            return try await runner.notes(on: tools.functions, options: options).map(tools.place)
        } catch let error as LeapGeneratableSchematizationException {
            guard let refusal = error.cause as? FunctionRefusal else { throw error }
            throw tools.refusal(refusal.note)
        }
    }
}
