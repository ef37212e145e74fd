import LeapJSON
import Testing

@testable import LeapGrammar

/// A refusal names the part that cannot be kept to, however deep it stands.
@Suite struct RefusalPlaceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var schema: String
        var code: GrammarError.Code
        var pointer: String
        var testDescription: String { String(schema.prefix(90)) }
    }

    /// A schema inside of two objects and an array, each of which demands what is in it.
    private static func nested(_ schema: String) -> String {
        ##"{"type":"object","properties":{"n":{"type":"string"},"a":{"type":"array","minItems":1,"items":{"type":"object","properties":{"b":\##(schema)},"required":["b"]}}},"required":["n","a"]}"##
    }

    private static let inner = "/properties/a/items/properties/b"

    private static func branches(_ count: Int, _ index: Int) -> String {
        (0..<count).map { ##"{"properties":{"k\##(index)":{"const":\##($0)}},"required":["k\##(index)"]}"## }
            .joined(separator: ",")
    }

    static let rows: [Row] = [
        Row(schema: nested(##"{"type":"integer","enum":["a"]}"##), code: .unsatisfiable, pointer: inner),
        Row(schema: nested(##"{"type":"integer","minimum":5,"maximum":2}"##), code: .unsatisfiable, pointer: inner),
        Row(schema: nested(##"{"type":"string","minLength":3,"maxLength":2}"##), code: .unsatisfiable, pointer: inner),
        Row(
            schema: nested(##"{"type":"string","pattern":"^a$","minLength":2}"##), code: .unsatisfiable, pointer: inner),
        Row(
            schema: nested(##"{"type":"object","minProperties":3,"maxProperties":2}"##), code: .unsatisfiable,
            pointer: inner),
        Row(schema: nested(##"{"allOf":[{"type":"string"},{"type":"null"}]}"##), code: .unsatisfiable, pointer: inner),
        Row(
            schema: nested(##"{"allOf":[{"type":"string"},{"type":"integer","minimum":3,"maximum":1}]}"##),
            code: .unsatisfiable, pointer: inner + "/allOf/1"),
        Row(
            schema: nested(
                ##"{"anyOf":[{"type":"object"}],"type":"object","properties":{"c":{"const":1,"type":"string"}},"required":["c"]}"##
            ),
            code: .unsatisfiable, pointer: inner + "/properties/c"),
        Row(schema: nested(##"{"type":"integer","multipleOf":1000003}"##), code: .tooComplex, pointer: inner),
        Row(
            schema: nested(
                "{\"allOf\":[\((0..<12).map { "{\"anyOf\":[\(branches(4, $0))]}" }.joined(separator: ","))]}"),
            code: .tooComplex, pointer: inner),
        Row(
            schema: nested(
                ##"{"type":"array","prefixItems":[{"enum":[1,2]},{"type":"string"}],"uniqueItems":true,"minItems":4}"##),
            code: .unsupported, pointer: inner + "/uniqueItems"),
        Row(
            schema: nested(
                ##"{"type":"object","propertyNames":{"pattern":"^[ab]$"},"minProperties":3,"patternProperties":{"^[ab]$":{}}}"##
            ),
            code: .unsupported, pointer: inner),
        // What leads into parts that demand each other without end.
        Row(
            schema:
                ##"{"type":"object","properties":{"x":{"$ref":"#/$defs/a"}},"required":["x"],"$defs":{"a":{"type":"object","properties":{"n":{"$ref":"#/$defs/a"}},"required":["n"]}}}"##,
            code: .unsatisfiable, pointer: "/properties/x"),
        // Draft 3.
        Row(
            schema: draft3(##""properties":{"a":{"type":"integer","required":true}}"##), code: .unsupported,
            pointer: "/properties/a/required"),
        Row(
            schema: draft3(##""properties":{"a":{"type":"integer","divisibleBy":5}}"##), code: .unsupported,
            pointer: "/properties/a/divisibleBy"),
        Row(schema: draft3(##""disallow":"string""##), code: .unsupported, pointer: "/disallow"),
        Row(schema: draft3(##""extends":{"minProperties":1}"##), code: .unsupported, pointer: "/extends"),
        Row(
            schema: draft3(##""properties":{"a":{"type":"any"}}"##), code: .invalidSchema,
            pointer: "/properties/a/type"),
    ]

    private static func draft3(_ members: String) -> String {
        ##"{"$schema":"http://json-schema.org/draft-03/schema#","type":"object",\##(members)}"##
    }

    @Test("The innermost part that is to blame is named", arguments: rows)
    func place(_ row: Row) {
        do {
            _ = try CompiledGrammar.jsonSchema(row.schema)
            Issue.record("compiled")
        } catch {
            #expect(error.code == row.code, "\(error)")
            #expect(error.pointer == row.pointer, "\(error)")
        }
    }

    @Test("Many alternatives that exclude one another name their place")
    func overlaps() {
        let parts = (0..<40).map {
            ##"{"type":"object","properties":{"k\##($0)":{"type":"integer"}},"required":["k\##($0)"]}"##
        }
        do {
            _ = try CompiledGrammar.jsonSchema(Self.nested("{\"oneOf\":[\(parts.joined(separator: ","))]}"))
            Issue.record("compiled")
        } catch {
            #expect(error.code == .tooComplex && error.pointer.hasPrefix(Self.inner), "\(error)")
        }
    }

    @Test("Of draft 3 what draft 4 kept is read, with its booleans beside the bounds")
    func draft3() throws {
        let schema = Self.draft3(
            ##""properties":{"a":{"type":"integer","minimum":3,"exclusiveMinimum":true,"required":false}},"dependencies":{"b":"a"},"additionalProperties":{"type":"null"}"##
        )
        let grammar = try Judge.schema(schema)
        #expect(Judge.accepts(grammar, "{}") && Judge.accepts(grammar, ##"{"a": 4, "b": null}"##))
        #expect(!Judge.accepts(grammar, ##"{"a": 3}"##) && !Judge.accepts(grammar, ##"{"b": null}"##))
        #expect(grammar.notes.isEmpty)
    }

    @Test("A property that says of itself that it is required is noted in later drafts")
    func booleanRequired() throws {
        let grammar = try Judge.schema(
            ##"{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"type":"integer","required":true}}}"##
        )
        #expect(grammar.notes.map(\.pointer) == ["/properties/a/required"])
        #expect(Judge.accepts(grammar, "{}"))
    }

    @Test("The parameters of a function are named with their function")
    func functions() throws {
        var composition = GrammarComposition()
        composition.schemas = [
            ("good", .object([:])),
            (
                "bad",
                try JSONParser.parse(
                    ##"{"type":"object","properties":{"x":{"enum":[1],"type":"null"}},"required":["x"]}"##)
            ),
        ]
        composition.rules = [.choice([.value(0), .value(1)])]
        let error = #expect(throws: GrammarError.self) { try composition.compile(options: GrammarOptions()) }
        #expect(error?.code == .unsatisfiable && error?.pointer == "/bad/properties/x", "\(String(describing: error))")
    }
}
