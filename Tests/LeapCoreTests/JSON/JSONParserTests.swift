import Foundation
import Testing

@testable import LeapCore

struct JSONParserTests {
    @Test(
        "Reads every kind of value",
        arguments: [
            ("null", JSONValue.null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
            ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)), ("1.5", .number(1.5)),
            ("1e3", .number(1000)),
            ("-2.5E-1", .number(-0.25)), (#""a\n\"\\\/é""#, .string("a\n\"\\/é")), (#""\ud83d\ude00""#, .string("😀")),
            (#""\ud83d!""#, .string("\u{FFFD}!")), ("[]", .array([])), ("{}", .object([:])),
            ("[1, [2, {\"a\": null}]]", .array([.integer(1), .array([.integer(2), .object(["a": .null])])])),
        ])
    func valid(text: String, expected: JSONValue) throws {
        #expect(try JSONParser.parse(text) == expected)
    }

    @Test(
        "Refuses what is not JSON",
        arguments: [
            "", " ", "nul", "tru", "01", "-", "1.", ".5", "1e", "+1", "'a'", "\"a", "\"\\x\"", "\"\u{1}\"", "[1,]",
            "[1 2]", "{a:1}",
            "{\"a\" 1}", "{\"a\":1,}", "1 2", "[", "{", "{\"a\":", "\"\\u12", "NaN", "1e999",
        ])
    func invalid(text: String) {
        #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(text) }
    }

    @Test("Stops at a bounded depth instead of overflowing the stack")
    func depth() throws {
        let failure = #expect(throws: JSONParser.Failure.self) {
            try JSONParser.parse(String(repeating: "[", count: 100_000))
        }
        #expect(failure?.reason == "nested deeper than 256")
        _ = try JSONParser.parse(String(repeating: "[", count: 256) + String(repeating: "]", count: 256))
    }

    @Test("Keeps the order of members, the last of two with one name")
    func order() throws {
        let object = try #require(try JSONParser.parse(#"{"z":1,"a":2,"m":3,"a":4}"#).object)
        #expect(object.keys == ["z", "a", "m"])
        #expect(object["a"] == .integer(4))
    }

    @Test("Writes what it reads, compact and in Python's style")
    func writing() throws {
        let text = #"{"b":[1,2.5,"ü\n\u0001"],"a":{},"n":null,"t":true}"#
        let value = try JSONParser.parse(text)
        #expect(JSONWriter.string(value) == text)
        #expect(
            JSONWriter.string(value, style: .python) == #"{"b": [1, 2.5, "ü\n\u0001"], "a": {}, "n": null, "t": true}"#)
    }

    @Test("Agrees with Foundation on random values")
    func random() throws {
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let value = JSONValue.random(&generator, depth: 0)
            let text = JSONWriter.string(value)
            #expect(try JSONParser.parse(text) == value, "seed \(seed)")
            let foundation = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(JSONValue(any: foundation) == value, "seed \(seed): \(text)")
        }
    }

    @Test("Never traps on damaged text")
    func damaged() throws {
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            var bytes = Array(JSONWriter.string(.random(&generator, depth: 0)).utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? JSONParser.parse(bytes)
        }
    }

    @Test("Understands Swift's and Foundation's own values")
    func anyValues() {
        #expect(JSONValue(any: 1 as Int8) == .integer(1))
        #expect(JSONValue(any: true) == .bool(true))
        #expect(JSONValue(any: NSNumber(value: true)) == .bool(true))
        #expect(JSONValue(any: NSNumber(value: 1)) == .integer(1))
        #expect(JSONValue(any: Float(0.5)) == .number(0.5))
        #expect(JSONValue(any: Double.nan) == .null)
        #expect(JSONValue(any: UInt64.max) == .number(Double(UInt64.max)))
        #expect(JSONValue(any: nil) == .null)
        #expect(JSONValue(any: ["b": 1, "a": nil] as [String: Any?]) == .object(["a": .null, "b": .integer(1)]))
        #expect(JSONValue(any: [1, "x", NSNull()] as [Any]) == .array([.integer(1), .string("x"), .null]))
        #expect(JSONValue(any: URL(fileURLWithPath: "/x")) == .string("file:///x"))
    }
}
