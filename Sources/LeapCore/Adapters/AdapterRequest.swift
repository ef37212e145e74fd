import LeapChat
import LeapJSON

/// An adapter that the extras of loading options ask for.
package struct AdapterRequest: Sendable, Hashable, Codable {
    package var path: String
    package var scale: Float = 1
    /// The name by which generations choose it; nil for its file's name without the extension.
    package var name: String?

    /// Asks for the adapter in a file.
    package init(path: String, scale: Float = 1) {
        self.path = path
        self.scale = scale
    }

    /// The values that the key `adapters` of loading options takes, in words for error messages.
    private static let expected = #"an array of objects such as {"path": "style.gguf", "scale": 1}"#

    /// Reads the value of the key `adapters` of loading options.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names the member at fault.
    static func read(_ value: JSONValue) throws -> [AdapterRequest] {
        guard let items = value.array else { throw refused("adapters", value, expected) }
        return try items.enumerated().map { try AdapterRequest($1, at: "adapters[\($0)]") }
    }

    private init(_ value: JSONValue, at place: String) throws {
        if let path = value.string, !path.isEmpty {
            self.path = path
            return
        }
        guard let object = value.object else { throw Self.refused(place, value, #"an object with a "path""#) }
        guard let path = object["path"]?.string, !path.isEmpty else {
            throw Self.refused("\(place).path", object["path"], "the path of a GGUF file")
        }
        self.path = path
        for (key, value) in object.members {
            switch key {
            case "path": break
            case "scale":
                guard let scale = value.double.map({ Float($0) }), scale.isFinite else {
                    throw Self.refused("\(place).scale", value, "a finite number, such as 1")
                }
                self.scale = scale
            case "name":
                guard let name = value.string, !name.isEmpty else {
                    throw Self.refused("\(place).name", value, "a name of at least one character")
                }
                self.name = name
            default:
                throw LeapModelLoadingException(
                    "'\(place).\(key)' in the extras is not known; expected 'path', 'scale' or 'name'")
            }
        }
    }

    private static func refused(
        _ place: String, _ found: JSONValue?, _ expected: String
    ) -> LeapModelLoadingException {
        let found = found.map { value in value.string.map { "'\($0)'" } ?? value.kind } ?? "missing"
        return LeapModelLoadingException("'\(place)' in the extras is \(found); expected \(expected)")
    }
}
