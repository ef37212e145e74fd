import Testing

@testable import LeapGrammar

/// `$dynamicRef` and `$recursiveRef`: what they stand for depends on the way that leads to them.
@Suite struct DynamicReferenceTests {
    private static let drafts = [
        "2019-09": "https://json-schema.org/draft/2019-09/schema",
        "2020-12": "https://json-schema.org/draft/2020-12/schema",
    ]

    /// A list of anything, and two that say what its items are.
    private static let lists =
        ##"{"$id":"https://example.com/lists","type":"object","properties":{"numbers":{"$ref":"numbers"},"words":{"$ref":"words"},"any":{"$ref":"list"}},"additionalProperties":false,"$defs":{"list":{"$id":"list","type":"array","items":{"$dynamicRef":"#item"},"$defs":{"item":{"$dynamicAnchor":"item"}}},"numbers":{"$id":"numbers","$ref":"list","$defs":{"item":{"$dynamicAnchor":"item","type":"number"}}},"words":{"$id":"words","$ref":"list","$defs":{"item":{"$dynamicAnchor":"item","type":"string"}}}}}"##

    @Test("The same schema means different things under different schemas")
    func lists() throws {
        let grammar = try Judge.schema(Self.lists)
        for text in [
            "{\"numbers\": [1, 2.5]}", "{\"words\": [\"a\"]}", "{\"any\": [1, \"a\", null]}",
            "{\"any\": [[]], \"words\": [], \"numbers\": [3]}",
        ] {
            #expect(Judge.accepts(grammar, text), "\(text)")
            #expect(Judge.masksAccept(grammar, text), "\(text)")
        }
        for text in ["{\"numbers\": [\"a\"]}", "{\"words\": [1]}", "{\"words\": [\"a\", 1]}"] {
            #expect(!Judge.accepts(grammar, text), "\(text)")
        }
    }

    @Test("The outermost anchor counts, through any number of steps")
    func outermost() throws {
        let grammar = try Judge.schema(
            ##"{"$id":"https://example.com/strict","$dynamicAnchor":"node","$ref":"tree","unevaluatedProperties":false,"$defs":{"tree":{"$id":"tree","$dynamicAnchor":"node","type":"object","properties":{"kids":{"type":"array","items":{"$dynamicRef":"#node"}}}}}}"##
        )
        #expect(Judge.accepts(grammar, "{\"kids\": [{\"kids\": []}]}"))
        #expect(!Judge.accepts(grammar, "{\"kid\": []}"))
        #expect(!Judge.accepts(grammar, "{\"kids\": [{\"kids\": [{\"kid\": []}]}]}"))
    }

    @Test("Without an anchor of that kind, or by a pointer, it is a plain reference")
    func plain() throws {
        let anchor = try Judge.schema(
            ##"{"$id":"https://example.com/a","$dynamicAnchor":"x","type":"object","properties":{"p":{"$ref":"b"}},"$defs":{"b":{"$id":"b","$dynamicRef":"#x","$defs":{"y":{"$anchor":"x","type":"null"}}}}}"##
        )
        #expect(Judge.accepts(anchor, "{\"p\": null}"))
        #expect(!Judge.accepts(anchor, "{\"p\": {}}"))
        let pointer = try Judge.schema(
            ##"{"$id":"https://example.com/a","$dynamicAnchor":"x","type":"object","properties":{"p":{"$ref":"b"}},"$defs":{"b":{"$id":"b","$dynamicRef":"#/$defs/y","$defs":{"y":{"$dynamicAnchor":"x","type":"null"}}}}}"##
        )
        #expect(Judge.accepts(pointer, "{\"p\": null}"))
        #expect(!Judge.accepts(pointer, "{\"p\": {}}"))
    }

    @Test("$recursiveRef goes to the outermost $recursiveAnchor, and stays where there is none")
    func recursive() throws {
        func schema(outer: String, inner: String) -> String {
            "{\"$schema\":\"\(Self.drafts["2019-09"] ?? "")\",\"$id\":\"https://example.com/o\",\(outer)\"anyOf\":[{\"type\":\"integer\"},{\"$ref\":\"i\"}],\"$defs\":{\"i\":{\"$id\":\"i\",\(inner)\"type\":\"object\",\"additionalProperties\":{\"$recursiveRef\":\"#\"}}}}"
        }
        let anchor = "\"$recursiveAnchor\":true,"
        let open = try Judge.schema(schema(outer: anchor, inner: anchor))
        #expect(Judge.accepts(open, "{\"a\": {\"b\": 1}}"))
        #expect(!Judge.accepts(open, "{\"a\": {\"b\": \"x\"}}"))
        for (outer, inner) in [("", anchor), (anchor, ""), ("", "\"$recursiveAnchor\":false,")] {
            let closed = try Judge.schema(schema(outer: outer, inner: inner))
            #expect(Judge.accepts(closed, "{\"a\": {}}"))
            #expect(!Judge.accepts(closed, "{\"a\": 1}"), "\(outer) \(inner)")
        }
        let error = #expect(throws: GrammarError.self) {
            try Judge.schema("{\"$schema\":\"\(Self.drafts["2019-09"] ?? "")\",\"items\":{\"$recursiveRef\":\"#/a\"}}")
        }
        #expect(error?.pointer == "/items/$recursiveRef")
    }

    @Test("Each keyword belongs to its draft alone")
    func drafts() throws {
        for (draft, uri) in Self.drafts {
            let dynamic = try Judge.schema(
                "{\"$schema\":\"\(uri)\",\"$dynamicRef\":\"#/$defs/x\",\"$defs\":{\"x\":{\"type\":\"null\"}}}")
            #expect(Judge.accepts(dynamic, "1") == (draft == "2019-09"))
            let recursive = try Judge.schema(
                "{\"$schema\":\"\(uri)\",\"type\":\"object\",\"additionalProperties\":{\"$recursiveRef\":\"#\"}}")
            #expect(Judge.accepts(recursive, "{\"a\": 1}") == (draft == "2020-12"))
        }
    }

    @Test("Scopes that multiply are refused")
    func scopesThatMultiply() {
        // Each of 8 anchors may be set first by either of two schemas: 3^8 scopes.
        var definitions: [String] = []
        for index in 0..<8 {
            for side in ["l", "r"] {
                definitions.append(
                    "\"\(side)\(index)\":{\"$id\":\"\(side)\(index)\",\"type\":\"object\",\"properties\":{\"n\":{\"$ref\":\"hub\"}},\"$defs\":{\"a\":{\"$dynamicAnchor\":\"x\(index)\"}}}"
                )
            }
        }
        let links = (0..<8).flatMap { index in ["l", "r"].map { "\"\($0)\(index)\":{\"$ref\":\"\($0)\(index)\"}" } }
        let schema =
            "{\"$id\":\"https://example.com/\",\"$ref\":\"hub\",\"$defs\":{\"hub\":{\"$id\":\"hub\",\"type\":\"object\",\"properties\":{\(links.joined(separator: ","))}},\(definitions.joined(separator: ","))}}"
        let error = #expect(throws: GrammarError.self) { try Judge.schema(schema) }
        #expect(error?.code == .tooComplex)
    }

    // MARK: Standard meta-schemas

    private static let addresses = [
        "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ]

    @Test("A reference to a standard meta-schema demands a schema", arguments: addresses)
    func metaSchemas(_ address: String) throws {
        let options = GrammarOptions(propertyOrder: .any, relaxedKeywords: ["uniqueItems"])
        let grammar = try CompiledGrammar.jsonSchema("{\"$ref\":\"\(address)\"}", options: options)
        let valid = [
            "{}", "{\"type\": \"object\", \"properties\": {\"a\": {\"minLength\": 1}}, \"required\": [\"a\"]}",
            "{\"items\": {\"type\": [\"null\", \"string\"]}, \"x-mine\": 5}", "{\"anyOf\": [{}], \"not\": {}}",
        ]
        for text in valid { #expect(Judge.accepts(grammar, text), "\(text)") }
        let invalid = [
            "1", "{\"minLength\": -1}", "{\"type\": \"objekt\"}", "{\"properties\": {\"a\": {\"minLength\": \"1\"}}}",
            "{\"anyOf\": []}", "{\"items\": {\"multipleOf\": 0}}", "{\"required\": [1]}", "{\"title\": 1}",
            "{\"definitions\": {\"a\": {\"maximum\": null}}}",
        ]
        for text in invalid { #expect(!Judge.accepts(grammar, text), "\(text)") }
        #expect(Judge.accepts(grammar, "true") == !address.contains("draft-04"))
    }

    @Test("Parts of the standard meta-schemas can be referred to")
    func partsOfMetaSchemas() throws {
        for (reference, valid, invalid) in [
            ("http://json-schema.org/draft-04/schema#/definitions/positiveInteger", "0", "-1"),
            ("http://json-schema.org/draft-07/schema#/definitions/simpleTypes", "\"null\"", "\"nil\""),
            ("https://json-schema.org/draft/2019-09/meta/validation#/$defs/nonNegativeInteger", "3", "0.5"),
            ("https://json-schema.org/draft/2020-12/meta/core#/$defs/anchorString", "\"a\"", "\"#a\""),
            ("https://json-schema.org/draft/2020-12/meta/unevaluated", "{\"unevaluatedItems\": {}}", "[]"),
        ] {
            let grammar = try Judge.schema("{\"$ref\":\"\(reference)\"}")
            #expect(Judge.accepts(grammar, valid), "\(reference)")
            #expect(!Judge.accepts(grammar, invalid), "\(reference)")
        }
    }

    @Test("A meta-schema of one's own extends the standard one at every depth")
    func extendedMetaSchema() throws {
        let options = GrammarOptions(propertyOrder: .any, relaxedKeywords: ["uniqueItems"])
        let grammar = try CompiledGrammar.jsonSchema(
            ##"{"$id":"https://example.com/meta","$dynamicAnchor":"meta","$ref":"https://json-schema.org/draft/2020-12/meta/applicator","properties":{"unit":{"enum":["m","s"]}}}"##,
            options: options)
        #expect(Judge.accepts(grammar, "{\"properties\": {\"a\": {\"unit\": \"m\"}}}"))
        #expect(!Judge.accepts(grammar, "{\"properties\": {\"a\": {\"unit\": \"kg\"}}}"))
        #expect(!Judge.accepts(grammar, "{\"not\": {\"items\": {\"unit\": 1}}}"))
    }

    @Test("What cannot be enforced in a standard meta-schema is refused at the reference to it")
    func refusedMetaSchema() {
        let schema =
            ##"{"items":{"$ref":"https://json-schema.org/draft/2020-12/schema","not":{"uniqueItems":true}}}"##
        let error = #expect(throws: GrammarError.self) { try Judge.schema(schema) }
        #expect(error?.code == .unsupported)
        #expect(["/items/$ref", "/items/not/uniqueItems"].contains(error?.pointer))
    }

    @Test("An address beside the standard meta-schemas leads nowhere")
    func noMetaSchema() {
        let error = #expect(throws: GrammarError.self) {
            try CompiledGrammar.jsonSchema(
                ##"{"properties":{"s":{"$ref":"https://json-schema.org/draft/2020-12/meta/nothing"}}}"##)
        }
        #expect(error?.pointer == "/properties/s/$ref")
    }
}
