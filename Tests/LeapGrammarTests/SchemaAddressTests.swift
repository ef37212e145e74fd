import Testing

@testable import LeapGrammar

/// Addresses of schemas and references by them.
@Suite struct SchemaAddressTests {
    static let resolved: [(reference: String, base: String, result: String)] = [
        ("b.json", "https://x.org/d/a.json", "https://x.org/d/b.json"),
        ("b.json#/c", "https://x.org/d/a.json", "https://x.org/d/b.json"),
        ("/b.json", "https://x.org/d/a.json", "https://x.org/b.json"),
        ("../b.json", "https://x.org/d/e/a.json", "https://x.org/d/b.json"),
        ("../../../b", "https://x.org/d/a.json", "https://x.org/b"),
        ("./b/./c/..", "https://x.org/d/a.json", "https://x.org/d/b/"),
        ("//y.org/b", "https://x.org/d/a.json", "https://y.org/b"),
        ("?v=2", "https://x.org/d/a.json?v=1", "https://x.org/d/a.json?v=2"),
        ("b?q=../c", "https://x.org/d/a?q=x/y", "https://x.org/d/b?q=../c"),
        ("", "https://x.org/a", "https://x.org/a"), ("#x", "https://x.org/a", "https://x.org/a"),
        ("b", "https://x.org", "https://x.org/b"), ("urn:b:c", "https://x.org/a", "urn:b:c"),
        ("b", "", "b"), ("b", "d/a", "d/b"), ("c:d", "urn:a:b", "c:d"), ("file:///b", "a", "file:///b"),
        ("1a:b", "https://x.org/d/", "https://x.org/d/1a:b"),
    ]

    @Test("References are resolved against their base", arguments: resolved.indices)
    func resolution(_ index: Int) {
        let (reference, base, result) = Self.resolved[index]
        #expect(URIReference.resolve(reference, base: base) == result)
    }

    @Test("Addresses follow those of the schemas around them")
    func nesting() throws {
        let grammar = try Judge.schema(
            ##"{"$id":"https://example.com/a/root","properties":{"p":{"$ref":"b/leaf"},"q":{"$ref":"https://example.com/a/b/leaf#name"},"r":{"$ref":"urn:x:y#/$defs/z"}},"$defs":{"inner":{"$id":"b/","$defs":{"leaf":{"$id":"leaf","type":"null","$defs":{"n":{"$anchor":"name","type":"boolean"}}}}},"u":{"$id":"urn:x:y","$defs":{"z":{"type":"integer"}}}}}"##
        )
        #expect(Judge.accepts(grammar, "{\"p\": null, \"q\": true, \"r\": 1}"))
        for text in ["{\"p\": true}", "{\"q\": null}", "{\"r\": null}"] { #expect(!Judge.accepts(grammar, text)) }
    }

    @Test("Only the last part of an address, or another text's anchor, is no address")
    func otherAddresses() {
        for schema in [
            ##"{"$ref":"https://elsewhere.org/item.json","$defs":{"i":{"$id":"item.json","type":"null"}}}"##,
            ##"{"$ref":"#x","$defs":{"i":{"$id":"item.json","$anchor":"x","type":"null"}}}"##,
            ##"{"$ref":"#/$defs/l/anyOf/00","$defs":{"l":{"anyOf":[true]}}}"##,
        ] {
            let error = #expect(throws: GrammarError.self) { try Judge.schema(schema) }
            #expect(error?.code == .unresolvedReference)
            #expect(error?.pointer == "/$ref")
        }
    }

    @Test("Names that look the same and are not are two properties")
    func namesThatLookTheSame() throws {
        let grammar = try Judge.schema(
            "{\"properties\":{\"\u{E9}\":{\"type\":\"null\"},\"e\u{301}\":{\"type\":\"integer\"}}}")
        #expect(Judge.accepts(grammar, "{\"\u{E9}\": null, \"e\u{301}\": 1}"))
        #expect(!Judge.accepts(grammar, "{\"e\u{301}\": null}"))
    }

    @Test("Addresses too long, too many under a long one, and too many anchors are refused")
    func tooMuch() {
        func refused(_ schema: String) -> Bool {
            do { _ = try Judge.schema(schema) } catch { return (error as? GrammarError)?.code == .tooComplex }
            return false
        }
        func definitions(_ count: Int, _ member: (Int) -> String) -> String {
            "\"$defs\":{" + (0..<count).map { "\"d\($0)\":{\(member($0))}" }.joined(separator: ",") + "}"
        }
        let long = String(repeating: "a", count: 2_000)
        #expect(refused("{\"$id\":\"https://x.org/\(long)\(long)\"}"))
        #expect(
            refused(
                "{\"$id\":\"https://x.org/\(long)/\",\"$ref\":\"d1\"," + definitions(9_000) { "\"$id\":\"d\($0)\"" }
                    + "}"))
        #expect(
            !refused("{\"$id\":\"https://x.org/\",\"$ref\":\"d1\"," + definitions(900) { "\"$id\":\"d\($0)\"" } + "}"))
        #expect(
            refused("{\"$dynamicRef\":\"#a1\"," + definitions(300) { "\"$dynamicAnchor\":\"a\($0)\"" } + "}"))
    }
}
