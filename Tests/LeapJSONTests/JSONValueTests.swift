import Foundation
import LeapJSON
import LeapTestSupport
import Testing

struct JSONValueTests {
    @Test("Equality is by value: numbers whatever their spelling, objects whatever their order")
    func equality() throws {
        let groups = [
            ["1", "1.0", "10e-1", "0.1E1"], ["0", "-0", "0e7", "0.000"], ["-2.5", "-25e-1"],
            ["100000000000000000000001", "1.00000000000000000000001e23"], [#"{"a":1,"b":[2]}"#, #"{"b":[2.0],"a":1}"#],
            ["[1,2]"], ["[2,1]"], ["\"1\""], ["null"], ["false"], ["9007199254740993"], ["9007199254740992"],
        ].map { $0.map { try? JSONParser.parse($0) } }
        for (i, group) in groups.enumerated() {
            for (j, other) in groups.enumerated() {
                for x in group {
                    for y in other {
                        #expect((x == y) == (i == j), "\(String(describing: x)) and \(String(describing: y))")
                        if i == j { #expect(x.hashValue == y.hashValue) }
                    }
                }
            }
        }
    }

    @Test("Numbers give integers where they are whole and fit")
    func integers() throws {
        func integer(_ text: String) throws -> Int? { try JSONParser.parse(text).integer }
        #expect(try integer("3.0") == 3)
        #expect(try integer("1.2e3") == 1200)
        #expect(try integer("9223372036854775807") == .max)
        #expect(try integer("9223372036854775808") == nil)
        #expect(try integer("1e300") == nil)
        #expect(try integer("0.5") == nil)
        #expect(try integer("-0.0") == 0)
    }

    @Test("An object finds, replaces and removes members, few and many")
    func objects() {
        for count in [3, 8, 9, 40] {
            var object = JSONObject((0..<count).map { ("k\($0)", .integer(Int64($0))) })
            object["k1"] = "new"
            #expect(object.count == count && object["k1"] == "new")
            object["k0"] = nil
            object["none"] = nil
            #expect(object.count == count - 1 && object["k0"] == nil && object.keys.first == "k1")
            object["last"] = .null
            #expect(object.members.last?.key == "last" && object["k2"] == .integer(2))
            for key in object.keys { object[key] = nil }
            #expect(object.isEmpty && object == [:])
        }
    }

    private struct Line: Codable, Equatable {
        var name: String
        var count: Int
        var ratio: Double
        var small: Float
        var missing: String?
        var nested: [[Int]]
        var members: [String: Bool]
    }

    @Test("Encodable values become what Foundation's encoder makes of them")
    func encoding() throws {
        let line = Line(
            name: "a\"é", count: -3, ratio: 0.1, small: 0.3, missing: nil, nested: [[1], []], members: ["x": true])
        let value = try JSONValue(encoding: line)
        #expect(
            JSONWriter.string(value)
                == #"{"name":"a\"é","count":-3,"ratio":0.1,"small":0.3,"nested":[[1],[]],"members":{"x":true}}"#)
        #expect(try JSONDecoder().decode(Line.self, from: Data(JSONWriter.bytes(value))) == line)
        #expect(try JSONValue(encoding: [Double.infinity]) == .array([.null]))
        #expect(try JSONValue(encoding: UInt64.max) == .number(JSONNumber(UInt64.max)))
    }

    @Test("A value inside an encodable one stays as it was written")
    func nestedValues() throws {
        let value = try JSONParser.parse(#"{"z":1.50,"a":[1E2]}"#)
        #expect(JSONWriter.string(try JSONValue(encoding: ["v": value])) == #"{"v":{"z":1.50,"a":[1E2]}}"#)
    }

    @Test("Random values pass through Foundation's coders unchanged")
    func coders() throws {
        for seed in TestLevel.seeds(12, all: 100) {
            var generator = SeededGenerator(seed: seed)
            // Numbers pass as 64-bit integers and doubles.
            let value = JSONValue.object(["v": .random(&generator)])
            let rounded = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
            let again = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(rounded))
            #expect(again == rounded, "seed \(seed)")
        }
    }
}
