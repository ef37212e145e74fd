package import LeapJSON

extension OpenAI {
    /// Entries of `tools`.
    package enum Tool {
        /// Returns the entry of a function, given its name, description and parameters as an object.
        package static func function(_ definition: JSONValue) -> JSONValue {
            .object([Key.type: .string(ToolType.function.rawValue), Key.function: definition])
        }

        /// Returns the definition of a function.
        ///
        /// - Parameters:
        ///   - description: nil for a definition without one.
        ///   - parameters: the JSON Schema of its arguments.
        package static func definition(name: String, description: String?, parameters: JSONValue) -> JSONObject {
            var definition: JSONObject = [Key.name: .string(name)]
            definition[Key.description] = description.map { .string($0) }
            definition[Key.parameters] = parameters
            return definition
        }
    }
}
