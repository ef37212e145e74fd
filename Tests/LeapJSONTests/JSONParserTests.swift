import LeapJSON
import LeapTestSupport
import Testing

struct JSONParserTests {
    @Test(
        "Reads every kind of value",
        arguments: [
            ("null", JSONValue.null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
            ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)), ("1.5", .double(1.5)),
            ("1e3", .double(1000)), ("1e3", .integer(1000)),
            ("-2.5E-1", .double(-0.25)), (#""a\n\"\\\/é""#, .string("a\n\"\\/é")), (#""\ud83d\ude00""#, .string("😀")),
            (#""\ud83d!""#, .string("\u{FFFD}!")), (#""\ude00\ud83d\ud83d\ude00""#, .string("\u{FFFD}\u{FFFD}😀")),
            ("[]", .array([])), ("{}", .object([:])), ("\u{FEFF} 1", .integer(1)),
            ("[1, [2, {\"a\": null}]]", .array([.integer(1), .array([.integer(2), .object(["a": .null])])])),
        ])
    func valid(text: String, expected: JSONValue) throws {
        #expect(try JSONParser.parse(text) == expected)
    }

    @Test(
        "Refuses what is not JSON",
        arguments: [
            "", " ", "nul", "tru", "01", "-01", "-", "1.", ".5", "1e", "1e+", "+1", "'a'", "\"a", "\"\\x\"",
            "\"\u{1}\"",
            "[1,]", "[,1]", "[1 2]", "{a:1}", "{\"a\" 1}", "{\"a\":1,}", "{,}", "{\"a\":1 \"b\":2}", "1 2", "[", "{",
            "]",
            "{\"a\":", "{\"a\"", "[1}", "\"\\u12", "\"\\u12G4\"", "NaN", "Infinity", "1e100001",
            "1e99999999999999999999",
            "1 \u{FEFF}", "\u{A0}1", "//x\n1",
        ])
    func invalid(text: String) {
        #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(text) }
    }

    @Test("Numbers keep their spelling, and values beyond Double's range are numbers too")
    func spelling() throws {
        for text in ["1E+2", "-0", "-0.0", "0.10", "1e999", "123456789012345678901234567890", "1e-100000"] {
            #expect(JSONWriter.string(try JSONParser.parse(text)) == text)
        }
        #expect(try JSONParser.parse("1e999").double == .greatestFiniteMagnitude)
        #expect(try JSONParser.parse("-1e999").double == -.greatestFiniteMagnitude)
        #expect(try JSONParser.parse("1e999") != JSONParser.parse("1e998"))
    }

    @Test("An object's members are told apart by their bytes")
    func memberNames() throws {
        let object = try #require(try JSONParser.parse("{\"e\u{301}\":1,\"\u{e9}\":2}").object)
        #expect(object.count == 2 && object["\u{e9}"] == .integer(2))
        let many = JSONObject((0..<20).map { ("e\u{301}\($0)", .integer($0)) } + [("\u{e9}3", .null)])
        #expect(many.count == 21 && many["e\u{301}3"] == .integer(3) && many["\u{e9}3"] == .null)
    }

    @Test("Keeps the order of members, the last of two with one name")
    func order() throws {
        let object = try #require(try JSONParser.parse(#"{"z":1,"a":2,"m":3,"a":4}"#).object)
        #expect(object.keys == ["z", "a", "m"])
        #expect(object["a"] == .integer(4))
    }

    @Test("Says where the text is wrong, in bytes, lines and characters")
    func places() {
        func failure(_ text: String) -> JSONParser.Failure? {
            #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(text) }
        }
        let first = failure("{\n  \"é\": tru\n}")
        #expect(first?.offset == 10 && first?.line == 2 && first?.column == 8 && first?.isIncomplete == false)
        #expect(first?.message == "expected true at byte 10 (line 2, column 8)")
        let last = failure("[1,\n 2")
        #expect(last?.isIncomplete == true && last?.line == 2 && last?.column == 3)
    }

    @Test("Bytes that are not UTF-8 are refused where they stand")
    func invalidUTF8() {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xF0, 0x9F, 0x98, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
            let failure = #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(bytes) }
            #expect(failure?.offset == 1 && failure?.reason == "bytes that are not UTF-8")
        }
    }

    @Test("Stops at a bounded depth instead of overflowing the stack", arguments: ["[", "{\"a\":", "[{\"a\":"])
    func depth(opening: String) throws {
        let failure = #expect(throws: JSONParser.Failure.self) {
            try JSONParser.parse(String(repeating: opening, count: 100_000))
        }
        #expect(failure?.reason == "nested deeper than 256")
        _ = try JSONParser.parse(String(repeating: "[", count: 256) + String(repeating: "]", count: 256))
    }

    @Test("A text has as many values as it may, those inside of others included")
    func valueCount() throws {
        let text = Array(#"{"a": [1, "x", [], {}], "b": null}"#.utf8)
        _ = try JSONParser.parse(text, maxValues: 7)
        let failure = #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(text, maxValues: 6) }
        #expect(failure?.reason == "too many values")
        #expect(try JSONParser.parse(text).valueCount == 7)
        #expect(JSONValue.object([:]).valueCount == 1 && JSONValue.null.valueCount == 1)
    }

    @Test("Random values are read again from what is written, in every style")
    func roundTrip() throws {
        for seed in TestLevel.seeds(50, all: 400) {
            var generator = SeededGenerator(seed: seed)
            let value = JSONValue.random(&generator)
            for style in [JSONWriter.Style.compact, .python, .file, .sorted] {
                let text = JSONWriter.string(value, style: style)
                let again = try JSONParser.parse(text)
                #expect(again == value && again.hashValue == value.hashValue, "seed \(seed): \(text)")
            }
            let compact = JSONWriter.bytes(value)
            #expect(JSONWriter.bytes(try JSONParser.parse(compact)) == compact, "seed \(seed)")
        }
    }

    @Test("Damaged text is read or refused, and refused at a place inside it")
    func damaged() {
        for seed in TestLevel.seeds(500, all: 4000) {
            var generator = SeededGenerator(seed: seed)
            var bytes = JSONWriter.bytes(.random(&generator))
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[position] = .random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: position)
                default: bytes.removeSubrange(position...)
                }
            }
            do throws(JSONParser.Failure) {
                _ = try JSONParser.parse(bytes)
            } catch {
                #expect(error.offset <= bytes.count && error.line >= 1 && error.column >= 1, "seed \(seed)")
            }
        }
    }

    @Test("A text cut at any byte is incomplete, not wrong")
    func cut() throws {
        let bytes = Array(#"{"a":[1,-2.5e+3,"x\u00e9\ud83d\ude00",true,null],"b":{"c":""}}"#.utf8)
        for count in 0..<bytes.count {
            let failure = #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(Array(bytes[..<count])) }
            let isInsideWord = failure.map { $0.reason.hasPrefix("expected ") && !$0.isIncomplete } ?? false
            #expect(failure?.isIncomplete == true || isInsideWord, "cut at \(count): \(failure?.message ?? "")")
        }
    }
}
