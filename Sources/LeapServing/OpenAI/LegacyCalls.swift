import LeapJSON
import LeapOpenAIFormat

extension RequestFields {
    /// Reads `functions` and `function_call`, which chat completions had before `tools`, as the tools that they are:
    /// one call in a reply; `tools` win over them.
    ///
    /// - Returns: whether the reply is to have its call in the older shape.
    mutating func readLegacyCalls() throws(APIError) -> Bool {
        let functions = try array(OpenAI.Key.functions) ?? []
        let choice = value(OpenAI.Key.functionCall)
        guard !functions.isEmpty, value(OpenAI.Key.tools) == nil else { return false }
        replace(OpenAI.Key.tools, with: .array(functions.map(OpenAI.Tool.function)))
        replace(OpenAI.Key.parallelToolCalls, with: .bool(false))
        if let choice { replace(OpenAI.Key.toolChoice, with: choice) }
        return true
    }
}
