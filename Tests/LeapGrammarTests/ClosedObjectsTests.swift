import LeapJSON
import Testing

@testable import LeapGrammar

/// Members that a schema does not name, where they are left out and where they are not.
@Suite struct ClosedObjectsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var schema: String
        var accepted: [String]
        /// Instances that validate, but have members that nobody named.
        var leftOut: [String] = []
        var testDescription: String { String(schema.prefix(90)) }
    }

    static let rows: [Row] = [
        Row(
            schema: ##"{"type":"object","properties":{"name":{},"age":{"type":"integer"}},"required":["name","age"]}"##,
            accepted: [##"{"name": "a", "age": 1}"##, ##"{"name": {"x": [1]}, "age": 1}"##],
            leftOut: [##"{"name": "a", "age": 1, "kidFriendly": true}"##]),
        Row(schema: ##"{"properties":{"a":{}}}"##, accepted: ["{}", "3"], leftOut: [##"{"b": 1}"##]),
        Row(schema: ##"{"type":"object"}"##, accepted: ["{}", ##"{"a": {"b": 1}}"##]),
        Row(schema: "{}", accepted: [##"{"a": {"b": 1}}"##, "[]"]),
        Row(
            schema: ##"{"type":"object","properties":{"a":{}},"additionalProperties":true}"##,
            accepted: [##"{"a": 1, "b": 2}"##]),
        Row(
            schema: ##"{"type":"object","properties":{"a":{}},"additionalProperties":{}}"##,
            accepted: [##"{"a": 1, "b": 2}"##]),
        Row(
            schema: ##"{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"integer"}}"##,
            accepted: [##"{"a": "x", "b": 2}"##]),
        Row(
            schema: ##"{"type":"object","properties":{"a":{}},"unevaluatedProperties":true}"##,
            accepted: [##"{"a": 1, "b": 2}"##]),
        Row(
            schema: ##"{"type":"object","properties":{"a":{}},"patternProperties":{"^x-":{}}}"##,
            accepted: [##"{"a": 1, "x-b": 2}"##], leftOut: [##"{"a": 1, "b": 2}"##]),
        Row(
            schema: ##"{"type":"object","properties":{"a":{}},"propertyNames":{"maxLength":2}}"##,
            accepted: [##"{"a": 1, "bb": 2}"##]),
        Row(
            schema: ##"{"type":"object","properties":{"a":{}},"minProperties":2}"##,
            accepted: [##"{"a": 1, "b": 2}"##]),
        Row(
            schema: ##"{"type":"object","properties":{"a":{},"b":{}},"minProperties":2}"##,
            accepted: [##"{"a": 1, "b": 2}"##], leftOut: [##"{"a": 1, "c": 2}"##]),
        Row(
            schema: ##"{"type":"object","required":["a"]}"##, accepted: [##"{"a": 1}"##],
            leftOut: [##"{"a": 1, "b": 2}"##]),
        Row(
            schema:
                ##"{"allOf":[{"type":"object","properties":{"a":{}}},{"properties":{"b":{}}},{"$ref":"#/$defs/c"}],"$defs":{"c":{"properties":{"c":{}}}}}"##,
            accepted: [##"{"a": 1, "b": 2, "c": 3}"##], leftOut: [##"{"a": 1, "d": 2}"##]),
        Row(
            schema: ##"{"allOf":[{"properties":{"a":{}},"additionalProperties":true},{"required":["a"]}]}"##,
            accepted: [##"{"a": 1, "b": 2}"##]),
        Row(
            schema:
                ##"{"anyOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"a":{},"b":{}}}]}"##,
            accepted: [##"{"a": 1}"##, ##"{"a": 1, "b": 2}"##], leftOut: [##"{"a": 1, "c": 2}"##]),
        Row(
            schema:
                ##"{"oneOf":[{"properties":{"kind":{"const":"x"},"a":{}},"required":["kind"]},{"properties":{"kind":{"const":"y"},"b":{}},"required":["kind"]}]}"##,
            accepted: [##"{"kind": "x", "a": 1}"##, ##"{"kind": "y", "b": 1}"##],
            leftOut: [##"{"kind": "x", "b": 1}"##]),
        Row(
            schema: ##"{"type":"object","properties":{"a":{}},"dependentRequired":{"a":["b"]}}"##,
            accepted: ["{}", ##"{"a": 1, "b": 2}"##], leftOut: [##"{"c": 2}"##]),
        Row(
            schema: ##"{"type":"object","properties":{"a":{}},"not":{"required":["b"]}}"##,
            accepted: [##"{"a": 1}"##], leftOut: [##"{"a": 1, "c": 1}"##]),
        Row(
            schema: ##"{"type":"object","not":{"required":["b"]}}"##, accepted: [##"{"a": 1}"##]),
        Row(
            schema: ##"{"type":"array","items":{"properties":{"a":{"properties":{"b":{}}}}}}"##,
            accepted: [##"[{"a": {"b": 1}}]"##], leftOut: [##"[{"a": {"c": 1}}]"##, ##"[{"c": 1}]"##]),
        Row(
            schema: ##"{"const":{"a":1,"b":{"c":2}}}"##, accepted: [##"{"a": 1, "b": {"c": 2}}"##]),
    ]

    @Test("Members that nobody named do not come, and what a schema demands stays", arguments: rows)
    func closed(_ row: Row) throws {
        let open = try CompiledGrammar.jsonSchema(row.schema, options: GrammarOptions(propertyOrder: .any))
        let closed = try CompiledGrammar.jsonSchema(
            row.schema, options: GrammarOptions(propertyOrder: .any, closesObjects: true))
        for text in row.accepted {
            #expect(Judge.accepts(open, text) && Judge.accepts(closed, text), "\(text)")
        }
        for text in row.leftOut {
            #expect(Judge.accepts(open, text), "valid: \(text)")
            #expect(!Judge.accepts(closed, text), "\(text)")
        }
    }

    @Test("What closed grammars let through validates")
    func walks() throws {
        var random = SeededGenerator(7)
        for row in Self.rows {
            let grammar = try CompiledGrammar.jsonSchema(row.schema, options: GrammarOptions(closesObjects: true))
            let open = try CompiledGrammar.jsonSchema(row.schema)
            for style in [Walker.Style.random, .opening, .last] {
                let walker = Walker(
                    grammar: grammar, index: TestVocabulary.mixed, style: style, freeSteps: 30, slack: nil,
                    isHasty: false)
                let text = try walker.walk(&random).text
                #expect(Judge.accepts(open, String(decoding: text, as: UTF8.self)), "\(row.schema)")
            }
        }
    }
}
