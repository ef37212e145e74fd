import Testing

@testable import LeapGrammar

@Suite struct RefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var schema: String
        var code: GrammarError.Code
        var pointer: String
        var testDescription: String { String(schema.prefix(80)) }
    }

    static let rows: [Row] = [
        Row(schema: "{", code: .invalidJSON, pointer: ""),
        Row(schema: "[1]", code: .invalidSchema, pointer: ""),
        Row(schema: ##"{"type":"strin"}"##, code: .invalidSchema, pointer: "/type"),
        Row(
            schema: ##"{"properties":{"a/b":{"minimum":"x"}}}"##, code: .invalidSchema,
            pointer: "/properties/a~1b/minimum"),
        Row(schema: ##"{"$ref":"#"}"##, code: .unresolvedReference, pointer: ""),
        Row(schema: ##"{"$ref":"https://example.com/x.json"}"##, code: .unresolvedReference, pointer: "/$ref"),
        Row(schema: ##"{"items":{"$ref":"#/nowhere"}}"##, code: .unresolvedReference, pointer: "/items/$ref"),
        Row(schema: ##"{"enum":[]}"##, code: .unsatisfiable, pointer: "/enum"),
        Row(schema: ##"{"type":"integer","minimum":5,"maximum":4}"##, code: .unsatisfiable, pointer: ""),
        Row(
            schema: ##"{"type":"integer","minimum":8,"maximum":13,"multipleOf":7}"##, code: .unsatisfiable, pointer: ""),
        Row(schema: ##"{"type":"string","minLength":3,"maxLength":2}"##, code: .unsatisfiable, pointer: ""),
        Row(schema: ##"{"type":"string","pattern":"^a$","minLength":2}"##, code: .unsatisfiable, pointer: ""),
        Row(schema: ##"{"allOf":[{"type":"string"},{"type":"null"}]}"##, code: .unsatisfiable, pointer: ""),
        Row(
            schema: ##"{"type":"object","properties":{"a":false},"required":["a"]}"##, code: .unsatisfiable, pointer: ""
        ),
        Row(
            schema:
                ##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"n":{"$ref":"#/$defs/a"}},"required":["n"]}}}"##,
            code: .unsatisfiable, pointer: ""),
        Row(schema: ##"{"pattern":"(a(?=b))*c"}"##, code: .unsupported, pointer: "/pattern"),
        Row(schema: ##"{"pattern":"(a)\\1"}"##, code: .unsupported, pointer: "/pattern"),
        Row(schema: ##"{"pattern":"a\\ud800b"}"##, code: .unsupported, pointer: "/pattern"),
        Row(schema: ##"{"pattern":"[\\ud800-\\udbff][\\udc00-\\udfff]"}"##, code: .unsupported, pointer: "/pattern"),
        Row(schema: ##"{"enum":["a","x\ud800"]}"##, code: .unsupported, pointer: "/enum/1"),
        Row(schema: ##"{"const":{"k":["\uDFFF\uD800"]}}"##, code: .unsupported, pointer: "/const/k/0"),
        Row(schema: ##"{"properties":{"\udc00":{}}}"##, code: .unsupported, pointer: "/properties"),
        Row(
            schema: ##"{"properties":{"title":{"const":"\udc00"}}}"##, code: .unsupported,
            pointer: "/properties/title/const"),
        Row(schema: ##"{"pattern":"(a"}"##, code: .invalidPattern, pointer: "/pattern"),
        Row(
            schema:
                ##"{"properties":{"l":{"type":"array","prefixItems":[{"enum":[1,2]},{"type":"string"}],"uniqueItems":true,"minItems":4}}}"##,
            code: .unsupported, pointer: "/properties/l/uniqueItems"),
        Row(schema: ##"{"multipleOf":0}"##, code: .invalidSchema, pointer: "/multipleOf"),
        Row(
            schema: ##"{"anyOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}"##, code: .unsupported,
            pointer: "/anyOf"),
    ]

    @Test("What cannot be enforced is refused, with its place", arguments: rows)
    func refusal(_ row: Row) {
        do {
            _ = try CompiledGrammar.jsonSchema(row.schema)
            Issue.record("compiled")
        } catch {
            #expect(error.code == row.code, "\(error)")
            #expect(error.pointer == row.pointer, "\(error)")
            #expect(!error.reason.isEmpty)
        }
    }

    @Test("Whole surrogate pairs, and halves in annotations, are read")
    func surrogatePairs() throws {
        let schema = ##"{"description":"\ud800","enum":["\ud83d\ude00","\\ud800"]}"##
        let grammar = try CompiledGrammar.jsonSchema(schema)
        #expect(Judge.accepts(grammar, "\"😀\"") && Judge.accepts(grammar, ##""\\ud800""##))
    }

    @Test("A limit is called a limit, and only what has no value is said to have none")
    func limits() throws {
        func error(_ schema: String) -> GrammarError? {
            do { _ = try CompiledGrammar.jsonSchema(schema) } catch { return error }
            return nil
        }
        let direct = error(##"{"items":{"type":"array","contains":{"type":"null"},"minContains":500}}"##)
        #expect(direct?.code == .tooComplex)
        #expect(direct?.pointer == "/items/minContains")
        #expect(direct?.reason.contains("500") == true)
        let joined = error(##"{"type":"array","minItems":400,"contains":{"type":"null"}}"##)
        #expect(joined?.code == .tooComplex)
        #expect(joined?.pointer == "/contains")
        let two = error(
            ##"{"type":"array","allOf":[{"contains":{"type":"null"},"minContains":200},{"contains":{"type":"string"},"minContains":200}]}"##
        )
        #expect(two?.code == .tooComplex)
        #expect(error(##"{"type":"array","contains":{"type":"null"},"minContains":300}"##) == nil)
        let none = error(##"{"type":"array","contains":{"type":"null"},"minContains":500,"maxItems":499}"##)
        #expect(none?.code == .unsatisfiable)
        #expect(error(##"{"items":{"minItems":3000000000,"type":"array"}}"##)?.pointer == "/items/minItems")
        let long = ##"{"type":"array","items":{"type":"string","minLength":1000},"minItems":100000000}"##
        #expect(error(long)?.code == .tooComplex)
    }

    @Test("A relaxed keyword is ignored")
    func relaxedKeywordIgnored() throws {
        let schema = ##"{"type":"array","items":{"type":"string"},"uniqueItems":true}"##
        let grammar = try CompiledGrammar.jsonSchema(schema, options: GrammarOptions(relaxedKeywords: ["uniqueItems"]))
        #expect(Judge.accepts(grammar, "[\"a\", \"a\"]"))
    }
}
