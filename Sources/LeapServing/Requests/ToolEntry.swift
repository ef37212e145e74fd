import LeapJSON
import LeapOpenAIFormat

/// An entry of `tools`, told by its type.
enum ToolEntry: Sendable {
    /// A function, by its definition or by an object that holds it.
    case function(JSONValue)
    /// A tool whose input is a text.
    case custom(JSONValue)
    /// A tool that runs where the client's maker runs it: it is left out, by these words.
    case foreign(String)

    /// Reads an entry as OpenAI's clients send it.
    init(_ entry: JSONValue) {
        guard let type = entry[OpenAI.Key.type] else {
            self.init(untyped: entry)
            return
        }
        // Its reader refuses a type that is no word.
        guard let word = type.string else {
            self = .function(entry)
            return
        }
        switch OpenAI.ToolType(rawValue: word) {
        case .function: self = .function(entry)
        case .custom: self = .custom(entry)
        case nil: self = .foreign("type=\(word)")
        }
    }

    /// Reads an entry without a type.
    init(untyped entry: JSONValue) {
        // Google's tools, for example, are named by their only member.
        if let object = entry.object, let first = object.keys.first,
            [OpenAI.Key.function, OpenAI.Key.name].allSatisfy({ object[$0] == nil })
        {
            self = .foreign(first)
        } else {
            self = .function(entry)
        }
    }
}
