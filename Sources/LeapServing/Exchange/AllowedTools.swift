import LeapCore
import LeapJSON

extension RequestFields {
    /// Reads a `tool_choice` of the type `allowed_tools`: the tools that may be called, and whether one has to be.
    ///
    /// The mode is in the field's place afterwards. Tools that are none here are left out.
    ///
    /// - Returns: the choice as it was given; nil where it is another one.
    /// - Throws: ``APIError`` that names the entry at fault.
    mutating func readAllowedTools(_ tools: inout ToolList) throws(APIError) -> JSONValue? {
        guard let choice = value("tool_choice"), choice["type"] == "allowed_tools" else { return nil }
        // Chat completions have the members in an object of their own.
        let isWrapped = choice["allowed_tools"]?.object != nil
        let place = "tool_choice" + (isWrapped ? ".allowed_tools" : "")
        let members = choice["allowed_tools"]?.object ?? choice.object ?? [:]
        guard let mode = members["mode"]?.string, ["auto", "required"].contains(mode) else {
            throw .invalid("'\(place).mode' has to be 'auto' or 'required'", "\(place).mode")
        }
        guard let entries = members["tools"]?.array, entries.count <= ChatRequest.maxMessages else {
            throw .invalid("'\(place).tools' is missing, or too long; expected an array of tools", "\(place).tools")
        }
        let known = Set(tools.functions.map(\.name))
        var allowed: Set<String> = []
        for (index, entry) in entries.enumerated() {
            let type = entry["type"]?.string ?? "function"
            guard ["function", "custom"].contains(type) else {
                leaveOut(["\(place).tools[\(index)].type=\(type)"])
                continue
            }
            guard let name = entry[type]?["name"]?.string ?? entry["name"]?.string, known.contains(name) else {
                throw .invalid(
                    "\(place).tools[\(index)] names no function or custom tool of 'tools'",
                    "\(place).tools[\(index)]")
            }
            allowed.insert(name)
        }
        tools.allowed = allowed
        let rest: JSONValue = allowed.isEmpty && mode == "auto" ? "none" : .string(mode)
        replace("tool_choice", with: rest)
        return choice
    }
}
