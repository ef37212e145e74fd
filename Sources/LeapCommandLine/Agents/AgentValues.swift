import LeapJSON

/// The values that the templates of ``Agent`` ask for.
struct AgentValues: Sendable {
    /// The server's address, without a path.
    let url: String
    /// The key that the server wants; any text for a server that wants none.
    let key: String
    let model: AgentModel
    /// The path of the agent's file.
    let file: String

    /// The most tokens of one reply: agents reserve them, so a small context leaves few.
    private var maxOutput: Int { max(256, min(8192, model.context / 4)) }
    /// The tokens at which an agent shortens its history: 85% of the context.
    private var compaction: Int { model.context / 100 * 85 + model.context % 100 * 85 / 100 }

    /// The value of a name; nil for one that is unknown.
    private func value(of name: String) -> String? {
        switch name {
        case "url": url
        case "base": url + "/v1"
        case "key": key
        case "model": model.name
        case "leap/model": "leap/" + model.name
        case "openai/model": "openai/" + model.name
        case "context": "\(model.context)"
        case "output": "\(maxOutput)"
        case "compaction": "\(compaction)"
        case "file": file
        default: nil
        }
    }

    /// Fills a template: `%name%` with a value as it is, `%"name"%` with it as a JSON string, which is one of TOML and
    /// of JavaScript too.
    ///
    /// Values are not templates. A name that is unknown stays as it is.
    func fill(_ template: String) -> String {
        var (text, rest) = ("", Substring(template))
        while let start = rest.firstIndex(of: "%") {
            text += rest[..<start]
            rest = rest[start...].dropFirst()
            guard let end = rest.firstIndex(of: "%") else { return text + "%" + rest }
            let word = rest[..<end]
            let isQuoted = word.count > 2 && word.hasPrefix("\"") && word.hasSuffix("\"")
            if let value = value(of: String(isQuoted ? word.dropFirst().dropLast() : word)) {
                text += isQuoted ? JSONWriter.quoted(value) : value
                rest = rest[end...].dropFirst()
            } else {
                text += "%"
            }
        }
        return text + rest
    }
}
