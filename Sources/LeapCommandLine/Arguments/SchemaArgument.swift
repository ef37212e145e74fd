/// A JSON Schema as it is given where a command takes one: the schema itself, or a file.
enum SchemaArgument {
    /// Returns whether a text is a schema itself; a file of such a name is written with ./ before it.
    static func isInline(_ text: String) -> Bool {
        let text = text.drop(while: \.isWhitespace)
        return text.hasPrefix("{") || text == "true" || text == "false"
    }

    /// The schema's text.
    ///
    /// - Parameter name: the option that it is given with.
    static func text(_ argument: String, _ name: String) throws -> String {
        isInline(argument) ? argument : try JSONFile.text(argument, name)
    }
}
