import LeapGrammar
package import LeapJSON

/// A JSON Schema that a reply follows.
package struct ReplySchema: Sendable {
    /// The schema as the model is shown it.
    package let text: String
    /// The schema where it was read already; nil where an app wrote it as text.
    private let known: JSONValue?

    /// Takes a schema that an app wrote.
    package init(text: String) {
        self.text = text
        known = nil
    }

    /// Takes a schema that was read already.
    package init(_ value: JSONValue) {
        text = JSONWriter.string(value)
        known = value
    }

    /// The schema as a value.
    ///
    /// - Throws: `JSONParser.Failure` for a text that is not JSON.
    package func value() throws(JSONParser.Failure) -> JSONValue {
        if let known { return known }
        return try JSONParser.parse(text)
    }

    /// The grammar of replies that follow it.
    func grammar(_ options: GrammarOptions) throws(GrammarError) -> CompiledGrammar {
        guard let known else { return try .jsonSchema(text, options: options) }
        return try .jsonSchema(known, byteCount: text.utf8.count, options: options)
    }
}

extension ReplySchema: Hashable {
    /// Compares the texts: another order of properties is another grammar.
    package static func == (a: ReplySchema, b: ReplySchema) -> Bool { a.text == b.text }

    /// Hashes the text.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
