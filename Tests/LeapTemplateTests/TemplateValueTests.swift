import LeapTemplate
import Testing

/// Values and their JSON.
struct TemplateValueTests {
    @Test(
        "JSON is written as Python writes it",
        arguments: [
            (
                "{\"a\":1,\"b\":[1.0,2.5e-7,1E+20,-0,-0.0,true,null]}",
                "{\"a\": 1, \"b\": [1.0, 2.5e-07, 1e+20, 0, -0.0, true, null]}"
            ),
            (
                "[12345678901234567890, -9223372036854775808, -9223372036854775809]",
                "[12345678901234567890, -9223372036854775808, -9223372036854775809]"
            ),
            ("\"\\u00e9\\ud83d\\ude00\\n\\u2028\\/\"", "\"é😀\\n\u{2028}/\""),
            ("{\"a\":1,\"b\":2,\"a\":3}", "{\"a\": 3, \"b\": 2}"), ("\"\\ud800x\"", "\"\u{FFFD}x\""),
            ("{\"e\\u0301\":1,\"\\u00e9\":2}", "{\"e\u{301}\": 1, \"\u{e9}\": 2}"), (" [ ] ", "[]"),
            ("1e999", "Infinity"), ("\u{FEFF}1", "1"),
        ])
    func roundTrip(_ json: String, _ expected: String) throws {
        #expect(try TemplateValue(json: json).json().utf8.elementsEqual(expected.utf8))
    }

    @Test(
        "Bad JSON is refused, naming the byte",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", ".5", "+1", "1e", "-", "tru", "nul", "NaN",
            "Infinity", "'a'", "\"a", "\"\\x\"", "\"\\u12\"", "\"\n\"", "[1 2]", "1 2", "{\"a\":1,}", "[",
            "]",
        ])
    func badJSON(_ json: String) throws {
        do {
            _ = try TemplateValue(json: json)
            Issue.record("\(json) must be refused")
        } catch {
            #expect(error.code == .json && error.message.contains("byte"), "\(error)")
        }
    }

    @Test("Bytes that are no UTF-8 and nesting without end are refused")
    func hostileJSON() {
        #expect(throws: TemplateError.self) { try TemplateValue(json: [0x22, 0xFF, 0x22]) }
        #expect(throws: TemplateError.self) { try TemplateValue(json: [0x22, 0xF0, 0x9F, 0x98, 0x22]) }
        #expect(throws: TemplateError.self) { try TemplateValue(json: String(repeating: "[", count: 100_000)) }
        #expect(throws: TemplateError.self) {
            try TemplateValue(json: String(repeating: "{\"a\":", count: 100_000))
        }
        #expect(throws: TemplateError.self) { try TemplateValue(json: String(repeating: "9", count: 5_000)) }
    }

    @Test("Objects keep their order, and find many keys fast")
    func objects() throws {
        var object = TemplateObject()
        for i in 0..<20_000 { object["key\(i)"] = .int(i) }
        object["key7"] = "seven"
        #expect(object.count == 20_000 && object["key19999"] == 19_999 && object["key7"] == "seven")
        #expect(object.keys.prefix(2) == ["key0", "key1"])
        object["key0"] = nil
        #expect(object.count == 19_999 && object["key0"] == nil && object["key1"] == 1)
        #expect(try Fixtures.render("{{ o.key19998 }}{{ o|length }}", ["o": .object(object)]) == "1999819999")
    }

    @Test("Every kind of value reaches the template with its Python type")
    func kinds() throws {
        let values: TemplateValue = [
            nil, true, 1, 2.5, "s", [1], ["k": "v"], .largeInteger("123456789012345678901234567890"), .undefined,
        ]
        #expect(
            try Fixtures.render("{{ x }}", ["x": values])
                == "[None, True, 1, 2.5, 's', [1], {'k': 'v'}, 123456789012345678901234567890]")
        #expect(try Fixtures.render("{{ x is defined }}", ["x": .undefined]) == "False")
        #expect(Fixtures.failure(of: "{{ x }}", ["x": .largeInteger("12x")])?.code == .value)
    }
}
