import LeapChat
import LeapJSON
import LeapOpenAIFormat

extension RequestFields {
    /// Reads a `tool_choice` of the type `allowed_tools`: the tools that may be called, and whether one has to be.
    ///
    /// Tools that are none here are left out.
    ///
    /// - Returns: the choice among the tools that may be called; nil where `tool_choice` is of another type.
    /// - Throws: ``APIError`` that names the entry at fault.
    mutating func readAllowedTools(_ tools: inout ToolList) throws(APIError) -> GenerationExtras.ToolChoice? {
        guard let choice = value(OpenAI.Key.toolChoice),
            choice[OpenAI.Key.type]?.string == OpenAI.Key.allowedTools
        else { return nil }
        // Chat completions have the members in an object of their own.
        let isWrapped = choice[OpenAI.Key.allowedTools]?.object != nil
        let place = OpenAI.Key.toolChoice + (isWrapped ? ".\(OpenAI.Key.allowedTools)" : "")
        let members = choice[OpenAI.Key.allowedTools]?.object ?? choice.object ?? [:]
        guard let word = members[OpenAI.Key.mode]?.string, let mode = OpenAI.ToolChoice.Mode(rawValue: word),
            mode != .none
        else {
            throw .invalid("'\(place).mode' has to be 'auto' or 'required'", "\(place).mode")
        }
        guard let entries = members[OpenAI.Key.tools]?.array, entries.count <= Self.maxMessages else {
            throw .invalid("'\(place).tools' is missing, or too long; expected an array of tools", "\(place).tools")
        }
        let known = Set(tools.functions.map(\.name))
        var allowed: Set<String> = []
        for (index, entry) in entries.enumerated() {
            let type = entry[OpenAI.Key.type]?.string ?? OpenAI.ToolType.function.rawValue
            guard OpenAI.ToolType(rawValue: type) != nil else {
                leaveOut(["\(place).tools[\(index)].type=\(type)"])
                continue
            }
            guard let name = entry[type]?[OpenAI.Key.name]?.string ?? entry[OpenAI.Key.name]?.string,
                known.contains(name)
            else {
                throw .invalid(
                    "\(place).tools[\(index)] names no function or custom tool of 'tools'",
                    "\(place).tools[\(index)]")
            }
            allowed.insert(name)
        }
        tools.allowed = allowed
        if mode == .required { return .required }
        return allowed.isEmpty ? GenerationExtras.ToolChoice.none : .auto
    }
}
