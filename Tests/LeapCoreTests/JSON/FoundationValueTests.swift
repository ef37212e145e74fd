import Foundation
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat

@Suite(.inTurns)
struct FoundationValueTests {
    @Test("Foundation reads random values as they are")
    func random() throws {
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let value = JSONValue.random(&generator, depth: 0)
            let text = JSONWriter.string(value)
            let foundation = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(JSONValue(any: foundation) == value, "seed \(seed): \(text)")
        }
    }

    @Test("Understands Swift's and Foundation's own values")
    func anyValues() {
        #expect(JSONValue(any: 1 as Int8) == .integer(1))
        #expect(JSONValue(any: true) == .bool(true))
        #expect(JSONValue(any: NSNumber(value: true)) == .bool(true))
        #expect(JSONValue(any: NSNumber(value: 1)) == .integer(1))
        #expect(JSONValue(any: Float(0.5)) == .double(0.5))
        #expect(JSONValue(any: Double.nan) == .null)
        #expect(JSONValue(any: UInt64.max) == .number(JSONNumber(UInt64.max)))
        #expect(JSONValue(any: nil) == .null)
        #expect(JSONValue(any: ["b": 1, "a": nil] as [String: Any?]) == .object(["a": .null, "b": .integer(1)]))
        #expect(JSONValue(any: [1, "x", NSNull()] as [Any]) == .array([.integer(1), .string("x"), .null]))
        #expect(JSONValue(any: URL(fileURLWithPath: "/x")) == .string("file:///x"))
    }

    @Test("What JSON can say and a Double cannot stays fit for JSONSerialization")
    func unrepresentable() throws {
        let value = try JSONParser.parse("[1e999, -1e999, 123456789012345678901234567890, 9223372036854775807]")
        let array = try #require(value.foundationObject as? [Any])
        #expect(
            array.map { "\($0)" } == [
                "1.7976931348623157e+308", "-1.7976931348623157e+308", "1.2345678901234568e+29", "9223372036854775807",
            ])
        #expect(JSONSerialization.isValidJSONObject(array))
    }
}
