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
        ("{}", .init(pointer: "", reason: "properties are missing")),
        ("{\"x\": null}", .init(pointer: "", reason: "properties are missing")),
        ("{\"b/c\": []}", .init(pointer: "/b~1c", reason: "items are missing")),
        ("{\"b/c\": [\"x\", \"yyy\"]}", .init(pointer: "/b~1c/1", reason: "this value does not fit")),
        ("{\"b/c\": [\"x\", \"}\", \"z\"]}", .init(pointer: "/b~1c", reason: "no further item may stand here")),
        ("{\"o\": {\"z\": 1}, \"a\": 10}", .init(pointer: "/o", reason: "no property may stand here")),
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
