import LeapJSON

/// JSON that the app gives as text.
enum JSONText {
    /// - Throws: ``OpenAiClientError`` with ``OpenAiClientError/Code/invalidRequest`` where it is none.
    static func value(_ text: String, _ what: String) throws(OpenAiClientError) -> JSONValue {
        do {
            return try JSONParser.parse(text)
        } catch {
            throw OpenAiClientError(.invalidRequest, "\(what) cannot be read as JSON: \(error)")
        }
    }
}
