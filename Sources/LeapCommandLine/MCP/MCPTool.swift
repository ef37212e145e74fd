import LeapJSON

/// Something that a program may have a model do.
struct MCPTool: Sendable {
    /// The output of a tool.
    struct Output: Sendable {
        let text: String
        /// The same for programs, an object; nil where the text is all.
        var structured: JSONValue?
    }

    let name: String
    let purpose: String
    /// A JSON Schema of the arguments.
    let schema: JSONValue
    let run: @Sendable (JSONObject) async throws -> Output

    /// The tool as `tools/list` tells it.
    var description: JSONValue {
        .object(["name": .string(name), "description": .string(purpose), "inputSchema": schema])
    }
}
