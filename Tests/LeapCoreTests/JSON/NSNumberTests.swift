import Foundation
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapChat

@Suite(.inTurns)
struct NSNumberTests {
    @Test("Booleans and numbers keep their kind, however Foundation boxes them")
    func kinds() throws {
        #expect(JSONValue(any: NSNumber(value: true)) == .bool(true))
        #expect(JSONValue(any: NSNumber(value: false)) == .bool(false))
        #expect(JSONValue(any: NSNumber(value: 1)) == .integer(1))
        #expect(JSONValue(any: NSNumber(value: 0)) == .integer(0))
        #expect(JSONValue(any: NSNumber(value: Int8(1))) == .integer(1))
        #expect(JSONValue(any: NSNumber(value: UInt8(1))) == .integer(1))
        #expect(JSONValue(any: NSNumber(value: 1.5)) == .double(1.5))
        let object = try JSONSerialization.jsonObject(with: Data(#"{"a":true,"b":1,"c":[false,0]}"#.utf8))
        #expect(
            JSONValue(any: object)
                == .object(["a": .bool(true), "b": .integer(1), "c": .array([.bool(false), .integer(0)])]))
    }

    @Test("A message from JSONSerialization keeps the booleans of its calls")
    func message() throws {
        let text =
            #"{"role":"assistant","content":null,"tool_calls":[{"type":"function","id":"1","function":{"name":"f","arguments":"{\"now\":true,\"count\":1}"}}]}"#
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let call = try #require(try ChatMessage(from: object).functionCalls?.first)
        #expect(call.arguments["now"] as? Bool == true)
        #expect(JSONValue(any: call.arguments) == .object(["count": .integer(1), "now": .bool(true)]))
    }
}
