import Testing

@testable import LeapGrammar

@Suite struct InstanceCheckTests {
    static let schema =
        ##"{"type":"object","properties":{"a":{"type":"integer","minimum":10},"b/c":{"type":"array","items":{"type":"string","maxLength":2},"minItems":1,"maxItems":2},"o":{"type":"object","additionalProperties":false}},"required":["a"],"additionalProperties":{"type":"null"}}"##

    static let rows: [(document: String, fault: InstanceCheck.Fault?)] = [
        ("{\"b/c\": [\"x\"], \"a\": 10}", nil),
        ("  {\"a\":\r\n1e2 }\n", nil),
        ("{\"a\": 9}", .init(pointer: "/a", reason: "this value does not fit")),
        ("{\"a\": 9, \"x\": null}", .init(pointer: "/a", reason: "this value does not fit")),
        ("{\"a\": 12, \"x\": 1}", .init(pointer: "/x", reason: "this value does not fit")),
        ("{\"a\": 10.5}", .init(pointer: "/a", reason: "this value does not fit")),
        ("{}", .init(pointer: "", reason: "properties are missing: \"a\"")),
        ("{\"x\": null}", .init(pointer: "", reason: "properties are missing: \"a\"")),
        ("{\"b/c\": []}", .init(pointer: "/b~1c", reason: "items are missing")),
        ("{\"b/c\": [\"x\", \"yyy\"]}", .init(pointer: "/b~1c/1", reason: "this value does not fit")),
        ("{\"b/c\": [\"x\", \"}\", \"z\"]}", .init(pointer: "/b~1c", reason: "no further item is allowed here")),
        ("{\"o\": {\"z\": 1}, \"a\": 10}", .init(pointer: "/o", reason: "no property is allowed here")),
        ("{\"a\": 10, \"o\": {}, \"o2\": {}}", .init(pointer: "/o2", reason: "this value does not fit")),
        ("[]", .init(pointer: "", reason: "this value does not fit")),
        ("7", .init(pointer: "", reason: "this value does not fit")),
    ]

    @Test("Documents, and the place of their first fault", arguments: rows.indices)
    func documents(_ index: Int) throws {
        let (document, fault) = Self.rows[index]
        let grammar = try Judge.schema(Self.schema)
        #expect(try InstanceCheck.fault(in: Array(document.utf8), against: grammar) == fault, "\(document)")
    }

    @Test("Missing properties are named, also those that another one asks for")
    func missingProperties() throws {
        func reason(_ schema: String, _ document: String) throws -> String? {
            try InstanceCheck.fault(in: Array(document.utf8), against: Judge.schema(schema))?.reason
        }
        let required = ##"{"type":"object","required":["b","a","é\"x"],"properties":{"a":{}}}"##
        #expect(try reason(required, "{\"b\": 1}") == "properties are missing: \"a\", \"é\\\"x\"")
        #expect(
            try reason(##"{"properties":{"o":{"required":["k"],"type":"object"}}}"##, "{\"o\": {}, \"p\": 1}")
                == "properties are missing: \"k\"")
        #expect(
            try reason(##"{"dependentRequired":{"a":["b","c"]}}"##, "{\"a\": 1, \"c\": 1}")
                == "properties are missing: \"b\"")
        let either = ##"{"type":"object","anyOf":[{"required":["a","b"]},{"required":["a","c","d"]}]}"##
        #expect(try reason(either, "{}") == "properties are missing: \"a\"")
        #expect(try reason(either, "{\"a\": 1}") == "properties are missing: \"b\"")
        #expect(try reason(##"{"type":"object","minProperties":1}"##, "{}") == "properties are missing")
        let many = "{\"required\":[\((0..<13).map { "\"k\($0)\"" }.joined(separator: ","))]}"
        #expect(try reason(many, "{}")?.hasSuffix("\"k9\" and 3 more") == true)
    }

    @Test("A root number that is too small")
    func rootNumberTooSmall() throws {
        let grammar = try Judge.schema(##"{"type":"integer","minimum":10}"##)
        let fault = try InstanceCheck.fault(in: Array("9".utf8), against: grammar)
        #expect(fault == .init(pointer: "", reason: "this value does not fit"))
    }

    @Test("What is no JSON is an error")
    func whatNoJSONError() throws {
        let grammar = try Judge.schema("true")
        #expect(throws: GrammarError.self) { try InstanceCheck.fault(in: Array("{".utf8), against: grammar) }
    }
}
