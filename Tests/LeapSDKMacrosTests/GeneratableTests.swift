import Foundation
import LeapSDKMacros
import Testing

@Generatable("A joke")
struct Joke: Codable {
    @Guide("The joke itself")
    let text: String
    @Guide("How good it is", .range(1...10))
    let rating: Int
    @Guide("Whether children may hear it")
    let kidFriendly: Bool?
}

@Generatable("A mood")
enum Mood: String, Codable, CaseIterable {
    case happy
    case notSoHappy = "not so happy"
}

enum Size: String, Codable, CaseIterable {
    case small, large
}

@Generatable("A \"quoted\" thing \\ with a line\nbreak")
struct Everything: Codable {
    @Guide("s", .pattern("^[a-z]+\\d\"$")) var string: String
    @Guide("choice", .anyOf(["a", "b"])) var choice: String
    @Guide("d", .range(-1.5...2)) var double: Double
    @Guide("low", .minimum(3)) var low: Float
    @Guide("u8") var byte: UInt8
    @Guide("list", .count(3), .element(.range(0...9))) var list: [Int]
    @Guide("many", .minimumCount(1), .maximumCount(4)) var many: [String]
    @Guide("optional") var optional: [Double]?
    @Guide("when") var date: Date
    @Guide("where") var link: URL
    @Guide("id") var id: UUID
    @Guide("mood") var mood: Mood
    @Guide("size") var size: Size
    @Guide("joke") var joke: Joke
    @Guide("jokes") var jokes: [Joke]
    @Guide("counts") var counts: [String: Int]
    var computed: Int { 3 }
    static let shared = 4
}

enum Weekday: String, Codable, CaseIterable, CodingKeyRepresentable {
    case monday, tuesday
}

struct Label: Codable, Hashable, RawRepresentable, CodingKeyRepresentable {
    var rawValue: String
}

@Generatable("Dictionaries")
struct Dictionaries: Codable {
    @Guide("By number") var byNumber: [Int: Bool]
    @Guide("By day") var byDay: [Weekday: [Int]]
    @Guide("By label") var byLabel: Dictionary<Label, CGFloat>
    @Guide("A length") var length: CGFloat?
}

@Generatable("A node of a tree")
struct Node: Codable {
    @Guide("Name") let name: String
    @Guide("Below it") let children: [Node]
}

@Generatable("Renamed")
final class Renamed: Codable {
    @Guide("A") let first: String
    var skipped: Int? = nil
    enum CodingKeys: String, CodingKey {
        case first = "first_name"
    }
    init(first: String) { self.first = first }
}

struct GeneratableTests {
    private func object(_ schema: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any])
    }

    @Test("A structure's schema is its properties in their order")
    func structure() {
        #expect(Joke.typeDescription == "A joke")
        #expect(
            Joke.jsonSchema()
                == #"{"type":"object","description":"A joke","properties":{"text":{"type":"string","description":"The joke itself"},"#
                + #""rating":{"type":"integer","description":"How good it is","minimum":1,"maximum":10},"#
                + #""kidFriendly":{"type":"boolean","description":"Whether children may hear it"}},"#
                + #""required":["text","rating"],"additionalProperties":false}"#)
        #expect(JSONSchemaGenerator.getJSONSchema(for: Joke.self) == Joke.jsonSchema())
    }

    @Test("A dictionary's keys are what an object's members are called, and CGFloat is a number")
    func dictionaries() throws {
        #expect(
            Dictionaries.jsonSchema()
                == #"{"type":"object","description":"Dictionaries","properties":{"byNumber":{"type":"object","description":"By number","#
                + #""propertyNames":{"pattern":"^(0|-?[1-9][0-9]{0,17})$"},"additionalProperties":{"type":"boolean"}},"#
                + #""byDay":{"type":"object","description":"By day","propertyNames":{"enum":["monday","tuesday"]},"#
                + #""additionalProperties":{"type":"array","items":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}}},"#
                + #""byLabel":{"type":"object","description":"By label","additionalProperties":{"type":"number"}},"#
                + #""length":{"type":"number","description":"A length"}},"required":["byNumber","byDay","byLabel"],"additionalProperties":false}"#
        )
        // What the schema describes is what `Codable` reads and writes.
        let text = #"{"byDay":{"tuesday":[1]},"byLabel":{"a":0.5},"byNumber":{"-7":true}}"#
        let value = try JSONDecoder().decode(Dictionaries.self, from: Data(text.utf8))
        #expect(value.byNumber == [-7: true] && value.byDay == [.tuesday: [1]])
        #expect(value.byLabel[Label(rawValue: "a")] == 0.5)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
    }

    @Test("Every supported type and constraint has its schema")
    func everything() throws {
        let schema = try object(Everything.jsonSchema())
        #expect(schema["description"] as? String == "A \"quoted\" thing \\ with a line\nbreak")
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        #expect(properties.count == 16)
        #expect(properties["string"]?["pattern"] as? String == "^[a-z]+\\d\"$")
        #expect(properties["choice"]?["enum"] as? [String] == ["a", "b"])
        #expect(properties["double"]?["minimum"] as? Double == -1.5)
        #expect(properties["double"]?["maximum"] as? Double == 2)
        #expect(properties["low"]?["minimum"] as? Int == 3)
        #expect((properties["low"]?["maximum"] as? Double).map { Float($0) } == Float.greatestFiniteMagnitude)
        #expect(properties["byte"]?["maximum"] as? Int == 255)
        #expect(properties["list"]?["minItems"] as? Int == 3)
        #expect(properties["list"]?["maxItems"] as? Int == 3)
        #expect((properties["list"]?["items"] as? [String: Any])?["maximum"] as? Int == 9)
        #expect(properties["many"]?["maxItems"] as? Int == 4)
        #expect(properties["date"]?["format"] as? String == "date-time")
        #expect(properties["id"]?["format"] as? String == "uuid")
        #expect(properties["mood"]?["enum"] as? [String] == ["happy", "not so happy"])
        #expect(properties["size"]?["enum"] as? [String] == ["small", "large"])
        #expect(properties["joke"]?["description"] as? String == "joke")
        #expect((properties["jokes"]?["items"] as? [String: Any])?["description"] as? String == "A joke")
        #expect((properties["counts"]?["additionalProperties"] as? [String: Any])?["type"] as? String == "integer")
        let required = try #require(schema["required"] as? [String])
        #expect(required.count == 15 && !required.contains("optional"))
    }

    @Test("A type that contains itself becomes a definition")
    func recursion() throws {
        let schema = try object(Node.jsonSchema())
        #expect(schema["$ref"] as? String == "#/$defs/Node")
        let node = try #require((schema["$defs"] as? [String: Any])?["Node"] as? [String: Any])
        let children = try #require((node["properties"] as? [String: Any])?["children"] as? [String: Any])
        #expect((children["items"] as? [String: Any])?["$ref"] as? String == "#/$defs/Node")
    }

    @Test("CodingKeys decide the names, and what is left out")
    func codingKeys() throws {
        let schema = try object(Renamed.jsonSchema())
        #expect((schema["properties"] as? [String: Any])?.keys.sorted() == ["first_name"])
        #expect(schema["required"] as? [String] == ["first_name"])
    }

    @Test("A schema written by hand takes part")
    func byHand() throws {
        struct Hand: GeneratableType {
            static let typeDescription = "by hand"
            static func jsonSchema() -> String { #"{"type":"integer"}"# }
        }
        #expect(JSONSchemaGenerator.getJSONSchema(for: Hand.self) == #"{"type":"integer"}"#)
    }
}
