import LeapJSON

/// A member of a value that a model fills in, as a view shows it.
public struct StructuredField: Identifiable, Hashable, Sendable {
    /// The content of a member.
    public enum Content: Hashable, Sendable {
        /// A text, which grows while the model writes it.
        case text(String)
        /// A number, as the model wrote it.
        case number(String)
        /// A Boolean value.
        case flag(Bool)
        /// No value.
        case none
        /// The elements of a list, or the members of an object.
        case fields([StructuredField])
    }

    /// The place in the value as a JSON Pointer (RFC 6901), such as `/steps/0`.
    public let id: String
    /// The name in words: `cookingTime` and `cooking_time` are `Cooking time`; the number of an element of a list.
    public let label: String
    /// The content so far.
    public let content: Content

    /// Returns the fields of a value; a value that is no object is one field without a label.
    static func fields(of value: JSONValue) -> [StructuredField] {
        switch value {
        case .object, .array: fields(within: value, at: "")
        case .null, .bool, .number, .string: [StructuredField(id: "", label: "", content: content(of: value, at: ""))]
        }
    }

    private static func fields(within value: JSONValue, at place: String) -> [StructuredField] {
        switch value {
        case .object(let object):
            object.members.map { member in
                let id = place + "/" + escaped(member.key)
                return StructuredField(
                    id: id, label: words(member.key), content: content(of: member.value, at: id))
            }
        case .array(let elements):
            elements.enumerated().map { index, element in
                let id = "\(place)/\(index)"
                return StructuredField(id: id, label: "\(index + 1)", content: content(of: element, at: id))
            }
        case .null, .bool, .number, .string: []
        }
    }

    private static func content(of value: JSONValue, at place: String) -> Content {
        switch value {
        case .null: .none
        case .bool(let value): .flag(value)
        case .number(let number): .number(number.spelling)
        case .string(let text): .text(text)
        case .object, .array: .fields(fields(within: value, at: place))
        }
    }

    private static func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// Returns a property's name as words.
    private static func words(_ name: String) -> String {
        var words = ""
        var previous: Character?
        for character in name {
            let isBoundary = character == "_" || character == "-"
            let beginsWord = character.isUppercase && previous.map { $0.isLowercase || $0.isNumber } == true
            if isBoundary || beginsWord, words.last != " ", !words.isEmpty { words.append(" ") }
            if !isBoundary { words += beginsWord ? character.lowercased() : String(character) }
            previous = character
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
