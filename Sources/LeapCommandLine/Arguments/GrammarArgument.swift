/// A grammar in GBNF as it is given where a command takes one: the grammar itself, or a file.
enum GrammarArgument {
    /// Returns whether a text is a grammar itself, which has a rule; a file of such a name is written with ./ before
    /// it.
    static func isInline(_ text: String) -> Bool { text.contains("::=") && !text.hasPrefix("./") }

    /// The grammar's text.
    ///
    /// - Parameter name: the option that it is given with.
    static func text(_ argument: String, _ name: String) throws -> String {
        isInline(argument) ? argument : try JSONFile.text(argument, name)
    }
}
