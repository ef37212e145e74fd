/// The value of a header with parameters behind it: `form-data; name="file"; filename="a.wav"` (RFC 9110).
enum HeaderParameters {
    /// Reads a header; parts that are no parameters are left out, and of two parameters with a name the first counts.
    ///
    /// - Returns: the value and the parameters' names in lower case.
    static func parse(_ header: String) -> (value: String, parameters: [String: String]) {
        var rest = header[...]
        let value = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(value.count)
        var parameters: [String: String] = [:]
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let text = rest.first == "\"" ? quoted(&rest) : plain(&rest)
            let key = trimmed(name).lowercased()
            if parameters[key] == nil { parameters[key] = text }
        }
        return (trimmed(value).lowercased(), parameters)
    }

    private static func plain(_ rest: inout Substring) -> String {
        let text = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(text.count)
        return trimmed(text)
    }

    /// A text in quotation marks; a backslash stands before those inside.
    ///
    /// What follows up to the next parameter is left out.
    private static func quoted(_ rest: inout Substring) -> String {
        var text = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let next = rest.first, next == "\"" || next == "\\" else {
                text.append(character)
                continue
            }
            text.append(next)
            rest = rest.dropFirst()
        }
        rest = rest.drop { $0 != ";" }
        return text
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
