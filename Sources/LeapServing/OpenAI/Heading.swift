import Foundation
import LeapJSON

/// What every part of an answer begins with.
struct Heading: Sendable {
    let id: String
    let model: String
    let created = Int64(Date().timeIntervalSince1970)

    /// A document of a kind, with members after those that all have.
    func document(_ object: String, _ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var document: JSONObject = [
            "id": .string(id), "object": .string(object), "created": .integer(created), "model": .string(model),
        ]
        for (key, value) in members { document[key] = value }
        return .object(document)
    }
}
