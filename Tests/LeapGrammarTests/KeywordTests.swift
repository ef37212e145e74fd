import Testing

@testable import LeapGrammar

/// One row: a schema, instances that satisfy it and instances that do not.
struct KeywordCase: Sendable, CustomTestStringConvertible {
    var name: String
    var schema: String
    var valid: [String]
    var invalid: [String]

    var testDescription: String { name }

    init(_ name: String, _ schema: String, valid: [String], invalid: [String]) {
        self.name = name
        self.schema = schema
        self.valid = valid
        self.invalid = invalid
    }
}

@Suite struct KeywordTests {
    @Test("Every keyword admits the valid and only the valid", arguments: KeywordTable.all)
    func keyword(_ row: KeywordCase) throws {
        let grammar = try Judge.schema(row.schema)
        for text in row.valid {
            #expect(Judge.accepts(grammar, text), "\(row.name): \(text) is valid")
            #expect(Judge.masksAccept(grammar, text), "\(row.name): the masks let \(text) through")
        }
        for text in row.invalid {
            #expect(!Judge.accepts(grammar, text), "\(row.name): \(text) is not valid")
            #expect(!Judge.masksAccept(grammar, text), "\(row.name): the masks stop \(text)")
        }
    }
}
