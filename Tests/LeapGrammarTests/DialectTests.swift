import LeapJSON
import Testing

@testable import LeapGrammar

/// The keywords that count in each draft.
@Suite struct DialectTests {
    static let schemas = [
        "draft-04": "http://json-schema.org/draft-04/schema#", "draft-06": "http://json-schema.org/draft-06/schema#",
        "draft-07": "http://json-schema.org/draft-07/schema#",
        "2019-09": "https://json-schema.org/draft/2019-09/schema",
        "2020-12": "https://json-schema.org/draft/2020-12/schema",
    ]
    private static let all = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"]

    struct Row: Sendable, CustomTestStringConvertible {
        var keyword: String
        /// Members of a schema object.
        var members: String
        /// An instance that the keyword forbids.
        var instance: String
        var drafts: Set<String>
        var testDescription: String { members }

        init(_ keyword: String, _ members: String, forbids instance: String, _ drafts: some Sequence<String>) {
            (self.keyword, self.members, self.instance, self.drafts) = (keyword, members, instance, Set(drafts))
        }
    }

    static let rows: [Row] = [
        Row("const", ##""const":1"##, forbids: "2", all[1...]),
        Row("contains", ##""contains":{"type":"null"}"##, forbids: "[1]", all[1...]),
        Row("propertyNames", ##""propertyNames":{"maxLength":1}"##, forbids: "{\"ab\": 1}", all[1...]),
        Row("exclusiveMinimum", ##""exclusiveMinimum":1"##, forbids: "1", all[1...]),
        Row("exclusiveMaximum", ##""exclusiveMaximum":1"##, forbids: "1", all[1...]),
        Row("if", ##""if":{"type":"integer"},"then":{"minimum":3}"##, forbids: "1", all[2...]),
        Row("if", ##""if":{"type":"integer"},"else":{"type":"null"}"##, forbids: "\"x\"", all[2...]),
        Row("dependentRequired", ##""dependentRequired":{"a":["b"]}"##, forbids: "{\"a\": 1}", all[3...]),
        Row(
            "dependentSchemas", ##""dependentSchemas":{"a":{"required":["b"]}}"##, forbids: "{\"a\": 1}", all[3...]),
        Row("minContains", ##""contains":{},"minContains":2"##, forbids: "[1]", all[3...]),
        Row("maxContains", ##""contains":{},"maxContains":1"##, forbids: "[1, 2]", all[3...]),
        Row("unevaluatedProperties", ##""unevaluatedProperties":false"##, forbids: "{\"a\": 1}", all[3...]),
        Row("unevaluatedItems", ##""unevaluatedItems":false"##, forbids: "[1]", all[3...]),
        Row("prefixItems", ##""prefixItems":[{"type":"null"}]"##, forbids: "[1]", all[4...]),
        Row("dependencies", ##""dependencies":{"a":["b"]}"##, forbids: "{\"a\": 1}", all[..<3]),
        Row("dependencies", ##""dependencies":{"a":{"required":["b"]}}"##, forbids: "{\"a\": 1}", all[..<3]),
        Row("additionalItems", ##""items":{},"additionalItems":false,"maxItems":1"##, forbids: "[1, 2]", all),
        Row("not", ##""not":{"type":"null"}"##, forbids: "null", all),
        Row("items", ##""items":{"type":"null"}"##, forbids: "[1]", all),
        Row("enum", ##""enum":[1]"##, forbids: "2", all),
    ]

    @Test("A keyword counts in the drafts that have it, and is named in a note in the others", arguments: rows)
    func keyword(_ row: Row) throws {
        for (draft, uri) in Self.schemas {
            let grammar = try Judge.schema("{\"$schema\":\"\(uri)\",\(row.members)}")
            let isKnown = row.drafts.contains(draft)
            #expect(Judge.accepts(grammar, row.instance) == !isKnown, "\(draft)")
            let hasNote = grammar.notes.contains { $0.pointer == "/" + row.keyword }
            if row.keyword != "additionalItems" { #expect(hasNote == !isKnown, "\(draft): \(grammar.notes)") }
        }
    }

    @Test("Tuples are lists under items up to 2019-09, and refused there in 2020-12")
    func tuples() throws {
        let members = ##""items":[{"type":"null"}],"additionalItems":false"##
        for (draft, uri) in Self.schemas where draft != "2020-12" {
            let grammar = try Judge.schema("{\"$schema\":\"\(uri)\",\(members)}")
            #expect(Judge.accepts(grammar, "[null]"))
            #expect(!Judge.accepts(grammar, "[1]"), "\(draft)")
            #expect(!Judge.accepts(grammar, "[null, 1]"), "\(draft)")
        }
        let error = #expect(throws: GrammarError.self) {
            try Judge.schema("{\"$schema\":\"\(Self.schemas["2020-12"] ?? "")\",\(members)}")
        }
        #expect(error?.code == .invalidSchema)
        #expect(error?.pointer == "/items")
    }

    @Test("A boolean exclusiveMinimum is draft 4's, a number is ignored there")
    func exclusiveBounds() throws {
        for (draft, uri) in Self.schemas {
            let schema = "{\"$schema\":\"\(uri)\",\"minimum\":1,\"exclusiveMinimum\":true}"
            if draft == "draft-04" {
                let grammar = try Judge.schema(schema)
                #expect(!Judge.accepts(grammar, "1"))
                #expect(Judge.accepts(grammar, "2"))
            } else {
                let error = #expect(throws: GrammarError.self) { try Judge.schema(schema) }
                #expect(error?.pointer == "/exclusiveMinimum", "\(draft)")
            }
        }
        let number = try Judge.schema(
            "{\"$schema\":\"\(Self.schemas["draft-04"] ?? "")\",\"minimum\":1,\"exclusiveMinimum\":5}")
        #expect(Judge.accepts(number, "1"))
        #expect(!Judge.accepts(number, "0"))
        #expect(number.notes.map(\.pointer) == ["/exclusiveMinimum"])
    }

    @Test("Without $schema 2020-12 is read, and earlier spellings that mean nothing there")
    func unstated() throws {
        let grammar = try Judge.schema(
            ##"{"properties":{"n":{"minimum":1,"exclusiveMinimum":true},"t":{"items":[{"const":1}],"additionalItems":false},"p":{"prefixItems":[{"const":1}]}},"dependencies":{"n":["t"]}}"##
        )
        #expect(Judge.accepts(grammar, ##"{"n": 2, "t": [1], "p": [1, 2]}"##))
        #expect(!Judge.accepts(grammar, ##"{"n": 1, "t": [1]}"##))
        #expect(!Judge.accepts(grammar, ##"{"n": 2, "t": [1, 2]}"##))
        #expect(!Judge.accepts(grammar, ##"{"n": 2}"##))
        #expect(!Judge.accepts(grammar, ##"{"p": [2]}"##))
        #expect(grammar.notes.isEmpty)
    }

    // MARK: Integers of draft 4

    @Test("Draft 4: 1.0 is no integer, also under not, oneOf and beside enum")
    func integersOfDraft4() throws {
        func schema(_ members: String) throws -> CompiledGrammar {
            try Judge.schema("{\"$schema\":\"http://json-schema.org/draft-04/schema#\",\(members)}")
        }
        func check(_ grammar: CompiledGrammar, valid: [String], invalid: [String]) {
            for text in valid {
                #expect(Judge.accepts(grammar, text), "\(text)")
                #expect(Judge.masksAccept(grammar, text), "\(text)")
            }
            for text in invalid { #expect(!Judge.accepts(grammar, text), "\(text)") }
        }
        check(
            try schema(##""not":{"type":"integer"}"##), valid: ["1.0", "1.5", "1e2", "-0.0", "null", "\"a\""],
            invalid: ["1", "-7", "0", "100"])
        check(
            try schema(##""type":"number","not":{"type":"integer","minimum":3}"##), valid: ["2", "3.0", "4.5", "3e1"],
            invalid: ["3", "30"])
        check(
            try schema(##""oneOf":[{"type":"integer"},{"minimum":2}]"##), valid: ["1", "2.0", "2.5", "3e0"],
            invalid: ["2", "3", "1.5"])
        check(try schema(##""type":"integer","enum":[100,2.5]"##), valid: ["100"], invalid: ["100.0", "1e2", "2.5"])
        check(
            try schema(##""not":{"type":"integer"},"enum":[100,"a"]"##), valid: ["100.0", "\"a\""], invalid: ["100"])
        check(
            try schema(##""type":"number","multipleOf":2,"not":{"type":"integer"}"##), valid: ["2.0", "-4.0"],
            invalid: ["2", "3.0"])
        check(
            try schema(##""not":{"not":{"type":"integer"}}"##), valid: ["1", "-20"], invalid: ["1.0", "1e1", "true"])
    }

    @Test("Draft 4: where an integer's value must be written with a fraction, generation writes it so")
    func fractionsOfDraft4() throws {
        let grammar = try Judge.schema(
            ##"{"$schema":"http://json-schema.org/draft-04/schema#","type":"number","multipleOf":2,"not":{"type":"integer"}}"##,
            order: .declared)
        #expect(Judge.accepts(grammar, "4.0"))
        #expect(!Judge.accepts(grammar, "4"))
    }

    // MARK: Identifiers

    @Test("The keyword that gives an address is id in draft 4, $id later")
    func identifiers() throws {
        for (draft, uri) in Self.schemas {
            for keyword in ["id", "$id"] {
                let schema =
                    "{\"$schema\":\"\(uri)\",\"properties\":{\"p\":{\"$ref\":\"x.json\"}},\"definitions\":{\"a\":{\"\(keyword)\":\"x.json\",\"type\":\"null\"}}}"
                if (keyword == "id") == (draft == "draft-04") {
                    let grammar = try Judge.schema(schema)
                    #expect(Judge.accepts(grammar, "{\"p\": null}"))
                    #expect(!Judge.accepts(grammar, "{\"p\": 1}"))
                } else {
                    let error = #expect(throws: GrammarError.self, "\(draft), \(keyword)") { try Judge.schema(schema) }
                    #expect(error?.pointer == "/properties/p/$ref")
                }
            }
        }
    }

    @Test("Anchors are $anchor from 2019-09 on, a fragment of the address before")
    func anchors() throws {
        for (draft, uri) in Self.schemas {
            let identifier = draft == "draft-04" ? "id" : "$id"
            for (name, isOlder) in [("\"\(identifier)\":\"#x\"", true), ("\"$anchor\":\"x\"", false)] {
                let schema =
                    "{\"$schema\":\"\(uri)\",\"properties\":{\"p\":{\"$ref\":\"#x\"}},\"definitions\":{\"a\":{\(name),\"type\":\"null\"}}}"
                if isOlder == ["draft-04", "draft-06", "draft-07"].contains(draft) {
                    #expect(!Judge.accepts(try Judge.schema(schema), "{\"p\": 1}"))
                } else {
                    #expect(throws: GrammarError.self, "\(draft), \(name)") { try Judge.schema(schema) }
                }
            }
        }
    }

    @Test("Beside $ref nothing counts in drafts 4 to 7, not even an address")
    func referencesStandAlone() throws {
        for (draft, uri) in Self.schemas {
            let identifier = draft == "draft-04" ? "id" : "$id"
            let schema =
                "{\"$schema\":\"\(uri)\",\"properties\":{\"p\":{\"$ref\":\"#/definitions/a\",\"maxLength\":1,\"\(identifier)\":\"other/\"}},\"definitions\":{\"a\":{\"type\":\"string\"}}}"
            let standsAlone = ["draft-04", "draft-06", "draft-07"].contains(draft)
            let grammar = try Judge.schema(schema)
            #expect(Judge.accepts(grammar, "{\"p\": \"ab\"}") == standsAlone, "\(draft)")
            #expect(!Judge.accepts(grammar, "{\"p\": 1}"))
            #expect(grammar.notes.map(\.pointer) == (standsAlone ? ["/properties/p/maxLength"] : []))
        }
    }

    @Test("What looks like an address inside data gives no address")
    func addressesInData() throws {
        let schema =
            ##"{"$defs":{"data":{"const":{"$id":"x.json","type":"null"}},"real":{"$id":"x.json","type":"integer"}},"properties":{"p":{"$ref":"x.json"}}}"##
        let grammar = try Judge.schema(schema)
        #expect(Judge.accepts(grammar, "{\"p\": 1}"))
        #expect(!Judge.accepts(grammar, "{\"p\": null}"))
    }

    // MARK: Meta-schemas

    @Test("A meta-schema that is not known is refused, unless $schema is relaxed")
    func unknownMetaSchema() throws {
        let schema = ##"{"$schema":"https://example.com/meta","type":"null"}"##
        let error = #expect(throws: GrammarError.self) { try Judge.schema(schema) }
        #expect(error?.code == .unsupported)
        #expect(error?.pointer == "/$schema")
        let relaxed = try CompiledGrammar.jsonSchema(schema, options: GrammarOptions(relaxedKeywords: ["$schema"]))
        #expect(Judge.accepts(relaxed, "null"))
        #expect(throws: GrammarError.self) { try Judge.schema(##"{"$schema":7}"##) }
    }

    @Test("The vocabularies of a meta-schema in the document count")
    func vocabularies() throws {
        func schema(_ entries: String) -> String {
            let uri = "https://json-schema.org/draft/2020-12/vocab/"
            return
                ##"{"$schema":"https://example.com/meta","properties":{"a":{"minimum":3,"const":4}},"$defs":{"m":{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://example.com/meta","$vocabulary":{"##
                + "\"\(uri)core\":true,\"\(uri)applicator\":true" + entries + "}}}}"
        }
        let without = try Judge.schema(schema(""))
        #expect(Judge.accepts(without, "{\"a\": 1}"))
        #expect(without.notes.map(\.pointer) == ["/properties/a/minimum", "/properties/a/const"])
        let with = try Judge.schema(schema(",\"https://json-schema.org/draft/2020-12/vocab/validation\":true"))
        #expect(!Judge.accepts(with, "{\"a\": 1}"))
        #expect(Judge.accepts(with, "{\"a\": 4}"))
        let optional = try Judge.schema(schema(",\"https://example.com/vocab\":false"))
        #expect(Judge.accepts(optional, "{\"a\": 1}"))
        let error = #expect(throws: GrammarError.self) {
            try Judge.schema(schema(",\"https://example.com/vocab\":true"))
        }
        #expect(error?.pointer == "/$schema")
    }

    @Test("Schemas of a composition are read by their own $schema, with their own addresses")
    func compositions() throws {
        var composition = GrammarComposition()
        composition.schemas = [
            (
                "f",
                try JSONParser.parse(
                    ##"{"$schema":"http://json-schema.org/draft-04/schema#","const":1,"type":"integer"}"##)
            ),
            (
                "g",
                try JSONParser.parse(
                    ##"{"type":"object","properties":{"a":{"$ref":"#x"}},"required":["a"],"$defs":{"x":{"$anchor":"x","const":1}}}"##
                )
            ),
        ]
        composition.rules = [.choice([.value(0), .value(1)])]
        let grammar = try composition.compile(options: GrammarOptions())
        #expect(Judge.accepts(grammar, "2"))
        #expect(!Judge.accepts(grammar, "1.0"))
        #expect(Judge.accepts(grammar, "{\"a\": 1}"))
        #expect(!Judge.accepts(grammar, "{\"a\": 2}"))
        #expect(grammar.notes.map(\.pointer) == ["/f/const"])
    }
}
