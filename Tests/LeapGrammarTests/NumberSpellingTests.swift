import Testing

@testable import LeapGrammar

/// Numbers as they are generated, and as they are judged.
@Suite struct NumberSpellingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var schema: String
        var generated: [String]
        var judgedOnly: [String]
        var testDescription: String { schema }
    }

    static let rows: [Row] = [
        Row(
            schema: ##"{"type":"integer"}"##,
            generated: ["15916", "0", "-7", "9007199254740991", "-9007199254740991"],
            judgedOnly: ["15916.0", "-0", "9007199254740992", "-9007199254740992", "100000000000000000000"]),
        Row(schema: ##"{"type":"integer","minimum":0}"##, generated: ["0", "12"], judgedOnly: ["12.0", "-0"]),
        Row(
            schema: ##"{"type":"integer","minimum":10000000000000000}"##,
            generated: ["10000000000000000", "123456789012345678901"], judgedOnly: ["10000000000000000.0"]),
        Row(
            schema: ##"{"type":"integer","maximum":100000000000000000000}"##,
            generated: ["99999999999999999999", "-1"],
            judgedOnly: ["-9007199254740992"]),
        Row(
            schema: ##"{"type":"integer","multipleOf":100000000000000000}"##,
            generated: ["0", "100000000000000000", "-300000000000000000"], judgedOnly: ["-0", "0.0"]),
        Row(schema: ##"{"type":"integer","multipleOf":7}"##, generated: ["14"], judgedOnly: ["9007199254740995"]),
        Row(schema: ##"{"const":15916.0}"##, generated: ["15916"], judgedOnly: ["15916.0"]),
        Row(schema: ##"{"enum":[0,-3,1e3]}"##, generated: ["0", "-3", "1000"], judgedOnly: ["-0", "-3.0", "0.0"]),
        Row(schema: ##"{"const":100000000000000000000}"##, generated: ["100000000000000000000"], judgedOnly: ["1e20"]),
        Row(schema: ##"{"type":"number"}"##, generated: ["2.5", "-0.5", "1e-7", "3"], judgedOnly: ["-0", "-0.0"]),
        Row(
            schema: ##"{"anyOf":[{"type":"integer"},{"type":"number","minimum":1e300}]}"##, generated: ["1e301", "5"],
            judgedOnly: ["5.0"]),
    ]

    @Test("Integers are generated as every reader takes them, and judged in every spelling", arguments: rows)
    func spellings(_ row: Row) throws {
        let generating = try Judge.schema(row.schema, order: .declared)
        let judging = try Judge.schema(row.schema)
        for text in row.generated + row.judgedOnly {
            #expect(Judge.accepts(judging, text), "\(text) is valid")
            #expect(Judge.accepts(generating, text) == row.generated.contains(text), "\(text)")
            #expect(Judge.masksAccept(generating, text) == row.generated.contains(text), "\(text) by masks")
        }
    }

    @Test("The spelling can be chosen apart from the order")
    func chosen() throws {
        let schema = ##"{"type":"integer"}"##
        let wide = try CompiledGrammar.jsonSchema(schema, options: GrammarOptions(numbers: .any))
        let narrow = try CompiledGrammar.jsonSchema(
            schema, options: GrammarOptions(propertyOrder: .any, numbers: .plain))
        #expect(Judge.accepts(wide, "1.0") && !Judge.accepts(narrow, "1.0"))
    }

    @Test("A multiple that takes too many states says so; one of too many digits too")
    func multiples() {
        #expect(throws: GrammarError.self) { try CompiledGrammar.jsonSchema(##"{"multipleOf":1234567890123456789}"##) }
        do {
            _ = try CompiledGrammar.jsonSchema(##"{"type":"integer","multipleOf":12345678901234567890}"##)
            Issue.record("compiled")
        } catch { #expect(error.reason.contains("18 digits"), "\(error)") }
    }
}
