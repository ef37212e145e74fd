import LeapJSON
import LeapTestSupport
import Testing

@testable import LeapGrammar

/// Items and keys that must differ: never one like another, never a dead end.
@Suite(.timeLimit(.minutes(30))) struct UniqueItemsTests {
    static let rows: [KeywordCase] = [
        KeywordCase(
            "strings", ##"{"type":"array","items":{"type":"string"},"uniqueItems":true}"##,
            valid: [
                "[]", "[\"a\"]", "[\"a\", \"b\", \"\", \"ab\"]",
                "[\"aaaaaaaaaaaaaaaaaaaaaaaa\", \"aaaaaaaaaaaaaaaaaaaaaaa\"]",
            ],
            invalid: [
                "[\"a\", \"a\"]", "[\"\", \"\"]", "[\"a\", \"b\", \"\\u0061\"]", "[\"\\n\", \"\\u000a\"]",
                "[\"😀\", \"\\ud83d\\ude00\"]", "[\"é\",\"\\u00E9\"]",
                "[\"name name name name\", \"name name name name\"]",
                "[\"a\\/\", \"a/\"]",
            ]),
        KeywordCase(
            "numbers", ##"{"type":"array","items":{"type":"number"},"uniqueItems":true}"##,
            valid: ["[1, 12, 120]", "[0, 0.1, 0.01, -0.1]", "[1e2, 1e3, 10]"],
            invalid: [
                "[1, 1]", "[1, 1.0]", "[10, 1e1]", "[0, -0]", "[0.5, 5e-1, 1]", "[120, 12, 1.2e2]", "[1.50, 1.5]",
            ]),
        KeywordCase(
            "anything", ##"{"uniqueItems":true,"type":"array"}"##,
            valid: ["[1, \"1\", true, null, [1], {\"a\": 1}, {\"a\": 2}, [[]], []]", "[0, false, \"\", null]"],
            invalid: [
                "[null, null]", "[[1], [1]]", "[[1, 2], [1.0, 2]]", "[{\"a\": 1, \"b\": 2}, {\"b\": 2, \"a\": 1}]",
                "[{\"a\": [true]}, {\"a\": [true]}]", "[{}, {}]", "[[], [ ]]", "[1,\n  1]",
            ]),
        KeywordCase(
            "objects",
            ##"{"type":"array","items":{"type":"object","properties":{"k":{"enum":["a","b"]},"v":{"type":"boolean"}},"required":["k"],"additionalProperties":false},"uniqueItems":true,"minItems":2}"##,
            valid: [
                "[{\"k\": \"a\"}, {\"k\": \"b\"}]",
                "[{\"k\": \"a\", \"v\": true}, {\"k\": \"a\", \"v\": false}, {\"k\": \"a\"}]",
            ],
            invalid: [
                "[{\"k\": \"a\"}]", "[{\"k\": \"a\"}, {\"k\": \"a\"}]",
                "[{\"v\": true, \"k\": \"a\"}, {\"k\": \"a\", \"v\": true}]",
            ]),
        KeywordCase(
            "arrays in arrays",
            ##"{"type":"array","items":{"type":"array","items":{"type":"integer"},"uniqueItems":true},"uniqueItems":true}"##,
            valid: ["[[1, 2], [2, 1], []]"], invalid: ["[[1, 1]]", "[[1, 2], [1, 2]]", "[[], []]"]),
        KeywordCase(
            "beside prefixItems and contains",
            ##"{"type":"array","prefixItems":[{"type":"string"}],"contains":{"type":"integer"},"uniqueItems":true}"##,
            valid: ["[\"a\", 1, \"b\"]"], invalid: ["[\"a\", 1, \"a\"]", "[\"a\", 1, 1]", "[\"a\"]"]),
        KeywordCase(
            "or something else",
            ##"{"type":"array","anyOf":[{"uniqueItems":true,"items":{"type":"string"}},{"items":{"maxLength":1}}]}"##,
            valid: ["[\"a\", \"a\"]", "[\"ab\", \"cd\", \"a\"]"],
            invalid: ["[\"ab\", \"ab\"]", "[\"a\", \"ab\", \"a\"]"]),
        KeywordCase(
            "undeclared keys", ##"{"type":"object","properties":{"d":{}}}"##,
            valid: ["{\"a\": 1, \"b\": 1, \"ab\": 1}", "{\"a\": {\"a\": {\"a\": 1}}, \"b\": [{\"a\": 1}]}"],
            invalid: [
                "{\"a\": 1, \"a\": 2}", "{\"a\": 1, \"\\u0061\": 2}", "{\"a\": 1, \"b\": 2, \"a\": 3}",
                "{\"x\": {\"a\": 1, \"a\": 2}}",
            ]),
        KeywordCase(
            "minProperties of undeclared keys",
            ##"{"type":"object","minProperties":3,"additionalProperties":{"type":"integer"}}"##,
            valid: ["{\"a\": 1, \"b\": 1, \"c\": 1}"],
            invalid: ["{\"a\": 1, \"b\": 1}", "{\"a\": 1, \"b\": 1, \"a\": 1}"]),
        KeywordCase(
            "minProperties of patterns",
            ##"{"type":"object","minProperties":2,"patternProperties":{"^[ab]$":{"type":"null"}},"additionalProperties":false}"##,
            valid: ["{\"a\": null, \"b\": null}"],
            invalid: ["{\"a\": null}", "{\"a\": null, \"a\": null}", "{\"a\": null, \"b\": null, \"c\": null}"]),
    ]

    @Test("Every spelling of an equal item or key is refused, and nothing else", arguments: rows)
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

    static let walks: [String] =
        rows.map(\.schema) + [
            ##"{"type":"array","items":{"type":"integer","minimum":0,"maximum":12},"uniqueItems":true,"minItems":6}"##,
            ##"{"type":"array","items":{"type":"string","pattern":"^(a|b[0-9]?)$"},"uniqueItems":true,"minItems":3}"##,
            ##"{"type":"array","items":{"type":"string","maxLength":1,"pattern":"^[ab]?$"},"uniqueItems":true}"##,
            ##"{"type":"array","items":{"anyOf":[{"type":"boolean"},{"type":"array","items":{"type":"null"},"maxItems":2}]},"uniqueItems":true,"minItems":3}"##,
            ##"{"type":"array","items":{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"boolean"}},"required":["a","b"],"additionalProperties":false},"uniqueItems":true,"minItems":2,"maxItems":6}"##,
            ##"{"type":"array","items":{"anyOf":[{"const":1},{"type":"string","minLength":40}]},"uniqueItems":true,"minItems":2}"##,
            ##"{"type":"array","items":{"type":"number","multipleOf":0.5,"minimum":0,"maximum":2},"uniqueItems":true}"##,
            ##"{"type":"object","patternProperties":{"^[ab]{1,2}$":{"type":"integer"}},"additionalProperties":false,"minProperties":4}"##,
            ##"{"type":"object","properties":{"l":{"type":"array","uniqueItems":true,"items":{"type":"string","maxLength":3}},"m":{"type":"array","uniqueItems":true,"items":{"type":"integer"},"minItems":3}},"required":["m"],"additionalProperties":false}"##,
        ]

    @Test("Walks end, with items and keys that differ", arguments: walks)
    func walk(_ schema: String) throws {
        var random = SeededGenerator(schema.utf8.count)
        let validator = try SchemaValidator(schema)
        for round in TestLevel.isAll ? Array(0..<6) : [1, 3] {
            let order: GrammarOptions.PropertyOrder = round % 4 == 3 ? .any : .declared
            let grammar = try Judge.schema(schema, order: order)
            let walker = Walker(
                grammar: grammar, index: round % 4 == 1 ? TestVocabulary.bytes : TestVocabulary.mixed,
                style: Walker.Style.allCases[random.below(Walker.Style.allCases.count)],
                freeSteps: [0, 5, 20, 40][random.below(4)],
                slack: random.below(3) == 0 ? [0, 1, 3, 20][random.below(4)] : nil, isHasty: random.below(3) == 0)
            let (text, _) = try walker.walk(&random)
            let string = String(decoding: text, as: UTF8.self)
            #expect(try validator.fault(string) == nil, "\(order) \(string)")
            #expect(Judge.accepts(grammar, string), "its bytes are accepted: \(string)")
        }
    }

    @Test("A token that holds two items or keys is read as a whole")
    func tokensOfSeveral() throws {
        let pieces = ["\",\"a", "a\",\"a\"", "1,1", ",1,", "\"a\":1,\"a\":", "\":1,\"b\":1,\"b", "]", "1,2,1"]
        let index = TestVocabulary.make(pieces: pieces)
        func allowed(_ schema: String, after text: String) throws -> Set<String> {
            let matcher = try Judge.schema(schema).matcher(vocabulary: index)
            #expect(matcher.accept(bytes: text.utf8), "\(text)")
            let mask = matcher.mask()
            for token in 0..<Int32(index.vocabulary.count) where index.vocabulary.isText(token) {
                let isSet = mask[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1
                #expect(isSet == matcher.allows(token), "\(text) then token \(token)")
            }
            return Set(
                pieces.indices.filter { mask[(258 + $0) >> 6] >> UInt64((258 + $0) & 63) & 1 == 1 }.map { pieces[$0] })
        }
        let strings = ##"{"type":"array","items":{"type":"string"},"uniqueItems":true}"##
        #expect(try allowed(strings, after: "[\"") == ["\",\"a", "1,1", ",1,", "]", "1,2,1"])
        #expect(try allowed(strings, after: "[\"b") == ["\",\"a", "a\",\"a\"", "1,1", ",1,", "]", "1,2,1"])
        let numbers = ##"{"type":"array","items":{"type":"integer"},"uniqueItems":true}"##
        #expect(try allowed(numbers, after: "[") == ["]", "1,1", "1,2,1"])
        #expect(try allowed(numbers, after: "[1") == ["1,1", "]", "1,2,1"])
        let few = ##"{"type":"array","items":{"type":"integer","minimum":0,"maximum":2},"uniqueItems":true}"##
        #expect(try allowed(few, after: "[") == ["]"])
        #expect(try allowed(##"{"type":"object"}"##, after: "{") == [])
        #expect(try allowed(##"{"type":"object"}"##, after: "{\"b") == ["]", "1,1", ",1,", "1,2,1"])
    }

    @Test("More items asked for than there are values")
    func tooFew() {
        for schema in [
            ##"{"type":"array","items":{"type":"string","pattern":"^[ab]$"},"uniqueItems":true,"minItems":3}"##,
            ##"{"type":"object","patternProperties":{"^[ab]$":{}},"additionalProperties":false,"minProperties":3}"##,
        ] {
            #expect(throws: GrammarError.self) { try CompiledGrammar.jsonSchema(schema) }
        }
    }
}
