import LeapBase

extension JSONSerialization {
    /// The bytes of a text that is JSON already, such as that of `exportToJSON()` of a ``Conversation``.
    ///
    /// Code for version 0.7 of the LEAP SDK passes the result of `try conversation.exportToJSON()` on to
    /// `JSONSerialization`. It was an array then; since version 0.10 it is a text, which Foundation refuses at run
    /// time. With this function such code goes on working, and the compiler says what to write instead. With
    /// `.fragmentsAllowed` a text is a JSON string, as without this module.
    ///
    /// - Throws: ``LeapSerializationException`` if the text is no JSON array or object.
    @available(
        *, deprecated,
        message:
            "this is already JSON text: write Data(text.utf8), or let payload: [[String: Any]] = try conversation.exportToJSON()"
    )
    public static func data(withJSONObject text: String, options: WritingOptions = []) throws -> Data {
        if options.contains(.fragmentsAllowed) { return try data(withJSONObject: text as Any, options: options) }
        let value: Any
        do {
            value = try jsonObject(with: Data(text.utf8))
        } catch {
            throw LeapSerializationException(
                "JSONSerialization takes an array or an object, and this text is neither: \(ShownText.of(text, limit: 40))",
                cause: error)
        }
        return options.isEmpty ? Data(text.utf8) : try data(withJSONObject: value, options: options)
    }
}
